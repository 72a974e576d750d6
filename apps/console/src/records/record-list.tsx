import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { Pages } from '#src/records/pages.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import { formatClock } from '#src/texts/time.ts';

interface RecordListProps<Row> {
  /** Names the list; the filters of its address are a part of what is kept. */
  readonly name: string;
  readonly query: { readonly cursor?: string };
  readonly read: (
    signal: AbortSignal,
  ) => Promise<{ readonly data: readonly Row[]; readonly next_cursor: string | null }>;
  /** What stands in the place of no rows, which were looked for at this time. */
  readonly empty: (checkedAt: string) => string;
  /** The rows, as they were at this moment. */
  readonly children: (rows: readonly Row[], now: Date) => ReactNode;
}

/**
 * A page of a list: being loaded, empty, failed, or its rows with the way to the next page. Old rows stay while it is read. A
 * page without rows is the end of the list only where no other follows.
 */
export function RecordList<Row>({ name, query, read, empty, children }: RecordListProps<Row>) {
  const { texts, language } = useLanguage();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: [name, query],
    queryFn: ({ signal }) => read(signal),
  });
  const failed = error ? <Failed error={error} retry={() => void refetch()} /> : null;
  if (!data) return failed ?? <Skeleton lines={8} />;
  const now = new Date(dataUpdatedAt);
  const isLast = data.next_cursor === null;
  return (
    <>
      {failed}
      {data.data.length > 0 ? children(data.data, now) : null}
      {data.data.length === 0 ? (
        <Empty>{isLast ? empty(formatClock(now, language)) : texts.list.noneHere}</Empty>
      ) : null}
      <Pages older={data.next_cursor} isNewest={query.cursor === undefined} />
    </>
  );
}
