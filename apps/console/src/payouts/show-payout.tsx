import { useQuery } from '@tanstack/react-query';
import { getPayout, getPayoutTimeline } from '#src/generated/sdk.gen.ts';
import type { OperatorPayout } from '#src/generated/types.gen.ts';
import { Money } from '#src/money/money.tsx';
import { attentionOf, toneOf } from '#src/payouts/describe-payout.ts';
import { PayoutActions } from '#src/payouts/payout-actions.tsx';
import { Attention } from '#src/records/attention.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Failed, Skeleton } from '#src/records/page-states.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordTimeline } from '#src/records/record-timeline.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useLanguage } from '#src/texts/language.tsx';
import { formatAge, formatTime, fromUnix } from '#src/texts/time.ts';
import styles from '#src/records/record-page.module.css';

/** How often a payout under way is read again; its end is seen without a reload. */
const underWayRefetchMs = 4_000;

/** One payout with what is known of it, what can be done, and what happened to it. */
export function ShowPayout({ id }: { readonly id: string }) {
  const { texts } = useLanguage();
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
    <article className={styles['page']}>
      <RecordHeading
        {...{ kind: texts.payouts.one, id, amount: payout.amount_cents, currency: payout.currency }}
        {...{
          environment: payout.environment,
          tone: toneOf[payout.status],
          state: texts.payouts.status[payout.status],
        }}
      />
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <PayoutAttention payout={payout} />
      <PayoutActions payout={payout} />
      <PayoutFacts payout={payout} />
      <RecordTimeline
        id={id}
        state={payout.status}
        read={(signal) => bodyOf(getPayoutTimeline({ path: { id }, signal }))}
      />
    </article>
  );
}

/** Why it takes an operator, since when, and the rule that holds until it is solved. */
function PayoutAttention({ payout }: { readonly payout: OperatorPayout }) {
  const { texts, language } = useLanguage();
  const reason = attentionOf(payout, texts);
  const { resolution } = payout;
  const { resolve } = texts.payouts;
  if (reason === undefined || payout.attention_at === null) return null;
  const age = formatAge(new Date(payout.attention_at), new Date(), language);
  return (
    <Attention reason={`${reason} ${texts.records.age(age)}.`}>
      <p>
        {texts.payouts.lookUps(payout.lookups)} {texts.payouts.rule}
      </p>
      {resolution?.confirmed_by === null ? (
        <p>
          {resolve.proposed(resolution.proposed_by, resolve[resolution.outcome])} “{resolution.evidence}”
        </p>
      ) : null}
    </Attention>
  );
}

function PayoutFacts({ payout }: { readonly payout: OperatorPayout }) {
  const { texts, language } = useLanguage();
  const { facts, records } = texts;
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
        [records.words, payout.provider_message],
        [facts.created, formatTime(fromUnix(payout.created_at), language)],
        [facts.traceId, idOf(payout.trace_id)],
      ]}
    />
  );
}
