import { type ReactNode, useState } from 'react';
import { ApprovalChange } from '#src/approvals/show-approval.tsx';
import { type SelectedApprovals, useDecisions } from '#src/approvals/use-decisions.ts';
import { Changes } from '#src/changes/changes.tsx';
import { approveApproval, refuseApproval } from '#src/generated/sdk.gen.ts';
import type { Approval } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { TextArea } from '#src/look/field.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { ReasonDialog, reasonLengthMax } from '#src/records/reason-dialog.tsx';
import styles from '#src/records/record-list.module.css';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

/** What is done with several proposals of others that are selected. */
export function DecideSelected(props: SelectedApprovals) {
  return (
    <div className={styles['selected']}>
      <Changes>
        <Approve {...props} />
        <Refuse {...props} />
      </Changes>
    </div>
  );
}

/** Approves them for one reason: each is shown as it would be carried out, and confirmed by itself. */
function Approve(props: SelectedApprovals) {
  const { texts } = useOperatorTexts();
  const { selection } = texts.approvals;
  const { isOpen, begin, close, send, decisions, shown } = useDecisions('approved', props, ({ id, reason }) =>
    bodyOf(approveApproval({ path: { id }, body: { reason } })),
  );
  return (
    <>
      {props.approvals.length === 0 ? null : (
        <Button look="primary" onClick={begin}>
          {selection.approve(props.approvals.length)}
        </Button>
      )}
      <ReasonDialog
        open={isOpen}
        onClose={close}
        title={selection.approve(shown.length)}
        about={selection.about}
        confirm={selection.confirm(shown.length)}
        decision={{ ...decisions, mutate: (reason) => send(() => reason) }}
      >
        {shown.map((approval) => (
          <Proposal key={approval.id} approval={approval} />
        ))}
      </ReasonDialog>
    </>
  );
}

/** Refuses them, each for a reason of its own, and each confirmed by itself. */
function Refuse(props: SelectedApprovals) {
  const { texts } = useOperatorTexts();
  const { selection } = texts.approvals;
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({});
  const reasonOf = (id: string) => reasons[id] ?? '';
  const { isOpen, begin, close, send, decisions, shown } = useDecisions('refused', props, ({ id, reason }) =>
    bodyOf(refuseApproval({ path: { id }, body: { reason } })),
  );
  return (
    <>
      {props.approvals.length === 0 ? null : (
        <Button onClick={begin}>{selection.refuse(props.approvals.length)}</Button>
      )}
      <DialogForm
        open={isOpen}
        onClose={close}
        title={selection.refuse(shown.length)}
        about={selection.refuseAbout}
        confirm={selection.confirmRefusal(shown.length)}
        sending={decisions}
        send={() => send(reasonOf)}
      >
        {shown.map((approval, index) => (
          <Proposal key={approval.id} approval={approval} nth={index + 1}>
            <TextArea
              label={`${index + 1}. ${texts.reasonFor}`}
              value={reasonOf(approval.id)}
              onChange={({ target }) => setReasons({ ...reasons, [approval.id]: target.value })}
              maxLength={reasonLengthMax}
              required
            />
          </Proposal>
        ))}
      </DialogForm>
    </>
  );
}

interface ProposalProps {
  readonly approval: Approval;
  /** Its place, where what belongs to it is named by that. */
  readonly nth?: number;
  readonly children?: ReactNode;
}

/** Whose it is, who proposed it and why, and what it changes. */
function Proposal({ approval, nth, children }: ProposalProps) {
  const { texts } = useOperatorTexts();
  const { selection, kinds } = texts.approvals;
  const { kind, account_id: accountId, environment, proposed_by: proposedBy, reason } = approval;
  return (
    <section className={styles['proposal']}>
      <h3>{nth === undefined ? kinds[kind] : `${nth}. ${kinds[kind]}`}</h3>
      <p>
        {accountId === null ? null : <AccountLink id={accountId} />}{' '}
        {environment === null ? null : <EnvironmentBadge environment={environment} />}
      </p>
      <p>{selection.proposed(proposedBy, reason)}</p>
      <ApprovalChange approval={approval} />
      {children}
    </section>
  );
}
