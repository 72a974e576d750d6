import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FoundRecord } from '#src/generated/types.gen.ts';
import { hasPage, pageOf } from '#src/records/pages-of-records.ts';

interface RecordLinkProps {
  readonly kind: FoundRecord['kind'];
  readonly id: string;
  readonly children: ReactNode;
}

/** A link to the page of a record, where there is one. */
export function RecordLink({ kind, id, children }: RecordLinkProps) {
  if (!hasPage(kind)) return <span>{children}</span>;
  return (
    <Link to={pageOf[kind]} params={{ id }}>
      {children}
    </Link>
  );
}
