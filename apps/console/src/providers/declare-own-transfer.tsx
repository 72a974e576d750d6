import { Change } from '#src/changes/change.tsx';
import { Chosen, MoneyField } from '#src/changes/fields.tsx';
import { amountIn, oneOf, textIn } from '#src/changes/typed.ts';
import { createOwnTransfer } from '#src/generated/sdk.gen.ts';
import type { Currency, Provider } from '#src/generated/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

const directions = ['in', 'out'] as const;
/** Of a line that the statement has, or of what it will say. */
const knownBy = ['reference', 'line'] as const;
const lengthMax = 77;

interface DeclareProps {
  readonly provider: Provider;
  readonly currency: Currency;
}

/** Proposes that a transfer of our own money is booked, for another operator to approve. */
export function DeclareOwnTransfer({ provider: { id }, currency }: DeclareProps) {
  const { texts } = useOperatorTexts();
  const { ownTransfer: words, providers, facts } = texts;
  const send = (typed: FormData) => {
    const amount = amountIn(typed, 'amount', currency) ?? 0;
    const name = textIn(typed, 'name');
    const named = oneOf(typed, 'by', knownBy) === 'line' ? { line_id: name } : { reference: name };
    const amount_cents = oneOf(typed, 'direction', directions) === 'out' ? -amount : amount;
    return bodyOf(
      createOwnTransfer({ body: { provider: id, currency, amount_cents, ...named, reason: textIn(typed, 'reason') } }),
    );
  };
  return (
    <Change
      open={`${words.open} ${currency}`}
      title={words.title}
      about={words.about}
      confirm={providers.changeFunds.confirm}
      hasReason
      send={send}
    >
      <Chosen
        name="direction"
        label={words.direction}
        options={[
          { value: 'in', label: words.in },
          { value: 'out', label: words.out },
        ]}
      />
      <MoneyField name="amount" label={facts.amount} currency={currency} required />
      <Chosen
        name="by"
        label={words.by}
        options={knownBy.map((value) => ({ value, label: words.knownBy[value] }))}
        initial="reference"
      />
      <TextField
        name="name"
        label={words.name}
        hint={words.nameHint}
        maxLength={lengthMax}
        autoComplete="off"
        required
      />
    </Change>
  );
}
