import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useRefresh } from '#src/live/live.tsx';
import { PageName } from '#src/records/page-name.tsx';
import { Empty, Failed, PageSkeleton } from '#src/records/page-states.tsx';
import { backgroundHeaders, Refusal } from '#src/records/refusal.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './record-page.module.css';

interface ShowRecordProps<Answer> {
  readonly queryKey: readonly string[];
  /** @param headers of a reading that the page makes again by itself */
  readonly read: (signal: AbortSignal, headers: Record<string, string>) => Promise<Answer>;
  /** How often it is read again, for as long as it is under way. */
  readonly refetchMs?: (answer: Answer) => number | false;
  /** The events that change it, by what their names begin with: `deposit.`. It is read again in place. */
  readonly follows?: readonly string[];
  readonly heading: (answer: Answer) => ReactNode;
  /** What stands below the heading, as it was at this moment. */
  readonly children: (answer: Answer, now: Date) => ReactNode;
  /** What other services know of it, below all that: shown as well while the one that has the record does not answer. */
  readonly parts?: (answer: Answer | undefined) => ReactNode;
}

const nothing: readonly string[] = [];

/** How often a record is read again whose service does not answer. */
const awayRefetchMs = 3_000;

/**
 * The page of a record: being loaded, failed, or what is known of it. What was read stays while it is read again, which it
 * is by itself where its service does not answer.
 */
export function ShowRecord<Answer>(props: ShowRecordProps<Answer>) {
  const { queryKey, read, refetchMs, follows = nothing, heading, children, parts } = props;
  const { texts } = useLanguage();
  const query = useQuery({
    queryKey,
    queryFn: ({ signal, client }) => read(signal, backgroundHeaders(client.getQueryData(queryKey) !== undefined)),
    refetchInterval: ({ state }) => {
      if (isAway(state.error)) return awayRefetchMs;
      return state.data === undefined ? false : (refetchMs?.(state.data) ?? false);
    },
  });
  const { data, dataUpdatedAt, refetch } = query;
  useRefresh(follows, () => void refetch());
  // Known before the last try of it has failed.
  const error = query.error ?? (isAway(query.failureReason) ? query.failureReason : null);
  const failed = error ? <Failed error={error} retry={() => void refetch()} /> : null;
  if (data === undefined && failed === null) return <PageSkeleton />;
  if (data === undefined) {
    return (
      <div className={styles['page']}>
        <PageName tab={`${texts.facts.record} · ${texts.product}`}>{texts.facts.record}</PageName>
        {error instanceof Refusal && error.status === 404 ? <Empty>{texts.states.notFound}</Empty> : failed}
        {isAway(error) ? parts?.(undefined) : null}
      </div>
    );
  }
  return (
    <article className={styles['page']}>
      {heading(data)}
      {failed}
      {children(data, new Date(dataUpdatedAt))}
      {parts?.(data)}
    </article>
  );
}

/** Whether there was no answer of the record's service, which says nothing about the record. */
function isAway(error: unknown): boolean {
  return error instanceof Refusal && (error.isUnknown || error.status === 503);
}
