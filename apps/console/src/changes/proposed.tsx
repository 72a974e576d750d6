import { Link } from '@tanstack/react-router';
import { useOperatorTexts } from '#src/texts/operators.ts';

/** What follows from a proposal: another operator decides it, there. */
export function Proposed({ approvalId }: { readonly approvalId: string }) {
  const { texts } = useOperatorTexts();
  return (
    <p role="status">
      {texts.changes.proposed}{' '}
      <Link to="/approvals/$id" params={{ id: approvalId }}>
        {texts.changes.goTo}
      </Link>
    </p>
  );
}
