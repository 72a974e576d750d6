import { useQuery } from '@tanstack/react-query';
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
import { RefuseSelected } from '#src/records/refuse-selected.tsx';
import { type SelectedProposals, useDecisions } from '#src/records/use-decisions.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

/** What is done with several proposals of colleagues that are selected. */
export function DecideSelected(props: SelectedProposals<TeamApproval>) {
  const { texts } = useMerchantTexts();
  return (
    <div className={`${actions['buttons']} ${styles['selected']}`}>
      <Approve {...props} />
      <RefuseSelected
        {...props}
        words={texts.approvals.selection}
        refuse={(proposal, reason) => decideTeamApproval('refuse', proposal, reason)}
        show={(proposal, nth) => <Refused proposal={proposal} nth={nth} />}
      />
    </div>
  );
}

/** Approves them, after all of them were shown with their sum and their new recipients. */
function Approve(props: SelectedProposals<TeamApproval>) {
  const ids = props.proposals.map(({ id }) => id);
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { selection } = texts.approvals;
  const { isOpen, begin, close, send, decisions, sent } = useDecisions<TeamApproval>(
    'approved',
    props,
    ({ proposal }) => decideTeamApproval('approve', proposal, null),
  );
  const { data, error, refetch } = useQuery({
    queryKey: [teamApprovalsKey, 'selected', ids],
    // Who is new is known of a proposal that is read alone.
    queryFn: ({ signal }) => Promise.all(ids.map((id) => getTeamApproval(id, signal))),
    enabled: isOpen && ids.length > 0,
    placeholderData: (known) => known,
  });
  const shown = sent ?? data;
  const count = shown?.length ?? 0;
  return (
    <>
      {ids.length === 0 ? null : (
        <Button look="primary" onClick={begin}>
          {selection.approve(ids.length)}
        </Button>
      )}
      <DialogForm
        open={isOpen}
        onClose={close}
        title={selection.title(count)}
        about={selection.about}
        confirm={selection.confirm[environment](count)}
        sending={decisions}
        isComplete={count > 0}
        send={() => send(data ?? [], () => '')}
      >
        {error ? <Failed error={error} retry={() => void refetch()} /> : null}
        {shown || error ? null : <Skeleton lines={3} />}
        {shown ? <Proposals proposals={shown} /> : null}
      </DialogForm>
    </>
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

interface RefusedProps {
  readonly proposal: TeamApproval;
  readonly nth: number;
}

/** What it would move, and who proposed it and why. */
function Refused({ proposal: { kind, totals, proposed_by: by, reason }, nth }: RefusedProps) {
  const { texts } = useMerchantTexts();
  const { kinds, selection } = texts.approvals;
  return (
    <>
      <h3>
        {nth}. {kinds[kind](totals.reduce((sum, { count }) => sum + count, 0))}: <Totals totals={totals} />
      </h3>
      <p>{selection.proposed(by, reason)}</p>
    </>
  );
}
