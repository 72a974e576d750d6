import type { ComponentProps } from 'react';
import { ResolveOutcome } from '#src/changes/resolve-outcome.tsx';
import { textIn } from '#src/changes/typed.ts';
import { resolveRefund } from '#src/generated/sdk.gen.ts';
import type { RefundResolve } from '#src/generated/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface ResolveReturnProps extends Pick<
  ComponentProps<typeof ResolveOutcome<RefundResolve['outcome']>>,
  'amount' | 'outcomes'
> {
  /** Of a refund, or of the receipt of an orphan. */
  readonly id: string;
}

const returnIdLengthMax = 64;

/** States what became of money on its way back to its payer. */
export function ResolveReturn({ id, amount, outcomes }: ResolveReturnProps) {
  const { texts } = useOperatorTexts();
  const { records, refunds } = texts;
  return (
    <ResolveOutcome
      amount={amount}
      outcomes={outcomes}
      send={({ outcome, evidence }, typed) => {
        const returnId = textIn(typed, 'return_id');
        const named = outcome === 'done' && returnId !== '' ? { return_id: returnId } : {};
        return bodyOf(resolveRefund({ path: { id }, body: { outcome, evidence, ...named } }));
      }}
    >
      <TextField
        name="return_id"
        label={records.returnId}
        hint={refunds.resolve.returnIdHint}
        maxLength={returnIdLengthMax}
        autoComplete="off"
      />
    </ResolveOutcome>
  );
}
