import { useQueries } from '@tanstack/react-query';
import { listDisputes, listOrphanReceipts, listPayouts, listRefunds } from '#src/generated/sdk.gen.ts';
import type { FoundRecord } from '#src/generated/types.gen.ts';
import { Money } from '#src/money/money.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { Empty, Failed, Incomplete, Skeleton } from '#src/records/page-states.tsx';
import { RecordName } from '#src/records/record-name.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { stuckColumn } from '#src/records/stuck-since.tsx';
import { byAge, type Stuck } from '#src/stuck/describe-stuck.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatClock } from '#src/texts/time.ts';

const refetchMs = 15_000;
const query = { attention: 'true', limit: 100 } as const;

/** Each kind of record that can wait for an operator, with how those that do are read. */
const sources = {
  payout: async (signal: AbortSignal, headers: Record<string, string>) =>
    (await bodyOf(listPayouts({ query, signal, headers }))).data.map(({ attention_reason: reason, ...row }): Stuck => ({
      ...row,
      kind: 'payout',
      reason,
    })),
  refund: async (signal: AbortSignal, headers: Record<string, string>) =>
    (await bodyOf(listRefunds({ query, signal, headers }))).data.map(({ attention: reason, ...row }): Stuck => ({
      ...row,
      kind: 'refund',
      reason,
    })),
  dispute: async (signal: AbortSignal, headers: Record<string, string>) =>
    (await bodyOf(listDisputes({ query, signal, headers }))).data.map(({ attention: reason, ...row }): Stuck => ({
      ...row,
      kind: 'dispute',
      reason,
    })),
  orphan_receipt: async (signal: AbortSignal, headers: Record<string, string>) =>
    (await bodyOf(listOrphanReceipts({ query, signal, headers }))).data.map(({ attention: reason, ...row }): Stuck => ({
      ...row,
      kind: 'orphan_receipt',
      reason,
    })),
} satisfies Partial<Record<FoundRecord['kind'], unknown>>;
const kinds = Object.keys(sources) as (keyof typeof sources)[];

/** All money that does not go on by itself, what has waited longest first. */
export function ListStuck() {
  const { texts, language } = useOperatorTexts();
  const { stuck } = texts;
  const answers = useQueries({
    queries: kinds.map((kind) => ({
      queryKey: ['stuck', kind],
      queryFn: ({ signal, client }: { signal: AbortSignal; client: { getQueryData: (key: string[]) => unknown } }) =>
        sources[kind](signal, backgroundHeaders(client.getQueryData(['stuck', kind]) !== undefined)),
      refetchInterval: refetchMs,
    })),
  });
  const failed = kinds.filter((_, place) => answers[place]?.error);
  const isLoading = answers.some(({ isPending }) => isPending);
  const rows = byAge(answers.flatMap(({ data }) => data ?? []));
  const now = new Date(Math.max(0, ...answers.map(({ dataUpdatedAt }) => dataUpdatedAt)));
  const again = () => answers.forEach(({ refetch }) => void refetch());
  const error = answers.find((answer) => answer.error)?.error;
  return (
    <>
      <ListHead title={stuck.title}>{null}</ListHead>
      {failed.length === kinds.length ? <Failed error={error} retry={again} /> : null}
      {failed.length > 0 && failed.length < kinds.length ? (
        <Incomplete services={failed.map((kind) => stuck.kinds[kind])} />
      ) : null}
      {isLoading ? <Skeleton lines={6} /> : null}
      {rows.length > 0 ? <StuckTable rows={rows} now={now} /> : null}
      {rows.length === 0 && !isLoading && failed.length === 0 ? (
        <Empty>
          {stuck.nothing(formatClock(now, language))} {stuck.nothingAbout}
        </Empty>
      ) : null}
    </>
  );
}

function StuckTable({ rows, now }: { readonly rows: readonly Stuck[]; readonly now: Date }) {
  const { texts, language } = useOperatorTexts();
  const { facts, stuck } = texts;
  return (
    <RecordTable
      caption={stuck.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: facts.record,
          show: ({ kind, id, environment }) => <RecordName kind={kind} id={id} environment={environment} />,
        },
        { heading: stuck.kind, show: ({ kind }) => stuck.kinds[kind] },
        { ...stuckColumn<Stuck>(texts, language, now), heading: stuck.since },
        {
          heading: facts.amount,
          align: 'right',
          show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
        },
        { heading: stuck.why, show: ({ kind, reason }) => whyOf(texts, kind, reason) },
        { heading: facts.provider, inCards: 'left out', show: ({ provider }) => provider },
        { heading: facts.account, inCards: 'left out', show: ({ account_id: id }) => <AccountLink id={id} /> },
      ]}
    />
  );
}

function whyOf(texts: ReturnType<typeof useOperatorTexts>['texts'], kind: Stuck['kind'], reason: string | null) {
  const words: Readonly<Record<Stuck['kind'], Readonly<Record<string, string>>>> = {
    payout: texts.payouts.attention,
    refund: texts.refunds.attention,
    dispute: texts.disputes.attention,
    orphan_receipt: texts.refunds.attention,
  };
  return reason === null ? '–' : (words[kind][reason] ?? reason);
}
