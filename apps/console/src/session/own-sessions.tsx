import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '#src/look/button.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import styles from '#src/records/record-page.module.css';
import { browserIn } from '#src/session/browser-in.ts';
import { endOtherSessions, readOwnSessions } from '#src/session/session-api.ts';
import { useLanguage } from '#src/texts/language.tsx';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const queryKey = ['own-sessions'] as const;

/** Where the person is signed in, and the end of all other sessions: of a laptop that was left somewhere. */
export function OwnSessions() {
  const { texts, language } = useLanguage();
  const { sessions } = texts.session;
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({ queryKey, queryFn: readOwnSessions });
  const end = useMutation({ mutationFn: endOtherSessions, onSettled: () => queries.invalidateQueries({ queryKey }) });
  const others = (data ?? []).filter(({ is_current: isCurrent }) => !isCurrent);
  return (
    <section className={styles['section']}>
      <h2>{sessions.title}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data ? (
        <RecordTable
          caption={sessions.title}
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            {
              heading: sessions.browser,
              show: ({ user_agent: agent }) => <span title={agent}>{browserIn(agent)}</span>,
            },
            { heading: sessions.address, show: ({ address }) => address },
            {
              heading: sessions.last,
              show: ({ is_current: isCurrent, last_seen_at: at }) =>
                isCurrent ? sessions.current : formatTime(fromUnix(at), language),
            },
          ]}
        />
      ) : null}
      {others.length === 0 ? null : (
        <p>
          <Button look="danger" busy={end.isPending} onClick={() => end.mutate()}>
            {sessions.endOthers}
          </Button>
        </p>
      )}
      <p role="status">{end.data === undefined ? '' : sessions.ended(end.data)}</p>
      {end.error ? <Failed error={end.error} /> : null}
    </section>
  );
}
