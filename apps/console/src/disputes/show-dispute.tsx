import { AccountLink } from '#src/records/account-link.tsx';
import { DisputeActions } from '#src/disputes/dispute-actions.tsx';
import { Deadline } from '#src/records/deadline.tsx';
import { getDispute, getDisputeTimeline } from '#src/generated/sdk.gen.ts';
import type { DisputeEvidence, OperatorDispute } from '#src/generated/types.gen.ts';
import { Money } from '#src/money/money.tsx';
import { Attention } from '#src/records/attention.tsx';
import { deadlineOf } from '#src/records/deadline-of.ts';
import { disputeToneOf } from '#src/records/dispute-tones.ts';
import { disputeReason } from '#src/records/dispute-reason.ts';
import { EvidenceTable } from '#src/records/evidence-table.tsx';
import { Facts } from '#src/records/facts.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordName } from '#src/records/record-name.tsx';
import type { Column } from '#src/records/record-table.tsx';
import { RecordTimeline } from '#src/records/record-timeline.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { TraceId } from '#src/session/trace-id.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime } from '#src/texts/time.ts';

/** One dispute: until when it can be answered, what was sent, and what is blocked for it. */
export function ShowDispute({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { disputes } = texts;
  const queryKey = ['dispute', id];
  return (
    <ShowRecord
      follows={['med.']}
      queryKey={queryKey}
      read={(signal, headers) => bodyOf(getDispute({ path: { id }, headers, signal }))}
      heading={({ dispute }) => (
        <RecordHeading
          kind={disputes.one}
          record={dispute}
          tone={disputeToneOf[dispute.status]}
          state={disputes.status[dispute.status]}
        />
      )}
    >
      {({ dispute }, now) => (
        <>
          {dispute.attention !== null && dispute.attention_at !== null ? (
            <Attention reason={disputes.attention[dispute.attention]} since={dispute.attention_at} />
          ) : null}
          <DisputeActions dispute={dispute} now={now} />
          <DisputeFacts dispute={dispute} now={now} />
          <EvidenceTable
            evidence={dispute.evidence}
            words={disputes}
            more={wordsOf(dispute.evidence, texts.records.words)}
          />
          <RecordTimeline
            queryKey={queryKey}
            state={dispute.status}
            read={(signal) => bodyOf(getDisputeTimeline({ path: { id }, signal }))}
          />
        </>
      )}
    </ShowRecord>
  );
}

/** What the provider says of evidence that it refused, where it has refused any. */
function wordsOf(evidence: readonly DisputeEvidence[], heading: string): readonly Column<DisputeEvidence>[] {
  if (evidence.every(({ provider_message: words }) => words === null)) return [];
  return [{ heading, show: ({ provider_message: words }) => words ?? '–' }];
}

function DisputeFacts({ dispute, now }: { readonly dispute: OperatorDispute; readonly now: Date }) {
  const { texts, language } = useOperatorTexts();
  const { disputes, facts, records } = texts;
  const { currency, shortfall_cents: shortfall, returned_cents: returned, entry } = dispute;
  const deadline = deadlineOf(dispute, now);
  const money = (amount: number) => <Money amount={amount} currency={currency} />;
  const idOf = (value: string | null) => (value === null ? null : <RecordId id={value} />);
  return (
    <Facts
      facts={[
        [
          disputes.due,
          deadline ? (
            <span key="due">
              <Deadline dispute={dispute} now={now} /> {formatTime(deadline.at, language)}
            </span>
          ) : null,
        ],
        [disputes.blocked, money(dispute.blocked_cents)],
        [disputes.shortfall, shortfall === 0 ? null : money(shortfall)],
        [disputes.returned, returned === 0 ? null : money(returned)],
        [texts.refunds.deposit, <RecordName key="deposit" kind="deposit" id={dispute.deposit_id} />],
        [facts.account, <AccountLink key="account" id={dispute.account_id} />],
        [facts.environment, texts.environment[dispute.environment]],
        [records.reason, disputeReason(dispute.reason, texts)],
        [facts.externalId, dispute.external_id],
        [facts.e2eId, idOf(dispute.e2e_id)],
        [facts.provider, dispute.provider],
        [facts.reference, idOf(dispute.dispute_ref)],
        [disputes.opened, formatTime(new Date(dispute.opened_at), language)],
        [disputes.entered, entry && `${entry.proposed_by}, ${entry.approved_by}: ${entry.evidence}`],
        [facts.traceId, dispute.trace_id === null ? null : <TraceId key="trace" id={dispute.trace_id} />],
      ]}
    />
  );
}
