import { useNavigate } from '@tanstack/react-router';
import { toneOf } from '#src/approvals/describe-approval.ts';
import type { ApprovalsQuery } from '#src/approvals/list-approvals.tsx';
import type { Approval } from '#src/generated/types.gen.ts';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

const states = Object.keys(toneOf) as Approval['state'][];

/** The filters of the list of approvals. */
export function ApprovalFilters({ query }: { readonly query: ApprovalsQuery }) {
  const { texts } = useOperatorTexts();
  const { approvals } = texts;
  const navigate = useNavigate({ from: '/approvals' });
  return (
    <ListHead title={approvals.title}>
      <StateFilter
        states={states}
        words={approvals.state}
        chosen={query.state}
        onChoose={(state) => void navigate({ search: (now) => ({ ...now, state, cursor: undefined }) })}
      />
    </ListHead>
  );
}
