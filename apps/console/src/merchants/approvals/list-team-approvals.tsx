import { Link } from '@tanstack/react-router';
import { DecideSelected } from '#src/merchants/approvals/decide-selected.tsx';
import {
  listTeamApprovals,
  movesMoney,
  type TeamApproval,
  type TeamApprovalsQuery,
  type TeamApprovalState,
  teamApprovalsKey,
  toneOf,
} from '#src/merchants/approvals/team-approval.ts';
import { Totals } from '#src/merchants/approvals/totals.tsx';
import { Status } from '#src/look/status.tsx';
import { useFilter } from '#src/merchants/list-filters.tsx';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import lists from '#src/records/record-list.module.css';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { useDecided } from '#src/records/use-decisions.ts';
import { useSelected } from '#src/records/use-selected.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatAge, fromUnix } from '#src/texts/time.ts';

/** What people of the account proposed to each other, newest first. */
export function ListTeamApprovals({ query }: { readonly query: TeamApprovalsQuery }) {
  const { texts, language } = useMerchantTexts();
  const { approvals, facts } = texts;
  const filter = useFilter();
  const { forget, selection } = useSelected<TeamApproval>(
    (each) => movesMoney(each) && each.actions.includes('approve'),
  );
  const { done, onBegin, onDecided } = useDecided(forget);
  return (
    <div>
      <ListHead title={approvals.title}>
        <StateFilter
          states={Object.keys(toneOf) as TeamApprovalState[]}
          words={approvals.state}
          chosen={query.state}
          onChoose={(state) => filter({ state })}
        />
      </ListHead>
      {/* What was done is there also where nothing is left in the list. */}
      <p role="status" className={lists['done']}>
        {done && done.count > 0 ? approvals.selection[done.how](done.count) : ''}
      </p>
      <RecordList
        name={teamApprovalsKey}
        query={query}
        read={(signal) => listTeamApprovals(query, signal)}
        empty={() => (query.state === 'PROPOSED' ? approvals.nothing : texts.records.empty)}
      >
        {(rows, now) => (
          <>
            <DecideSelected
              proposals={rows.filter((row) => selection.isSelected(row) && selection.isOffered(row))}
              onBegin={onBegin}
              onDecided={onDecided}
            />
            <RecordTable
              caption={approvals.title}
              rows={rows}
              keyOf={({ id }) => id}
              selection={selection}
              columns={[
                {
                  heading: facts.record,
                  show: ({ id, kind, totals }) => (
                    <Link to="/approvals/$id" params={{ id }}>
                      {approvals.kinds[kind](totals.reduce((sum, { count }) => sum + count, 0))}
                    </Link>
                  ),
                },
                {
                  heading: facts.status,
                  show: ({ state }) => <Status tone={toneOf[state]} word={approvals.state[state]} />,
                },
                { heading: facts.amount, align: 'right', show: ({ totals }) => <Totals totals={totals} /> },
                {
                  heading: facts.created,
                  show: ({ proposed_by: by, created_at: at }) =>
                    approvals.proposedBy(by, formatAge(fromUnix(at), now, language)),
                },
              ]}
            />
          </>
        )}
      </RecordList>
    </div>
  );
}
