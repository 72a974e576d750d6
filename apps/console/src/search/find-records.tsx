import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { searchRecords } from '#src/generated/sdk.gen.ts';
import type { FoundRecord } from '#src/generated/types.gen.ts';
import { kindOf } from '#src/records/describe-found.ts';
import { foundColumns } from '#src/records/found-columns.tsx';
import { Empty, Failed, Incomplete, Skeleton } from '#src/records/page-states.tsx';
import { RecordLink } from '#src/records/record-link.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { hasPage, pageOf } from '#src/records/pages-of-records.ts';
import { bodyOf } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';
import styles from './find-records.module.css';

/** Records by one exact value; the only one that is found opens at once. */
export function FindRecords({ q }: { readonly q: string }) {
  const { texts } = useOperatorTexts();
  const navigate = useNavigate();
  const { data, error, refetch, isLoading } = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => bodyOf(searchRecords({ query: { q }, signal })),
    enabled: q !== '',
  });
  const [only, another] = data?.data ?? [];
  const isAlone = only && !another && data?.incomplete.length === 0;
  const page = isAlone && hasPage(only.kind) ? pageOf[only.kind] : undefined;
  const id = only?.id;
  useEffect(() => {
    if (page !== undefined && id !== undefined) void navigate({ to: page, params: { id }, replace: true });
  }, [page, id, navigate]);
  return (
    <section className={styles['results']}>
      <title>{`${texts.search.label} · ${texts.product}`}</title>
      <h1>{q === '' ? texts.search.label : texts.search.title(q)}</h1>
      {q === '' ? <Empty>{texts.search.hint}</Empty> : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data ? <Incomplete services={data.incomplete} /> : null}
      {data?.data.length === 0 ? (
        <Empty>
          {texts.search.none(q)} {texts.search.noneHint}
        </Empty>
      ) : null}
      {data && data.data.length > 0 ? <Results rows={data.data} /> : null}
      {isLoading ? <Skeleton /> : null}
    </section>
  );
}

function Results({ rows }: { readonly rows: readonly FoundRecord[] }) {
  const { texts, language } = useOperatorTexts();
  const { facts, search } = texts;
  return (
    <RecordTable
      caption={search.label}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: facts.record,
          show: ({ kind, id }) => (
            <RecordLink kind={kind} id={id}>
              {kindOf({ kind }, texts)} <code title={id}>{shortId(id)}</code>
            </RecordLink>
          ),
        },
        ...foundColumns(texts),
        { heading: facts.account, show: ({ account_name: name, account_id: id }) => name ?? id },
        {
          heading: facts.environment,
          show: ({ environment }) => (environment === null ? '–' : texts.environment[environment]),
        },
        { heading: search.matched, show: ({ matched }) => <code>{matched}</code> },
        {
          heading: facts.created,
          inCards: 'left out',
          show: ({ created_at: at }) => formatTime(fromUnix(at), language),
        },
      ]}
    />
  );
}
