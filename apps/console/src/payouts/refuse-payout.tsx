import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refusePayout } from '#src/generated/sdk.gen.ts';
import type { OperatorPayout } from '#src/generated/types.gen.ts';
import { formatMoney } from '#src/money/format-money.ts';
import { ReasonDialog } from '#src/records/reason-dialog.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface RefusePayoutProps {
  readonly payout: OperatorPayout;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Refuses a payout that waits, with a reason that only operators see. */
export function RefusePayout({ payout, open, onClose }: RefusePayoutProps) {
  const { texts, language } = useOperatorTexts();
  const { refusal } = texts.payouts;
  const queries = useQueryClient();
  const refuse = useMutation({
    mutationFn: (reason: string) => bodyOf(refusePayout({ path: { id: payout.id }, body: { reason } })),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: ['payout', payout.id] }),
  });
  const whole = formatMoney(payout.amount_cents + payout.fee_cents, payout.currency, language);
  return (
    <ReasonDialog
      open={open}
      onClose={onClose}
      title={refusal.title}
      about={refusal.about(whole)}
      confirm={refusal.confirm}
      decision={refuse}
    />
  );
}
