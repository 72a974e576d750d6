import { ApprovalChange } from '#src/approvals/show-approval.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { approveApproval, refuseApproval } from '#src/generated/sdk.gen.ts';
import type { Approval } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { ReasonDialog } from '#src/records/reason-dialog.tsx';
import styles from '#src/records/record-list.module.css';
import { bodyOf } from '#src/records/refusal.ts';
import { RefuseSelected } from '#src/records/refuse-selected.tsx';
import { type SelectedProposals, useDecisions } from '#src/records/use-decisions.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

/** What is done with several proposals of other operators that are selected. */
export function DecideSelected(props: SelectedProposals<Approval>) {
  const { texts } = useOperatorTexts();
  return (
    <div className={styles['selected']}>
      <Changes>
        <Approve {...props} />
        <RefuseSelected
          {...props}
          words={texts.approvals.selection}
          refuse={({ id }, reason) => bodyOf(refuseApproval({ path: { id }, body: { reason } }))}
          show={(approval, nth) => <Proposal approval={approval} nth={nth} />}
        />
      </Changes>
    </div>
  );
}

/** Approves them for one reason: each is shown as it would be carried out, and confirmed by itself. */
function Approve(props: SelectedProposals<Approval>) {
  const { proposals } = props;
  const { texts } = useOperatorTexts();
  const { selection } = texts.approvals;
  const { isOpen, begin, close, send, decisions, sent } = useDecisions<Approval>(
    'approved',
    props,
    ({ proposal: { id }, reason }) => bodyOf(approveApproval({ path: { id }, body: { reason } })),
  );
  const shown = sent ?? proposals;
  return (
    <>
      {proposals.length === 0 ? null : (
        <Button look="primary" onClick={begin}>
          {selection.approve(proposals.length)}
        </Button>
      )}
      <ReasonDialog
        open={isOpen}
        onClose={close}
        title={selection.confirm(shown.length)}
        about={selection.about}
        confirm={selection.confirm(shown.length)}
        decision={{ ...decisions, mutate: (reason) => send(proposals, () => reason) }}
      >
        {shown.map((approval) => (
          <section key={approval.id} className={styles['proposal']}>
            <Proposal approval={approval} />
          </section>
        ))}
      </ReasonDialog>
    </>
  );
}

interface ProposalProps {
  readonly approval: Approval;
  /** Its place, where what belongs to it is named by that. */
  readonly nth?: number;
}

/** Whose it is, who proposed it and why, and what it changes. */
function Proposal({ approval, nth }: ProposalProps) {
  const { texts } = useOperatorTexts();
  const { selection, kinds } = texts.approvals;
  const { kind, account_id: accountId, environment, proposed_by: proposedBy, reason } = approval;
  return (
    <>
      <h3>{nth === undefined ? kinds[kind] : `${nth}. ${kinds[kind]}`}</h3>
      <p>
        {accountId === null ? null : <AccountLink id={accountId} />}{' '}
        {environment === null ? null : <EnvironmentBadge environment={environment} />}
      </p>
      <p>{selection.proposed(proposedBy, reason)}</p>
      <ApprovalChange approval={approval} />
    </>
  );
}
