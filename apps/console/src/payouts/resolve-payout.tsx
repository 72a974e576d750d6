import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { resolvePayout } from '#src/generated/sdk.gen.ts';
import type { OperatorPayout, PayoutResolve } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { Choice, TextArea } from '#src/look/field.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface ResolvePayoutProps {
  readonly payout: OperatorPayout;
  readonly open: boolean;
  readonly onClose: () => void;
}

const evidenceLengthMax = 2_000;

/**
 * Proposes what became of a payout. Repeated after an unknown answer it is the same proposal: the server takes a second one
 * of the same person for the first.
 */
export function ResolvePayout({ payout, open, onClose }: ResolvePayoutProps) {
  const { texts, language } = useOperatorTexts();
  const { resolve } = texts.payouts;
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<PayoutResolve['outcome']>();
  const [evidence, setEvidence] = useState('');
  const propose = useMutation({
    mutationFn: (body: PayoutResolve) => bodyOf(resolvePayout({ path: { id: payout.id }, body })),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: ['payout', payout.id] }),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (outcome !== undefined && !propose.isPending) propose.mutate({ outcome, evidence });
  };
  const whole = formatMoney(payout.amount_cents + payout.fee_cents, payout.currency, language);
  const faults = propose.error instanceof Refusal ? propose.error.faults : {};
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={resolve.title}
      about={resolve.about(formatMoney(payout.amount_cents, payout.currency, language))}
    >
      <form onSubmit={submit}>
        <Choice
          label={resolve.outcome}
          name="outcome"
          value={outcome}
          onChange={setOutcome}
          options={[
            { value: 'paid', label: resolve.paid, about: resolve.paidAbout },
            { value: 'failed', label: resolve.failed, about: resolve.failedAbout(whole) },
          ]}
        />
        <TextArea
          label={resolve.evidence}
          hint={resolve.evidenceHint}
          fault={faults['evidence']}
          value={evidence}
          onChange={(event) => setEvidence(event.target.value)}
          maxLength={evidenceLengthMax}
          required
        />
        {propose.error ? <Failed error={propose.error} /> : null}
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" busy={propose.isPending}>
            {resolve.propose}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
