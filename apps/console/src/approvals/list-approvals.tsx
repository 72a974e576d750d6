import { Link } from '@tanstack/react-router';
import { DecideSelected } from '#src/approvals/decide-selected.tsx';
import { isDecidedTogether, toneOf } from '#src/approvals/describe-approval.ts';
import { WaitingPayouts } from '#src/approvals/waiting-payouts.tsx';
import { listApprovals } from '#src/generated/sdk.gen.ts';
import type { Approval, ListApprovalsData } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import lists from '#src/records/record-list.module.css';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable, type Selection } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { useDecided } from '#src/records/use-decisions.ts';
import { useSelected } from '#src/records/use-selected.ts';
import { useSession } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, fromUnix } from '#src/texts/time.ts';

export type ApprovalsQuery = NonNullable<ListApprovalsData['query']>;

/** What operators proposed, newest first. */
export function ListApprovals({ query }: { readonly query: ApprovalsQuery }) {
  const { texts } = useOperatorTexts();
  const { approvals } = texts;
  const session = useSession();
  const { ids, forget, selection } = useSelected<Approval>((each) => isDecidedTogether(each, session));
  const { done, onBegin, onDecided } = useDecided(forget);
  return (
    <>
      {/* What was done is there also where nothing is left in the list. */}
      <p role="status" className={lists['done']}>
        {done && done.count > 0 ? approvals.selection[done.how](done.count) : ''}
      </p>
      <RecordList
        name="approvals"
        query={query}
        read={(signal) => bodyOf(listApprovals({ query, signal }))}
        empty={() => (query.state === 'PROPOSED' ? approvals.empty : approvals.emptyDecided)}
      >
        {(rows, now) => (
          <>
            <DecideSelected
              proposals={rows.filter((each) => ids.includes(each.id) && selection.isOffered(each))}
              onBegin={onBegin}
              onDecided={onDecided}
            />
            <ApprovalTable rows={rows} now={now} selection={selection} />
          </>
        )}
      </RecordList>
      {isOfAll(query) ? <WaitingPayouts accountId={query.account_id} /> : null}
    </>
  );
}

/** Whether the list is of everything that waits, of one account or of all. */
function isOfAll({ state, kind, proposed_by: proposer, cursor }: ApprovalsQuery): boolean {
  return state === 'PROPOSED' && [kind, proposer, cursor].every((value) => value === undefined);
}

interface ApprovalTableProps {
  readonly rows: readonly Approval[];
  readonly now: Date;
  readonly selection: Selection<Approval>;
}

function ApprovalTable({ rows, now, selection }: ApprovalTableProps) {
  const { texts, language } = useOperatorTexts();
  const { approvals, facts } = texts;
  return (
    <RecordTable
      caption={approvals.title}
      rows={rows}
      keyOf={({ id }) => id}
      selection={selection}
      columns={[
        {
          heading: facts.record,
          show: ({ id, kind }) => (
            <Link to="/approvals/$id" params={{ id }}>
              {approvals.kinds[kind]}
            </Link>
          ),
        },
        {
          heading: facts.status,
          show: ({ state }) => <Status tone={toneOf[state]} word={approvals.state[state]} />,
        },
        {
          heading: facts.account,
          show: ({ account_id: id }) => (id === null ? '–' : <AccountLink id={id} />),
        },
        { heading: approvals.target, show: ({ target }) => <code title={target}>{shortId(target)}</code> },
        { heading: approvals.reason, show: ({ reason }) => reason ?? '–' },
        {
          heading: approvals.proposed,
          show: ({ proposed_by: by, created_at: at }) =>
            approvals.proposedBy(by, formatAge(fromUnix(at), now, language)),
        },
      ]}
    />
  );
}
