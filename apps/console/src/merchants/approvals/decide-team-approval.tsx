import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import {
  decideTeamApproval,
  movesMoney,
  type TeamAction,
  type TeamApproval,
  teamApprovalsKey,
} from '#src/merchants/approvals/team-approval.ts';
import styles from '#src/merchants/payments/payment-actions.module.css';
import { Failed } from '#src/records/page-states.tsx';
import { ReasonDialog } from '#src/records/reason-dialog.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface DecideProps {
  readonly approval: TeamApproval;
  readonly queryKey: readonly string[];
}

interface Decision {
  readonly action: TeamAction;
  readonly reason: string | null;
}

/** What the server offers this person to do with a proposal. */
export function DecideTeamApproval({ approval, queryKey }: DecideProps) {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { approvals } = texts;
  const queries = useQueryClient();
  const [isRefusing, setRefusing] = useState(false);
  const decide = useMutation({
    mutationFn: ({ action, reason }: Decision) => decideTeamApproval(action, approval, reason),
    onSuccess: () => setRefusing(false),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey });
      await queries.invalidateQueries({ queryKey: [teamApprovalsKey] });
    },
  });
  const { actions } = approval;
  const refusing = {
    mutate: (reason: string) => decide.mutate({ action: 'refuse', reason }),
    isPending: decide.isPending,
    error: decide.error,
  };
  if (actions.length === 0) return decide.error ? <Failed error={decide.error} /> : null;
  return (
    <section className={styles['actions']}>
      <div className={styles['buttons']}>
        {actions.includes('approve') ? (
          <Button
            look="primary"
            busy={decide.isPending}
            onClick={() => decide.mutate({ action: 'approve', reason: null })}
          >
            {(movesMoney(approval) ? approvals.approve : approvals.agree)[environment]}
          </Button>
        ) : null}
        {actions.includes('refuse') ? (
          <Button look="danger" onClick={() => setRefusing(true)}>
            {approvals.refuse.open}
          </Button>
        ) : null}
        {actions.includes('withdraw') ? (
          <Button
            look="danger"
            busy={decide.isPending}
            onClick={() => decide.mutate({ action: 'withdraw', reason: null })}
          >
            {approvals.withdraw}
          </Button>
        ) : null}
      </div>
      {decide.error && !isRefusing ? <Failed error={decide.error} /> : null}
      <ReasonDialog
        open={isRefusing}
        onClose={() => setRefusing(false)}
        title={approvals.refuse.title}
        about={approvals.refuse.about}
        confirm={approvals.refuse.confirm}
        decision={refusing}
      />
    </section>
  );
}
