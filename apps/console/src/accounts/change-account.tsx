import { feeText, typedBps } from '#src/accounts/describe-account.ts';
import { Change } from '#src/changes/change.tsx';
import { Chosen, MoneyField } from '#src/changes/fields.tsx';
import { amountIn, oneOf, textIn } from '#src/changes/typed.ts';
import { updateAccount } from '#src/generated/sdk.gen.ts';
import type { Account, AccountUpdate, Fee } from '#src/generated/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface AccountProps {
  readonly account: Account;
}

const exampleCents = 10_000;

function save({ id }: Account, body: AccountUpdate) {
  return bodyOf(updateAccount({ path: { id }, body }));
}

/** Lower limits are in force at once; the server makes a proposal of higher ones. */
export function ChangeLimits({ account }: AccountProps) {
  const { texts } = useOperatorTexts();
  const { accounts } = texts;
  const { limits } = accounts;
  const { per_payout_cents: perPayout, per_day_cents: perDay } = account.payout_limits;
  const send = (typed: FormData) => {
    const wanted = {
      per_payout_cents: amountIn(typed, 'per_payout', 'BRL'),
      per_day_cents: amountIn(typed, 'per_day', 'BRL'),
    };
    return save(account, { payout_limits: wanted, reason: textIn(typed, 'reason') });
  };
  return (
    <Change open={limits.open} title={limits.title} about={limits.about} confirm={limits.confirm} hasReason send={send}>
      <MoneyField name="per_payout" label={accounts.perPayout} currency="BRL" now={perPayout} hint={accounts.noLimit} />
      <MoneyField name="per_day" label={accounts.perDay} currency="BRL" now={perDay} hint={accounts.noLimit} />
    </Change>
  );
}

/** What the gateway keeps of a payment and of a payout, in reais. */
export function ChangeFees({ account }: AccountProps) {
  const { texts, language } = useOperatorTexts();
  const { accounts } = texts;
  const { feeChange } = accounts;
  const { deposit, payout } = account.fees;
  const feeIn = (typed: FormData, name: string, now: Fee): Fee => ({
    fixed_cents: amountIn(typed, `${name}_fixed`, 'BRL') ?? now.fixed_cents,
    bps: typedBps(textIn(typed, `${name}_percent`)) ?? now.bps,
  });
  const send = (typed: FormData) => {
    const fees = { deposit: feeIn(typed, 'deposit', deposit), payout: feeIn(typed, 'payout', payout) };
    return save(account, { fees, reason: textIn(typed, 'reason') });
  };
  const example = feeChange.example(formatMoney(exampleCents, 'BRL', language), feeText(deposit, 'BRL', language));
  return (
    <Change
      open={feeChange.open}
      title={feeChange.title}
      about={`${feeChange.about} ${example}`}
      confirm={feeChange.confirm}
      hasReason
      send={send}
    >
      <FeeFields name="deposit" label={accounts.fees.deposit} fee={deposit} />
      <FeeFields name="payout" label={accounts.fees.payout} fee={payout} />
    </Change>
  );
}

interface FeeFieldsProps {
  readonly name: string;
  readonly label: string;
  readonly fee: Fee;
}

function FeeFields({ name, label, fee: { fixed_cents: fixed, bps } }: FeeFieldsProps) {
  const { texts } = useOperatorTexts();
  const { accounts, changes } = texts;
  return (
    <>
      <MoneyField name={`${name}_fixed`} label={`${label}: ${accounts.fixed}`} currency="BRL" now={fixed} required />
      <TextField
        name={`${name}_percent`}
        label={`${label}: ${accounts.percent}`}
        hint={accounts.feeChange.percentHint}
        defaultValue={`${Math.floor(bps / 100)}.${String(bps % 100).padStart(2, '0')}`}
        onChange={({ target }) =>
          target.setCustomValidity(typedBps(target.value) === undefined ? changes.noAmount : '')
        }
        inputMode="decimal"
        autoComplete="off"
        required
      />
    </>
  );
}

const choices = ['on', 'off'] as const;

/** Whether payouts within the limits wait for an operator. */
export function ChangeApproval({ account }: AccountProps) {
  const { texts } = useOperatorTexts();
  const { approveChange } = texts.accounts;
  const send = (typed: FormData) => {
    const isOn = oneOf(typed, 'auto', choices) === 'on';
    return save(account, { auto_approve_payouts: isOn, reason: textIn(typed, 'reason') });
  };
  return (
    <Change
      open={approveChange.open}
      title={approveChange.title}
      about={approveChange.about}
      confirm={approveChange.confirm}
      hasReason
      send={send}
    >
      <Chosen
        name="auto"
        label={approveChange.value}
        options={choices.map((value) => ({ value, label: approveChange[value] }))}
        initial={account.auto_approve_payouts ? 'on' : 'off'}
      />
    </Change>
  );
}
