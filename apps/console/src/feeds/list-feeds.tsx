import { useQuery } from '@tanstack/react-query';
import { Act } from '#src/changes/act.tsx';
import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { textIn } from '#src/changes/typed.ts';
import { SkipFeed } from '#src/feeds/skip-feed.tsx';
import { dismissUnreadItem, listFeeds, listUnreadItems, retryUnreadItem } from '#src/generated/sdk.gen.ts';
import type { Feed, ListUnreadItemsData, UnreadItem } from '#src/generated/types.gen.ts';
import { Status, type Tone } from '#src/look/status.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, formatTime } from '#src/texts/time.ts';

export type UnreadQuery = NonNullable<ListUnreadItemsData['query']>;

const refetchMs = 15_000;
const feedsKey = ['feeds'] as const;

const itemToneOf: Readonly<Record<UnreadItem['state'], Tone>> = {
  WAITING: 'wait',
  UNREADABLE: 'bad',
  UNCONFIRMED: 'bad',
  FOREIGN: 'info',
  DISMISSED: 'neutral',
};

/** What is read from providers, how far each list is read, and what of it could not be. */
export function ListFeeds({ query }: { readonly query: UnreadQuery }) {
  const { texts } = useOperatorTexts();
  const { feeds } = texts;
  return (
    <div className={styles['page']}>
      <ListHead title={feeds.title}>{null}</ListHead>
      <section className={styles['section']}>
        <h2>{feeds.unread}</h2>
        <RecordList
          name="unread-items"
          query={query}
          read={(signal) => bodyOf(listUnreadItems({ query, signal }))}
          empty={feeds.unreadNone}
        >
          {(rows) => <UnreadTable rows={rows} />}
        </RecordList>
      </section>
      <Feeds />
    </div>
  );
}

function UnreadTable({ rows }: { readonly rows: readonly UnreadItem[] }) {
  const { texts, language } = useOperatorTexts();
  const { feeds, facts, records } = texts;
  return (
    <RecordTable
      caption={feeds.unread}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: feeds.item,
          show: ({ key, environment }) => (
            <>
              <code>{key}</code> <EnvironmentBadge environment={environment} />
            </>
          ),
        },
        {
          heading: facts.status,
          show: ({ state }) => <Status tone={itemToneOf[state]} word={feeds.itemState[state]} />,
        },
        { heading: feeds.feed, inCards: 'folded', show: ({ provider, feed }) => `${provider} · ${feed}` },
        { heading: feeds.cause, show: ({ cause }) => cause ?? '–' },
        { heading: feeds.raw, inCards: 'folded', show: ({ raw }) => (raw === null ? '–' : <code>{raw}</code>) },
        { heading: records.attempts, align: 'right', show: ({ attempts }) => attempts },
        { heading: feeds.firstSeen, show: ({ first_seen: at }) => formatTime(new Date(at), language) },
        {
          heading: texts.changes.action,
          show: (item) => (item.state === 'DISMISSED' ? '–' : <DecideItem item={item} />),
        },
      ]}
    />
  );
}

/** Tries an item at once, which changes nothing of what was applied, or proposes that it is of no consequence. */
function DecideItem({ item: { id } }: { readonly item: UnreadItem }) {
  const { texts } = useOperatorTexts();
  const { dismiss, retry } = texts.feeds;
  const may = useMay();
  const path = { id };
  return (
    <Changes>
      {may('operations:write') ? <Act label={retry} send={() => bodyOf(retryUnreadItem({ path }))} /> : null}
      {may('money:propose') ? (
        <Change
          open={dismiss.open}
          title={dismiss.title}
          about={dismiss.about}
          confirm={dismiss.confirm}
          hasReason
          send={(typed) => bodyOf(dismissUnreadItem({ path, body: { reason: textIn(typed, 'reason') } }))}
        />
      ) : null}
    </Changes>
  );
}

function Feeds() {
  const { texts } = useOperatorTexts();
  const { feeds } = texts;
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: feedsKey,
    queryFn: ({ signal, client }) => {
      const headers = backgroundHeaders(client.getQueryData(feedsKey) !== undefined);
      return bodyOf(listFeeds({ signal, headers }));
    },
    refetchInterval: refetchMs,
  });
  return (
    <section className={styles['section']}>
      <h2>{feeds.title}</h2>
      <p>{feeds.about}</p>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton />}
      {data?.data.length === 0 ? <Empty>{feeds.none}</Empty> : null}
      {data && data.data.length > 0 ? <FeedTable rows={data.data} now={new Date(dataUpdatedAt)} /> : null}
    </section>
  );
}

function FeedTable({ rows, now }: { readonly rows: readonly Feed[]; readonly now: Date }) {
  const { texts, language } = useOperatorTexts();
  const { feeds, facts, letters } = texts;
  return (
    <RecordTable
      caption={feeds.title}
      rows={rows}
      keyOf={({ service, environment, provider, feed }) => `${service} ${environment} ${provider} ${feed}`}
      columns={[
        {
          heading: feeds.feed,
          show: ({ feed, environment }) => (
            <>
              {feed} <EnvironmentBadge environment={environment} />
            </>
          ),
        },
        { heading: facts.provider, show: ({ provider }) => provider },
        { heading: letters.service, inCards: 'folded', show: ({ service }) => service },
        {
          heading: feeds.state,
          show: ({ failing_since: since, failure }) =>
            since === null ? (
              <Status tone="good" word={feeds.fine} />
            ) : (
              <>
                <Status tone="bad" word={feeds.failing(formatAge(new Date(since), now, language))} /> {failure}
              </>
            ),
        },
        { heading: feeds.readUntil, show: ({ read_until: at }) => formatTime(new Date(at), language) },
        { heading: feeds.gaps, align: 'right', show: ({ gap_count: count }) => count },
        { heading: texts.changes.action, show: (feed) => <SkipFeed feed={feed} now={now} /> },
      ]}
    />
  );
}
