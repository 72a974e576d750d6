import { Change } from '#src/changes/change.tsx';
import { Chosen, MoneyField } from '#src/changes/fields.tsx';
import { amountIn, oneOf, textIn } from '#src/changes/typed.ts';
import { changedSettings } from '#src/accounts/describe-account.ts';
import { updateAccount } from '#src/generated/sdk.gen.ts';
import type { Account } from '#src/generated/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface AccountProps {
  readonly account: Account;
}

const nameLengthMax = 120;
const retentionDaysMax = 365;

/** Name, document, retention and rate: what is as it was is not sent, so that it takes no second operator. */
export function ChangeDetails({ account }: AccountProps) {
  const { texts } = useOperatorTexts();
  const { accounts } = texts;
  const { details, create } = accounts;
  const { per_second: perSecond, burst } = account.rate_limit;
  const send = (typed: FormData) => {
    const wanted = {
      name: textIn(typed, 'name'),
      document: textIn(typed, 'document') || null,
      retention_days: Number(textIn(typed, 'retention')),
      rate_limit: { per_second: Number(textIn(typed, 'per_second')), burst: Number(textIn(typed, 'burst')) },
    };
    const body = { ...changedSettings(account, wanted), reason: textIn(typed, 'reason') };
    return bodyOf(updateAccount({ path: { id: account.id }, body }));
  };
  const number = { type: 'number', required: true } as const;
  return (
    <Change
      open={details.open}
      title={details.title}
      about={details.about}
      confirm={details.confirm}
      hasReason
      send={send}
    >
      <TextField
        name="name"
        label={accounts.name}
        defaultValue={account.name}
        maxLength={nameLengthMax}
        autoComplete="off"
        required
      />
      <TextField name="document" label={create.document} defaultValue={account.document ?? ''} autoComplete="off" />
      <TextField
        name="retention"
        label={details.retention}
        defaultValue={String(account.retention_days)}
        min={0}
        max={retentionDaysMax}
        {...number}
      />
      <TextField name="per_second" label={details.perSecond} defaultValue={String(perSecond)} min={1} {...number} />
      <TextField name="burst" label={details.burst} defaultValue={String(burst)} min={1} {...number} />
    </Change>
  );
}

const choices = ['all', 'over', 'none'] as const;

/** From which amount on two of the account's people decide; letting one decide more takes two operators. */
export function ChangeTeam({ account }: AccountProps) {
  const { texts } = useOperatorTexts();
  const { accounts } = texts;
  const { teamChange: words } = accounts;
  const { team_approval_over_cents: over } = account;
  const send = (typed: FormData) => {
    const chosen = oneOf(typed, 'team', choices);
    const amounts = { all: 0, over: amountIn(typed, 'over', 'BRL') ?? 0, none: null };
    const body = { team_approval_over_cents: amounts[chosen], reason: textIn(typed, 'reason') };
    return bodyOf(updateAccount({ path: { id: account.id }, body }));
  };
  return (
    <Change open={words.open} title={words.title} about={words.about} confirm={words.confirm} hasReason send={send}>
      <Chosen
        name="team"
        label={accounts.team}
        options={choices.map((value) => ({ value, label: words.options[value] }))}
        initial={over === null ? 'none' : over === 0 ? 'all' : 'over'}
      />
      <MoneyField
        name="over"
        label={words.amount}
        currency="BRL"
        now={over === 0 ? null : over}
        hint={words.amountHint}
      />
    </Change>
  );
}
