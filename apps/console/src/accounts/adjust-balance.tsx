import { useState } from 'react';
import { Change } from '#src/changes/change.tsx';
import { Chosen, MoneyField, ReferenceField, Selected } from '#src/changes/fields.tsx';
import { amountIn, oneOf, textIn } from '#src/changes/typed.ts';
import { createAdjustment } from '#src/generated/sdk.gen.ts';
import type { Account, Currency } from '#src/generated/types.gen.ts';
import { SelectField } from '#src/look/field.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

const currencies: readonly Currency[] = ['BRL', 'MXN', 'USDT'];
const directions = ['credit', 'debit'] as const;
const environments = ['live', 'test'] as const;

/** Proposes to credit or debit the available balance of an account. */
export function AdjustBalance({ account: { id } }: { readonly account: Account }) {
  const { texts } = useOperatorTexts();
  const { adjust } = texts.accounts;
  const [currency, choose] = useState<Currency>('BRL');
  const send = (typed: FormData) => {
    const amount = amountIn(typed, 'amount', currency) ?? 0;
    const isDebit = oneOf(typed, 'direction', directions) === 'debit';
    const body = {
      account_id: id,
      environment: oneOf(typed, 'environment', environments),
      currency,
      amount_cents: isDebit ? -amount : amount,
      reason: textIn(typed, 'reason'),
      external_id: textIn(typed, 'external_id'),
    };
    return bodyOf(createAdjustment({ body }));
  };
  return (
    <Change open={adjust.open} title={adjust.title} about={adjust.about} confirm={adjust.confirm} hasReason send={send}>
      <Chosen
        name="direction"
        label={adjust.direction}
        options={[
          { value: 'credit', label: adjust.credit },
          { value: 'debit', label: adjust.debit },
        ]}
      />
      <MoneyField name="amount" label={adjust.amount} currency={currency} required />
      <SelectField
        label={adjust.currency}
        options={currencies.map((value) => ({ value, label: value }))}
        value={currency}
        onChange={choose}
      />
      <Selected
        name="environment"
        label={adjust.environment}
        options={environments.map((value) => ({ value, label: texts.environment[value] }))}
        initial="live"
      />
      <ReferenceField name="external_id" label={adjust.externalId} hint={adjust.externalIdHint} />
    </Change>
  );
}
