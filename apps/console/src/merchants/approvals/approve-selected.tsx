import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { Status } from '#src/look/status.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import {
  decideTeamApproval,
  getTeamApproval,
  sumOfTotals,
  type TeamApproval,
  teamApprovalsKey,
} from '#src/merchants/approvals/team-approval.ts';
import { Totals } from '#src/merchants/approvals/totals.tsx';
import actions from '#src/merchants/payments/payment-actions.module.css';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-list.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { useOneAfterOther } from '#src/records/use-one-after-other.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface ApproveSelectedProps {
  readonly ids: readonly string[];
  readonly onApproved: (id: string) => void;
}

/** Approves several proposals of colleagues, after all of them were shown with their sum and their new recipients. */
export function ApproveSelected({ ids, onApproved }: ApproveSelectedProps) {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { selection } = texts.approvals;
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [teamApprovalsKey, 'selected', ids],
    // Who is new is known of a proposal that is read alone.
    queryFn: ({ signal }) => Promise.all(ids.map((id) => getTeamApproval(id, signal))),
    enabled: isOpen && ids.length > 0,
    placeholderData: (known) => known,
  });
  const approve = useOneAfterOther({
    act: (proposal: TeamApproval) => decideTeamApproval('approve', proposal, null),
    onDone: ({ id }) => onApproved(id),
    queryKey: [teamApprovalsKey],
  });
  const begin = () => {
    approve.reset();
    setOpen(true);
  };
  const proposals = data ?? [];
  return (
    <div className={`${actions['buttons']} ${styles['selected']}`}>
      {ids.length === 0 ? null : (
        <Button look="primary" onClick={begin}>
          {selection.open(ids.length)}
        </Button>
      )}
      <p role="status">{approve.data === undefined ? '' : selection.approved(approve.data.length)}</p>
      <DialogForm
        open={isOpen}
        onClose={() => setOpen(false)}
        title={selection.title(proposals.length)}
        about={selection.about}
        confirm={selection.confirm[environment](proposals.length)}
        sending={approve}
        isComplete={proposals.length > 0}
        send={() => approve.mutate(proposals, { onSuccess: () => setOpen(false) })}
      >
        {error ? <Failed error={error} retry={() => void refetch()} /> : null}
        {data || error ? null : <Skeleton lines={3} />}
        {data ? <Proposals proposals={data} /> : null}
      </DialogForm>
    </div>
  );
}

/** Each with who proposed it and what it moves, and what all of them add up to. */
function Proposals({ proposals }: { readonly proposals: readonly TeamApproval[] }) {
  const { texts } = useMerchantTexts();
  const { approvals, facts } = texts;
  return (
    <>
      <RecordTable
        caption={approvals.title}
        rows={proposals}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: facts.record,
            show: ({ kind, totals, new_recipients: fresh = [] }) => (
              <>
                {approvals.kinds[kind](totals.reduce((sum, { count }) => sum + count, 0))}{' '}
                {fresh.length > 0 ? <Status tone="info" word={approvals.selection.fresh(fresh.length)} /> : null}
              </>
            ),
          },
          { heading: approvals.proposer, show: ({ proposed_by: by }) => by },
          { heading: facts.amount, align: 'right', show: ({ totals }) => <Totals totals={totals} /> },
        ]}
      />
      <p>
        {approvals.selection.sum} <Totals totals={sumOfTotals(proposals)} />
      </p>
    </>
  );
}
