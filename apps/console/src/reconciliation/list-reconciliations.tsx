import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Act } from '#src/changes/act.tsx';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { listProviders, listReconciliations, runReconciliation } from '#src/generated/sdk.gen.ts';
import type { ListReconciliationsData, Reconciliation } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { failedOf, holdingsOf, resultToneOf } from '#src/reconciliation/describe-reconciliation.ts';
import { ExplainedShares } from '#src/reconciliation/explained-shares.tsx';
import { LastRun } from '#src/reconciliation/last-run.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { Pages } from '#src/records/pages.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, formatTime, fromUnix } from '#src/texts/time.ts';

export type ReconciliationsQuery = NonNullable<ListReconciliationsData['query']>;

/** Whether every cent is explained: the last run with its checks, what providers hold, and the runs before. */
export function ListReconciliations({ query }: { readonly query: ReconciliationsQuery }) {
  const { texts } = useOperatorTexts();
  const { books } = texts;
  const may = useMay();
  const { data, error, refetch } = useQuery({
    queryKey: ['reconciliations', query],
    queryFn: ({ signal }) => bodyOf(listReconciliations({ query, signal })),
  });
  const [last] = data?.data ?? [];
  return (
    <div className={styles['page']}>
      <ListHead title={books.title}>
        <ListCsv name="reconciliations" read={() => bodyOf(listReconciliations(wholeList(query)))} />
        {may('operations:write') ? (
          <Changes>
            <Act label={books.run} look="primary" send={() => bodyOf(runReconciliation())} />
          </Changes>
        ) : null}
      </ListHead>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={8} />}
      {data && !last ? <Empty>{books.none}</Empty> : null}
      {last && query.cursor === undefined ? <LastRun run={last} /> : null}
      {may('operations:read') && query.cursor === undefined ? <ExplainedShares /> : null}
      {may('operations:read') ? <Holdings /> : null}
      {data && last ? <Runs rows={data.data} /> : null}
      {data && last ? <Pages older={data.next_cursor} isNewest={query.cursor === undefined} /> : null}
    </div>
  );
}

/** Per provider and currency: what it holds, what the books say, and the way to the lines that differ. */
function Holdings() {
  const { texts, language } = useOperatorTexts();
  const { books, providers } = texts;
  const { data, error, refetch } = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => bodyOf(listProviders({ signal })),
  });
  const rows = holdingsOf(data?.data ?? []);
  if (!error && rows.length === 0) return null;
  const money = (amount: number | null, currency: string) =>
    amount === null ? '–' : <Money amount={amount} currency={currency} />;
  return (
    <section className={styles['section']}>
      <h2>{books.providers}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <RecordTable
        caption={books.providers}
        rows={rows}
        keyOf={({ provider, currency }) => `${provider} ${currency}`}
        columns={[
          {
            heading: providers.one,
            show: ({ provider, currency }) => (
              <Link to="/providers/$environment/$id" params={{ environment: 'live', id: provider }}>
                {provider} {currency}
              </Link>
            ),
          },
          { heading: providers.held, align: 'right', show: (row) => money(row.held_cents, row.currency) },
          { heading: providers.booked, align: 'right', show: (row) => money(row.booked_cents, row.currency) },
          { heading: providers.ownFunds, align: 'right', show: (row) => money(row.own_funds_cents, row.currency) },
          {
            heading: providers.inFlight,
            align: 'right',
            show: ({ least, most, currency }) => (
              <>
                {money(least, currency)}
                {least === most ? null : <>…{money(most, currency)}</>}
              </>
            ),
          },
          {
            heading: providers.difference,
            align: 'right',
            show: ({ provider, currency, problem, difference_cents: difference, differs_since: since }) =>
              problem !== null ? (
                <Status tone="wait" word={providers.problem(problem)} />
              ) : difference === 0 || difference === null ? (
                <Status tone="good" word={providers.none} />
              ) : (
                <Link to="/exceptions" search={{ provider, status: 'OPEN' }}>
                  {money(difference, currency)}{' '}
                  {since === null ? '' : providers.since(formatAge(fromUnix(since), new Date(), language))}
                </Link>
              ),
          },
        ]}
      />
    </section>
  );
}

function Runs({ rows }: { readonly rows: readonly Reconciliation[] }) {
  const { texts, language } = useOperatorTexts();
  const { books, facts } = texts;
  return (
    <section className={styles['section']}>
      <h2>{books.runs}</h2>
      <RecordTable
        caption={books.runs}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { heading: books.started, show: ({ started_at: at }) => formatTime(fromUnix(at), language) },
          {
            heading: facts.status,
            show: ({ status }) => <Status tone={resultToneOf[status]} word={books.status[status]} />,
          },
          {
            heading: books.findings,
            show: ({ checks }) => {
              const failed = failedOf(checks);
              return failed.length === 0
                ? '–'
                : `${books.found(failed.length, checks.length)}: ${failed.map(({ name }) => books.checks[name]).join(', ')}`;
            },
          },
          { heading: books.signOff.heading, show: ({ signed_off: signed }) => signed?.by ?? '–' },
          {
            heading: books.took,
            align: 'right',
            show: ({ started_at: from, finished_at: to }) => books.seconds(to - from),
          },
        ]}
      />
    </section>
  );
}
