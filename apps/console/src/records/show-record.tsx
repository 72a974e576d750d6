import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { backgroundHeaders, Refusal } from '#src/records/refusal.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './record-page.module.css';

interface ShowRecordProps<Answer> {
  readonly queryKey: readonly string[];
  /** @param headers of a reading that the page makes again by itself */
  readonly read: (signal: AbortSignal, headers: Record<string, string>) => Promise<Answer>;
  /** How often it is read again, for as long as it is under way. */
  readonly refetchMs?: (answer: Answer) => number | false;
  readonly heading: (answer: Answer) => ReactNode;
  /** What stands below the heading, as it was at this moment. */
  readonly children: (answer: Answer, now: Date) => ReactNode;
}

/** The page of a record: being loaded, failed, or what is known of it. What was read stays while it is read again. */
export function ShowRecord<Answer>({ queryKey, read, refetchMs, heading, children }: ShowRecordProps<Answer>) {
  const { texts } = useLanguage();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal, client }) => read(signal, backgroundHeaders(client.getQueryData(queryKey) !== undefined)),
    refetchInterval: ({ state }) => (state.data === undefined ? false : (refetchMs?.(state.data) ?? false)),
  });
  const failed = error ? <Failed error={error} retry={() => void refetch()} /> : null;
  if (data === undefined && failed === null) return <Skeleton lines={8} />;
  if (data === undefined) {
    return (
      <div className={styles['page']}>
        <title>{`${texts.facts.record} · ${texts.product}`}</title>
        <h1>{texts.facts.record}</h1>
        {error instanceof Refusal && error.status === 404 ? <Empty>{texts.states.notFound}</Empty> : failed}
      </div>
    );
  }
  return (
    <article className={styles['page']}>
      {heading(data)}
      {failed}
      {children(data, new Date(dataUpdatedAt))}
    </article>
  );
}
