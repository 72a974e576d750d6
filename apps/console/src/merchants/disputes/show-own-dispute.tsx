import { Link } from '@tanstack/react-router';
import { getDispute } from '#src/generated/merchants/sdk.gen.ts';
import type { Dispute, DisputeEvidence } from '#src/generated/merchants/types.gen.ts';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { AnswerDispute } from '#src/merchants/disputes/answer-dispute.tsx';
import { timelineOf } from '#src/merchants/disputes/describe-own-dispute.ts';
import { EntriesAlone } from '#src/merchants/history/entries-alone.tsx';
import { useEntriesOf } from '#src/merchants/history/entries-of.ts';
import { History } from '#src/merchants/history/history.tsx';
import { actsOnDispute } from '#src/merchants/simulate/acts.ts';
import { Simulate } from '#src/merchants/simulate/simulate.tsx';
import { RecordDeliveries } from '#src/merchants/webhooks/record-deliveries.tsx';
import { Money } from '#src/money/money.tsx';
import { Deadline } from '#src/records/deadline.tsx';
import { deadlineOf } from '#src/records/deadline-of.ts';
import { disputeToneOf } from '#src/records/dispute-tones.ts';
import { disputeReason } from '#src/records/dispute-reason.ts';
import { EvidenceTable } from '#src/records/evidence-table.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Notice } from '#src/records/page-states.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import type { Column } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime } from '#src/texts/time.ts';

const underWayRefetchMs = 3_000;

/** One dispute: until when it can be answered, what is held for it, and what became of the evidence. */
export function ShowOwnDispute({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { disputes } = texts;
  const queryKey = ['dispute', id];
  return (
    <ShowRecord
      follows={['med.']}
      queryKey={queryKey}
      read={(signal, headers) => bodyOf(getDispute({ path: { id }, headers: { ...contract, ...headers }, signal }))}
      refetchMs={({ evidence }) => (evidence.some(isUnderWay) ? underWayRefetchMs : false)}
      heading={(dispute) => (
        <RecordHeading
          kind={disputes.one}
          record={{ ...dispute, amount_cents: dispute.amount }}
          tone={disputeToneOf[dispute.status]}
          state={disputes.status[dispute.status]}
        />
      )}
      parts={(dispute) => (
        <>
          {dispute ? null : <EntriesAlone id={id} />}
          {may('webhooks:read') ? <RecordDeliveries id={id} state={dispute?.status ?? ''} /> : null}
        </>
      )}
    >
      {(dispute, now) => (
        <>
          {isOver(dispute, now) ? <Notice>{disputes.over}</Notice> : null}
          <DisputeFacts dispute={dispute} now={now} />
          <EvidenceTable
            evidence={dispute.evidence}
            words={disputes}
            more={addressesOf(dispute.evidence, disputes.answer.urls)}
          />
          {canBeAnswered(dispute, now) && may('disputes:write') ? (
            <AnswerDispute dispute={dispute} queryKey={queryKey} />
          ) : null}
          <DisputeHistory dispute={dispute} />
          <Simulate acts={actsOnDispute(dispute)} takes="charges:write" queryKey={queryKey} />
        </>
      )}
    </ShowRecord>
  );
}

function DisputeHistory({ dispute }: { readonly dispute: Dispute }) {
  const { texts } = useMerchantTexts();
  const { entries, error, retry } = useEntriesOf(dispute.id, dispute.status);
  return <History events={timelineOf(dispute, entries, texts)} error={error} retry={retry} />;
}

interface DisputeProps {
  readonly dispute: Dispute;
  readonly now: Date;
}

/** Evidence is taken until the deadline, and as often as there is something to add. */
function canBeAnswered(dispute: Dispute, now: Date): boolean {
  const isDecided = dispute.status === 'WON' || dispute.status === 'LOST';
  return !isDecided && deadlineOf(dispute, now)?.isPast !== true;
}

/** The addresses that evidence names, where any does. */
function addressesOf(evidence: readonly DisputeEvidence[], heading: string): readonly Column<DisputeEvidence>[] {
  if (evidence.every(({ urls }) => urls.length === 0)) return [];
  return [{ heading, align: 'right', show: ({ urls }) => urls.length }];
}

/** Whether the provider has not confirmed it yet. */
function isUnderWay({ status }: DisputeEvidence): boolean {
  return status === 'WAITING' || status === 'SENT';
}

/** After its deadline a dispute is read only. */
function isOver(dispute: Dispute, now: Date): boolean {
  return dispute.status === 'OPEN' && deadlineOf(dispute, now)?.isPast === true;
}

function DisputeFacts({ dispute, now }: DisputeProps) {
  const { texts, language } = useMerchantTexts();
  const { disputes, facts, records } = texts;
  const { currency, deposit_id: depositId, returned } = dispute;
  const deadline = deadlineOf(dispute, now);
  const resolved = dispute.resolved_at;
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
        [disputes.blocked, <Money key="blocked" amount={dispute.blocked} currency={currency} />],
        [disputes.returned, returned === 0 ? null : <Money key="returned" amount={returned} currency={currency} />],
        [
          texts.payments.one,
          <Link key="payment" to="/payments/$id" params={{ id: depositId }}>
            <code title={depositId}>{shortId(depositId)}</code>
          </Link>,
        ],
        [records.reason, disputeReason(dispute.reason, texts)],
        [facts.externalId, <RecordId key="external" id={dispute.external_id} />],
        [facts.e2eId, <RecordId key="e2e" id={dispute.e2e_id} />],
        [disputes.opened, formatTime(new Date(dispute.opened_at), language)],
        [disputes.resolved, resolved === null ? null : formatTime(new Date(resolved), language)],
      ]}
    />
  );
}
