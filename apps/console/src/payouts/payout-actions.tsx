import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { approvePayout, retryPayoutLookup } from '#src/generated/sdk.gen.ts';
import type { OperatorPayout } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { actionsOf } from '#src/payouts/describe-payout.ts';
import { RefusePayout } from '#src/payouts/refuse-payout.tsx';
import { ResolvePayout } from '#src/payouts/resolve-payout.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useSession } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import styles from './payout-actions.module.css';

/** What this person can do with the payout as it is. */
export function PayoutActions({ payout }: { readonly payout: OperatorPayout }) {
  const { texts } = useOperatorTexts();
  const { permissions } = useSession();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'refuse' | 'resolve'>();
  const { id } = payout;
  const settled = { onSettled: () => queries.invalidateQueries({ queryKey: ['payout', id] }) };
  const lookUp = useMutation({ mutationFn: () => bodyOf(retryPayoutLookup({ path: { id } })), ...settled });
  const approve = useMutation({ mutationFn: () => bodyOf(approvePayout({ path: { id } })), ...settled });
  const actions = actionsOf(payout, permissions);
  const isProposed = approve.data !== undefined && 'approval' in approve.data;
  const error = lookUp.error ?? approve.error;
  const buttons = {
    approve: (
      <Button key="approve" look="primary" busy={approve.isPending} onClick={() => approve.mutate()}>
        {texts.payouts.approve}
      </Button>
    ),
    refuse: (
      <Button key="refuse" look="danger" onClick={() => setOpen('refuse')}>
        {texts.payouts.refuse}
      </Button>
    ),
    'look-up': (
      <Button key="look-up" look="primary" busy={lookUp.isPending} onClick={() => lookUp.mutate()}>
        {texts.records.lookUp}
      </Button>
    ),
    resolve: (
      <Button key="resolve" onClick={() => setOpen('resolve')}>
        {texts.payouts.resolve.open}
      </Button>
    ),
  };
  return (
    <section className={styles['actions']}>
      {actions.length === 0 ? null : (
        <div className={styles['buttons']}>{actions.map((action) => buttons[action])}</div>
      )}
      <p role="status">
        {lookUp.isSuccess ? texts.records.lookedUp : isProposed ? texts.payouts.approvalProposed : ''}
      </p>
      {error ? <Failed error={error} /> : null}
      <RefusePayout payout={payout} open={open === 'refuse'} onClose={() => setOpen(undefined)} />
      <ResolvePayout payout={payout} open={open === 'resolve'} onClose={() => setOpen(undefined)} />
    </section>
  );
}
