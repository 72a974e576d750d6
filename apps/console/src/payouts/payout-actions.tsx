import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ResolveOutcome } from '#src/changes/resolve-outcome.tsx';
import { approvePayout, resolvePayout, retryPayoutLookup } from '#src/generated/sdk.gen.ts';
import type { OperatorPayout } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { actionsOf } from '#src/payouts/describe-payout.ts';
import { RefusePayout } from '#src/payouts/refuse-payout.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useSession } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import styles from './payout-actions.module.css';

/** What this person can do with the payout as it is. */
export function PayoutActions({ payout }: { readonly payout: OperatorPayout }) {
  const { texts, language } = useOperatorTexts();
  const { permissions } = useSession();
  const queries = useQueryClient();
  const [isRefusing, setRefusing] = useState(false);
  const { id, amount_cents: amount, fee_cents: fee, currency } = payout;
  const { resolve } = texts.payouts;
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
      <Button key="refuse" look="danger" onClick={() => setRefusing(true)}>
        {texts.payouts.refuse}
      </Button>
    ),
    'look-up': (
      <Button key="look-up" look="primary" busy={lookUp.isPending} onClick={() => lookUp.mutate()}>
        {texts.records.lookUp}
      </Button>
    ),
    resolve: (
      <ResolveOutcome
        key="resolve"
        amount={formatMoney(amount, currency, language)}
        outcomes={[
          { value: 'paid', label: resolve.paid, about: resolve.paidAbout },
          {
            value: 'failed',
            label: resolve.failed,
            about: resolve.failedAbout(formatMoney(amount + fee, currency, language)),
          },
        ]}
        send={(body) => bodyOf(resolvePayout({ path: { id }, body }))}
      />
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
      <RefusePayout payout={payout} open={isRefusing} onClose={() => setRefusing(false)} />
    </section>
  );
}
