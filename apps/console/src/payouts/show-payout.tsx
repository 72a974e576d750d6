import { getPayout, getPayoutTimeline } from '#src/generated/sdk.gen.ts';
import type { OperatorPayout } from '#src/generated/types.gen.ts';
import { Money } from '#src/money/money.tsx';
import { attentionOf, toneOf } from '#src/payouts/describe-payout.ts';
import { PayoutActions } from '#src/payouts/payout-actions.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { Attention } from '#src/records/attention.tsx';
import { Facts } from '#src/records/facts.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordTimeline } from '#src/records/record-timeline.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { TraceId } from '#src/session/trace-id.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** How often a payout under way is read again; its end is seen without a reload. */
const underWayRefetchMs = 4_000;

/** One payout with what is known of it, what can be done, and what happened to it. */
export function ShowPayout({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { payouts } = texts;
  const queryKey = ['payout', id];
  return (
    <ShowRecord
      follows={['payout.']}
      queryKey={queryKey}
      read={(signal, headers) => bodyOf(getPayout({ path: { id }, signal, headers }))}
      refetchMs={({ payout }) => (payout.status === 'PROCESSING' ? underWayRefetchMs : false)}
      heading={({ payout }) => (
        <RecordHeading
          kind={payouts.one}
          record={payout}
          tone={toneOf[payout.status]}
          state={payouts.status[payout.status]}
        />
      )}
    >
      {({ payout }) => (
        <>
          <PayoutAttention payout={payout} />
          <PayoutActions payout={payout} />
          <PayoutFacts payout={payout} />
          <RecordTimeline
            queryKey={queryKey}
            state={payout.status}
            read={(signal) => bodyOf(getPayoutTimeline({ path: { id }, signal }))}
          />
        </>
      )}
    </ShowRecord>
  );
}

/** Why it takes an operator, since when, and the rule that holds until it is solved. */
function PayoutAttention({ payout }: { readonly payout: OperatorPayout }) {
  const { texts } = useOperatorTexts();
  const reason = attentionOf(payout, texts);
  const { resolution } = payout;
  const { resolve } = texts.payouts;
  if (reason === undefined || payout.attention_at === null) return null;
  return (
    <Attention reason={reason} since={payout.attention_at}>
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
  const { texts, language } = useOperatorTexts();
  const { facts, payouts, records } = texts;
  const idOf = (value: string | null) => (value === null ? null : <RecordId id={value} />);
  return (
    <Facts
      facts={[
        [facts.account, <AccountLink key="account" id={payout.account_id} />],
        [facts.environment, texts.environment[payout.environment]],
        [facts.fee, <Money key="fee" amount={payout.fee_cents} currency={payout.currency} />],
        [facts.recipient, payout.recipient.name],
        [facts.key, `${payout.pix_key} (${payout.pix_key_type})`],
        [facts.kind, payouts.kind[payout.kind]],
        [facts.externalId, payout.external_id],
        [facts.e2eId, idOf(payout.e2e_id)],
        [facts.provider, payout.provider],
        [facts.reference, idOf(payout.reference)],
        [facts.providerRef, idOf(payout.provider_ref)],
        [records.words, payout.provider_message],
        [facts.created, formatTime(fromUnix(payout.created_at), language)],
        [facts.traceId, payout.trace_id === null ? null : <TraceId key="trace" id={payout.trace_id} />],
      ]}
    />
  );
}
