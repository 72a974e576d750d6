import type { Environment } from '#src/generated/types.gen.ts';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import type { KindWithPage } from '#src/records/pages-of-records.ts';
import { RecordLink } from '#src/records/record-link.tsx';
import { shortId } from '#src/records/short-id.ts';

interface RecordNameProps {
  readonly kind: KindWithPage;
  readonly id: string;
  readonly environment: Environment;
}

/** The first cell of a row: what names the record, leads to it, and whether it is real money. */
export function RecordName({ kind, id, environment }: RecordNameProps) {
  return (
    <>
      <RecordLink kind={kind} id={id}>
        <code title={id}>{shortId(id)}</code>
      </RecordLink>{' '}
      <EnvironmentBadge environment={environment} />
    </>
  );
}
