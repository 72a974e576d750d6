import { useNavigate } from '@tanstack/react-router';
import { toneOf } from '#src/approvals/describe-approval.ts';
import type { ApprovalsQuery } from '#src/approvals/list-approvals.tsx';
import type { Approval } from '#src/generated/types.gen.ts';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { MoreFilters } from '#src/records/more-filters.tsx';
import { useSession } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

const states = Object.keys(toneOf) as Approval['state'][];

/** The filters of the list of approvals. */
export function ApprovalFilters({ query }: { readonly query: ApprovalsQuery }) {
  const { texts } = useOperatorTexts();
  const { approvals, facts } = texts;
  const { person } = useSession();
  const navigate = useNavigate({ from: '/approvals' });
  const filter = (change: { readonly [Name in keyof ApprovalsQuery]: ApprovalsQuery[Name] | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...change, cursor: undefined }) });
  return (
    <>
      <ListHead title={approvals.title}>
        <StateFilter
          states={states}
          words={approvals.state}
          chosen={query.state}
          onChoose={(state) => filter({ state })}
        />
        <StateFilter
          label={facts.kind}
          states={Object.keys(approvals.kinds) as Approval['kind'][]}
          words={approvals.kinds}
          chosen={query.kind}
          onChoose={(kind) => filter({ kind })}
        />
        <label>
          <input
            type="checkbox"
            checked={query.proposed_by === person.name}
            onChange={({ target }) => filter({ proposed_by: target.checked ? person.name : undefined })}
          />
          <span>{approvals.mine}</span>
        </label>
      </ListHead>
      <MoreFilters filters={[{ name: 'account_id', label: facts.account, kind: 'text' }]} query={{ ...query }} />
    </>
  );
}
