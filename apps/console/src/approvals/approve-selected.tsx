import { useState } from 'react';
import { ApprovalChange } from '#src/approvals/show-approval.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { approveApproval } from '#src/generated/sdk.gen.ts';
import type { Approval } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { ReasonDialog } from '#src/records/reason-dialog.tsx';
import styles from '#src/records/record-list.module.css';
import { bodyOf } from '#src/records/refusal.ts';
import { useOneAfterOther } from '#src/records/use-one-after-other.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface ApproveSelectedProps {
  /** Those that wait for this operator and are selected. */
  readonly approvals: readonly Approval[];
  readonly onApproved: (id: string) => void;
}

interface Decision {
  readonly id: string;
  readonly reason: string;
}

/** Approves several proposals of others for one reason: each is shown as it would be carried out, and confirmed by itself. */
export function ApproveSelected({ approvals, onApproved }: ApproveSelectedProps) {
  const { texts } = useOperatorTexts();
  const { selection, kinds } = texts.approvals;
  const [isOpen, setOpen] = useState(false);
  const [sent, setSent] = useState<readonly Approval[]>([]);
  const approve = useOneAfterOther({
    act: ({ id, reason }: Decision) => bodyOf(approveApproval({ path: { id }, body: { reason } })),
    onDone: ({ id }) => onApproved(id),
  });
  const begin = () => {
    approve.reset();
    setOpen(true);
  };
  const send = (reason: string) => {
    setSent(approvals);
    const decisions = approvals.map(({ id }) => ({ id, reason }));
    approve.mutate(decisions, { onSuccess: () => setOpen(false) });
  };
  // Those that are done leave the selection one by one.
  const shown = approve.isPending ? sent : approvals;
  return (
    <div className={styles['selected']}>
      <Changes>
        {approvals.length === 0 ? null : (
          <Button look="primary" onClick={begin}>
            {selection.approve(approvals.length)}
          </Button>
        )}
        <p role="status">{approve.data === undefined ? '' : selection.approved(approve.data.length)}</p>
        <ReasonDialog
          open={isOpen}
          onClose={() => setOpen(false)}
          title={selection.approve(shown.length)}
          about={selection.about}
          confirm={selection.confirm(shown.length)}
          decision={{ ...approve, mutate: send }}
        >
          {shown.map((approval) => (
            <section key={approval.id} className={styles['proposal']}>
              <h3>{kinds[approval.kind]}</h3>
              <p>
                {approval.account_id === null ? null : <AccountLink id={approval.account_id} />}{' '}
                {approval.environment === null ? null : <EnvironmentBadge environment={approval.environment} />}
              </p>
              <p>{selection.proposed(approval.proposed_by, approval.reason)}</p>
              <ApprovalChange approval={approval} />
            </section>
          ))}
        </ReasonDialog>
      </Changes>
    </div>
  );
}
