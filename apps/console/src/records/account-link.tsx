import { Link } from '@tanstack/react-router';
import { shortId } from '#src/records/short-id.ts';

/** The account that a record is of, by its name where that is known. */
export function AccountLink({ id, name = null }: { readonly id: string; readonly name?: string | null }) {
  return (
    <Link to="/accounts/$id" params={{ id }}>
      {name ?? <code title={id}>{shortId(id)}</code>}
    </Link>
  );
}
