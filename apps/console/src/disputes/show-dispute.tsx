import { Deadline } from '#src/records/deadline.tsx';
import { evidenceToneOf, toneOf } from '#src/disputes/describe-dispute.ts';
import { getDispute, getDisputeTimeline } from '#src/generated/sdk.gen.ts';
import type { OperatorDispute } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { Attention } from '#src/records/attention.tsx';
import { deadlineOf } from '#src/records/deadline-of.ts';
import { Facts } from '#src/records/facts.tsx';
import { Empty } from '#src/records/page-states.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordName } from '#src/records/record-name.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { RecordTimeline } from '#src/records/record-timeline.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime } from '#src/texts/time.ts';

/** One dispute: until when it can be answered, what was sent, and what is blocked for it. */
export function ShowDispute({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { disputes } = texts;
  const queryKey = ['dispute', id];
  return (
    <ShowRecord
      queryKey={queryKey}
      read={(signal) => bodyOf(getDispute({ path: { id }, signal }))}
      heading={({ dispute }) => (
        <RecordHeading
          kind={disputes.one}
          record={dispute}
          tone={toneOf[dispute.status]}
          state={disputes.status[dispute.status]}
        />
      )}
    >
      {({ dispute }, now) => (
        <>
          {dispute.attention !== null && dispute.attention_at !== null ? (
            <Attention reason={disputes.attention[dispute.attention]} since={dispute.attention_at} />
          ) : null}
          <DisputeFacts dispute={dispute} now={now} />
          <Evidence dispute={dispute} />
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

function DisputeFacts({ dispute, now }: { readonly dispute: OperatorDispute; readonly now: Date }) {
  const { texts, language } = useOperatorTexts();
  const { disputes, facts, records } = texts;
  const { currency, shortfall_cents: shortfall, returned_cents: returned } = dispute;
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
        [facts.account, idOf(dispute.account_id)],
        [facts.environment, dispute.environment],
        [records.reason, dispute.reason],
        [facts.externalId, dispute.external_id],
        [facts.e2eId, idOf(dispute.e2e_id)],
        [facts.provider, dispute.provider],
        [facts.reference, idOf(dispute.dispute_ref)],
        [disputes.opened, formatTime(new Date(dispute.opened_at), language)],
        [facts.traceId, idOf(dispute.trace_id)],
      ]}
    />
  );
}

function Evidence({ dispute: { evidence } }: { readonly dispute: OperatorDispute }) {
  const { texts, language } = useOperatorTexts();
  const { disputes, facts, records } = texts;
  return (
    <section className={styles['section']}>
      <h2>{disputes.evidence}</h2>
      {evidence.length === 0 ? (
        <Empty>{disputes.noEvidence}</Empty>
      ) : (
        <RecordTable
          caption={disputes.evidence}
          rows={evidence.map((piece, index) => ({ ...piece, index }))}
          keyOf={({ index }) => String(index)}
          columns={[
            { heading: disputes.evidenceText, show: ({ text }) => text },
            {
              heading: facts.status,
              show: ({ status }) => <Status tone={evidenceToneOf[status]} word={disputes.evidenceStatus[status]} />,
            },
            { heading: records.failure, show: ({ failure_message: failure }) => failure ?? '–' },
            {
              heading: disputes.sentAt,
              show: ({ sent_at: at }) => (at === null ? '–' : formatTime(new Date(at), language)),
            },
          ]}
        />
      )}
    </section>
  );
}
