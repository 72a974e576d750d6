import { Fragment, useState } from 'react';
import { feeText, typedBps } from '#src/accounts/describe-account.ts';
import { Change } from '#src/changes/change.tsx';
import { Chosen, MoneyField } from '#src/changes/fields.tsx';
import { amountIn, oneOf, textIn } from '#src/changes/typed.ts';
import { updateAccount } from '#src/generated/sdk.gen.ts';
import type { Account, AccountUpdate, Fee } from '#src/generated/types.gen.ts';
import { SelectField, TextField } from '#src/look/field.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { feesIn, limitsIn, termCurrencies, type TermCurrency } from '#src/records/account-terms.ts';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface AccountProps {
  readonly account: Account;
}

const exampleCents = 10_000;

function save({ id }: Account, body: AccountUpdate) {
  return bodyOf(updateAccount({ path: { id }, body }));
}

interface CurrencyFieldProps {
  readonly chosen: TermCurrency;
  readonly choose: (currency: TermCurrency) => void;
}

/** In which currency terms are changed. */
function CurrencyField({ chosen, choose }: CurrencyFieldProps) {
  const { texts } = useOperatorTexts();
  const { adjust, ownTerms } = texts.accounts;
  const options = termCurrencies.map((value) => ({ value, label: value }));
  return <SelectField label={adjust.currency} hint={ownTerms} options={options} value={chosen} onChange={choose} />;
}

/** Those of the account are of reais; those of another currency are under its name. */
function termsOf<Terms extends object>(currency: TermCurrency, terms: Terms): Terms | { readonly MXN: Terms } {
  return currency === 'BRL' ? terms : { MXN: terms };
}

/** Lower limits are in force at once; the server makes a proposal of higher ones. */
export function ChangeLimits({ account }: AccountProps) {
  const { texts } = useOperatorTexts();
  const { accounts } = texts;
  const { limits, noLimit } = accounts;
  const [currency, choose] = useState<TermCurrency>('BRL');
  const { per_payout_cents: perPayout, per_day_cents: perDay } = limitsIn(account, currency);
  const send = (typed: FormData) => {
    const wanted = {
      per_payout_cents: amountIn(typed, 'per_payout', currency),
      per_day_cents: amountIn(typed, 'per_day', currency),
    };
    return save(account, { payout_limits: termsOf(currency, wanted), reason: textIn(typed, 'reason') });
  };
  const field = { currency, hint: noLimit };
  return (
    <Change open={limits.open} title={limits.title} about={limits.about} confirm={limits.confirm} hasReason send={send}>
      <CurrencyField chosen={currency} choose={choose} />
      {/* What was typed in one currency is nothing in another. */}
      <Fragment key={currency}>
        <MoneyField name="per_payout" label={accounts.perPayout} now={perPayout} {...field} />
        <MoneyField name="per_day" label={accounts.perDay} now={perDay} {...field} />
      </Fragment>
    </Change>
  );
}

/** What the gateway keeps of a payment and of a payout. */
export function ChangeFees({ account }: AccountProps) {
  const { texts, language } = useOperatorTexts();
  const { accounts } = texts;
  const { feeChange } = accounts;
  const [currency, choose] = useState<TermCurrency>('BRL');
  const { deposit, payout } = feesIn(account, currency);
  const feeOf = (typed: FormData, name: string, now: Fee): Fee => ({
    fixed_cents: amountIn(typed, `${name}_fixed`, currency) ?? now.fixed_cents,
    bps: typedBps(textIn(typed, `${name}_percent`)) ?? now.bps,
  });
  const send = (typed: FormData) => {
    const fees = { deposit: feeOf(typed, 'deposit', deposit), payout: feeOf(typed, 'payout', payout) };
    return save(account, { fees: termsOf(currency, fees), reason: textIn(typed, 'reason') });
  };
  const example = feeChange.example(
    formatMoney(exampleCents, currency, language),
    feeText(deposit, currency, language),
  );
  return (
    <Change
      open={feeChange.open}
      title={feeChange.title}
      about={`${feeChange.about} ${example}`}
      confirm={feeChange.confirm}
      hasReason
      send={send}
    >
      <CurrencyField chosen={currency} choose={choose} />
      <Fragment key={currency}>
        <FeeFields name="deposit" label={accounts.fees.deposit} fee={deposit} currency={currency} />
        <FeeFields name="payout" label={accounts.fees.payout} fee={payout} currency={currency} />
      </Fragment>
    </Change>
  );
}

interface FeeFieldsProps {
  readonly name: string;
  readonly label: string;
  readonly fee: Fee;
  readonly currency: TermCurrency;
}

function FeeFields({ name, label, fee: { fixed_cents: fixed, bps }, currency }: FeeFieldsProps) {
  const { texts } = useOperatorTexts();
  const { accounts, changes } = texts;
  return (
    <>
      <MoneyField
        name={`${name}_fixed`}
        label={`${label}: ${accounts.fixed}`}
        currency={currency}
        now={fixed}
        required
      />
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
