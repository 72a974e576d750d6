import { getPayout, getPayoutTimeline } from '#src/generated/sdk.gen.ts';
import type { OperatorPayout } from '#src/generated/types.gen.ts';
import { attentionOf, toneOf } from '#src/payouts/describe-payout.ts';
import { PayoutActions } from '#src/payouts/payout-actions.tsx';
import { FailedCallsOf, PayoutFacts } from '#src/payouts/payout-facts.tsx';
import { WeighPayout } from '#src/payouts/weigh-payout.tsx';
import { Attention } from '#src/records/attention.tsx';
import { PersonFacts } from '#src/records/person-facts.tsx';
import { PersonalData } from '#src/records/personal-data.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordTimeline } from '#src/records/record-timeline.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

/** How often a payout under way is read again; its end is seen without a reload. */
const underWayRefetchMs = 4_000;

/** One payout with what is known of it, what can be done, and what happened to it. */
export function ShowPayout({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const may = useMay();
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
      {({ payout, recipient_is_new: isNewRecipient }) => (
        <>
          <PayoutAttention payout={payout} />
          {payout.status === 'PENDING' ? <WeighPayout payout={payout} isNewRecipient={isNewRecipient ?? null} /> : null}
          <PayoutActions payout={payout} />
          <PayoutFacts payout={payout} />
          {may('pii:reveal') ? <RecipientData id={id} /> : null}
          <FailedCallsOf payout={payout} />
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
  const { texts, language } = useOperatorTexts();
  const reason = attentionOf(payout, texts);
  const { also_paid_by: others, resolution } = payout;
  const { resolve } = texts.payouts;
  if (reason === undefined || payout.attention_at === null) return null;
  return (
    <Attention reason={reason} since={payout.attention_at}>
      <p>
        {texts.payouts.lookUps(payout.lookups)} {texts.payouts.rule}
      </p>
      {others.length === 0 ? null : <p>{texts.payouts.alsoPaidBy(new Intl.ListFormat(language).format(others))}</p>}
      {resolution?.confirmed_by === null ? (
        <p>
          {resolve.proposed(resolution.proposed_by, resolve[resolution.outcome])} “{resolution.evidence}”
        </p>
      ) : null}
    </Attention>
  );
}

/** The recipient as the merchant named them. */
function RecipientData({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { facts } = texts;
  return (
    <PersonalData id={id} read={(headers, signal) => bodyOf(getPayout({ path: { id }, headers, signal }))}>
      {({ payout }) => (
        <PersonFacts who={facts.recipient} person={payout.recipient} more={[[facts.key, payout.pix_key]]} />
      )}
    </PersonalData>
  );
}
