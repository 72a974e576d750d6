import type { Environment } from '#src/generated/types.gen.ts';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import type { KindWithPage } from '#src/records/pages-of-records.ts';
import { RecordLink } from '#src/records/record-link.tsx';
import { shortId } from '#src/records/short-id.ts';

interface RecordNameProps {
  readonly kind: KindWithPage;
  readonly id: string;
  /** Left out where it is that of the page. */
  readonly environment?: Environment;
}

/** What names a record and leads to it; in a list also whether it is real money. */
export function RecordName({ kind, id, environment }: RecordNameProps) {
  const link = (
    <RecordLink kind={kind} id={id}>
      <code title={id}>{shortId(id)}</code>
    </RecordLink>
  );
  if (environment === undefined) return link;
  return (
    <>
      {link} <EnvironmentBadge environment={environment} />
    </>
  );
}
