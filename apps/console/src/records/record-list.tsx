import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { useHints } from '#src/live/live.tsx';
import { ListName } from '#src/records/list-view.tsx';
import { Empty, Failed, Incomplete, Skeleton } from '#src/records/page-states.tsx';
import { Pages } from '#src/records/pages.tsx';
import { SidePanel } from '#src/records/side-panel.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import { formatClock } from '#src/texts/time.ts';
import styles from './record-list.module.css';

interface RecordListProps<Row> {
  /** Names the list; the filters of its address are a part of what is kept. */
  readonly name: string;
  readonly query: { readonly cursor?: string };
  /** The events that change it, by what their names begin with: `deposit.`. */
  readonly follows?: readonly string[];
  readonly read: (signal: AbortSignal) => Promise<{
    readonly data: readonly Row[];
    readonly next_cursor: string | null;
    /** Services that did not answer, of a list that several have a part of. */
    readonly incomplete?: readonly string[];
  }>;
  /** What stands in the place of no rows, which were looked for at this time. */
  readonly empty: (checkedAt: string) => string;
  /** The rows, as they were at this moment. */
  readonly children: (rows: readonly Row[], now: Date) => ReactNode;
}

/** A list of which nothing is known to have changed. */
const nothingMissed = { count: 0, isKnown: true };
const nothing: readonly string[] = [];

/**
 * A page of a list: being loaded, empty, failed, or its rows with the way to the next page. Old rows stay while it is read, and it is
 * read again when its reader asks for that, so that no row moves under the hand. A page without rows is the end of the list only where no other follows.
 */
export function RecordList<Row>({ name, query, follows = nothing, read, empty, children }: RecordListProps<Row>) {
  const { texts, language } = useLanguage();
  const { data, error, dataUpdatedAt, refetch, isFetching } = useQuery({
    queryKey: [name, query],
    queryFn: ({ signal }) => read(signal),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const [missed, miss] = useState(nothingMissed);
  // What happens while it is read may not be in it.
  useEffect(() => {
    if (isFetching) miss(nothingMissed);
  }, [isFetching]);
  useHints(query.cursor === undefined ? follows : nothing, (hint) =>
    miss(({ count, isKnown }) => ({ count: count + (hint?.count ?? 0), isKnown: isKnown && hint !== undefined })),
  );
  const failed = error ? <Failed error={error} retry={() => void refetch()} /> : null;
  if (!data) return failed ?? <Skeleton lines={8} />;
  const now = new Date(dataUpdatedAt);
  const isLast = data.next_cursor === null;
  return (
    <>
      {failed}
      {missed === nothingMissed ? null : (
        <div className={styles['missed']} role="status">
          <Button onClick={() => void refetch()}>
            {missed.isKnown ? texts.live.changes(missed.count) : texts.live.maybe}
          </Button>
        </div>
      )}
      {data.incomplete ? <Incomplete services={data.incomplete} /> : null}
      {data.data.length > 0 ? <ListName value={name}>{children(data.data, now)}</ListName> : null}
      {data.data.length === 0 ? (
        <Empty>{isLast ? empty(formatClock(now, language)) : texts.list.noneHere}</Empty>
      ) : null}
      <SidePanel />
      <Pages older={data.next_cursor} isNewest={query.cursor === undefined} />
    </>
  );
}
