import { Link } from '@tanstack/react-router';
import { pageOfRecord } from '#src/merchants/events/describe-event.ts';
import { shortId } from '#src/records/short-id.ts';

/** The record that an event is about, with a way to its page where it has one. */
export function RecordOfEvent({ id }: { readonly id: string }) {
  const page = pageOfRecord(id);
  const shown = <code title={id}>{shortId(id)}</code>;
  if (page === undefined) return shown;
  return (
    <Link to={page} params={{ id }}>
      {shown}
    </Link>
  );
}
