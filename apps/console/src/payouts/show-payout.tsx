import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getPayout, getPayoutTimeline } from '#src/generated/sdk.gen.ts';
import type { OperatorPayout } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { Money } from '#src/money/money.tsx';
import { attentionOf, toneOf } from '#src/payouts/describe-payout.ts';
import { PayoutActions } from '#src/payouts/payout-actions.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Failed, Incomplete, Skeleton } from '#src/records/page-states.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { Timeline } from '#src/records/timeline.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import { formatAge, formatTime, fromUnix } from '#src/texts/time.ts';
import styles from './show-payout.module.css';

/** How often a payout under way is read again; its end is seen without a reload. */
const underWayRefetchMs = 4_000;

/** One payout with what is known of it, what can be done, and what happened to it. */
export function ShowPayout({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['payout', id],
    queryFn: ({ signal, client, queryKey }) => {
      const headers = backgroundHeaders(client.getQueryData(queryKey) !== undefined);
      return bodyOf(getPayout({ path: { id }, signal, headers }));
    },
    refetchInterval: ({ state }) => (state.data?.payout.status === 'PROCESSING' ? underWayRefetchMs : false),
  });
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton lines={8} />;
  const { payout } = data;
  return (
    <article className={styles['payout']}>
      <Heading payout={payout} />
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <Attention payout={payout} />
      <PayoutActions payout={payout} />
      <PayoutFacts payout={payout} />
      <PayoutTimeline id={id} status={payout.status} />
    </article>
  );
}

function Heading({ payout }: { readonly payout: OperatorPayout }) {
  const { texts, language } = useLanguage();
  const amount = formatMoney(payout.amount_cents, payout.currency, language);
  return (
    <header className={styles['heading']}>
      <title>{`${texts.payouts.one} ${amount} · ${texts.product}`}</title>
      <p className={styles['kind']}>{texts.payouts.one}</p>
      <h1>
        <Money amount={payout.amount_cents} currency={payout.currency} size="total" />
      </h1>
      <Status tone={toneOf[payout.status]} word={texts.payouts.status[payout.status]} />
      <EnvironmentBadge environment={payout.environment} />
      <RecordId id={payout.id} />
    </header>
  );
}

/** Why it takes an operator, since when, and the rule that holds until it is solved. */
function Attention({ payout }: { readonly payout: OperatorPayout }) {
  const { texts, language } = useLanguage();
  const reason = attentionOf(payout, texts);
  const { resolution } = payout;
  const { resolve } = texts.payouts;
  if (reason === undefined || payout.attention_at === null) return null;
  return (
    <section className={styles['attention']}>
      <p className={styles['reason']}>
        {reason} {texts.payouts.age(formatAge(new Date(payout.attention_at), new Date(), language))}.
      </p>
      <p>
        {texts.payouts.lookUps(payout.lookups)} {texts.payouts.rule}
      </p>
      {resolution?.confirmed_by === null ? (
        <p>
          {resolve.proposed(resolution.proposed_by, resolve[resolution.outcome])} “{resolution.evidence}”
        </p>
      ) : null}
    </section>
  );
}

function PayoutFacts({ payout }: { readonly payout: OperatorPayout }) {
  const { texts, language } = useLanguage();
  const { facts, payouts } = texts;
  const idOf = (value: string | null) => (value === null ? null : <RecordId id={value} />);
  return (
    <Facts
      facts={[
        [facts.account, idOf(payout.account_id)],
        [facts.environment, payout.environment],
        [facts.fee, <Money key="fee" amount={payout.fee_cents} currency={payout.currency} />],
        [facts.recipient, payout.recipient.name],
        [facts.key, `${payout.pix_key} (${payout.pix_key_type})`],
        [facts.kind, payout.kind],
        [facts.externalId, payout.external_id],
        [facts.e2eId, idOf(payout.e2e_id)],
        [facts.provider, payout.provider],
        [facts.reference, idOf(payout.reference)],
        [facts.providerRef, payout.provider_ref],
        [payouts.words, payout.provider_message],
        [facts.created, formatTime(fromUnix(payout.created_at), language)],
        [facts.traceId, idOf(payout.trace_id)],
      ]}
    />
  );
}

function PayoutTimeline({ id, status }: Pick<OperatorPayout, 'id' | 'status'>) {
  const { texts } = useLanguage();
  const { data, error, refetch } = useQuery({
    queryKey: ['payout', id, 'timeline', status],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => bodyOf(getPayoutTimeline({ path: { id }, signal })),
  });
  return (
    <section className={styles['section']}>
      <h2>{texts.payouts.timeline}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data ? (
        <>
          <Incomplete services={data.incomplete} />
          <Timeline events={data.data} />
        </>
      ) : (
        <Skeleton />
      )}
    </section>
  );
}
