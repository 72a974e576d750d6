import {
  getOperatorDeposit,
  listOperatorDisputes,
  listOperatorRefunds,
  listOrphanReceipts,
} from '@gateway/contracts/deposits';
import { listEntries } from '@gateway/contracts/ledger';
import { getOperatorPayout } from '@gateway/contracts/payouts';
import { type Askable, callRpc } from '@gateway/messaging';
import { idTimeMs } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { timelineAnswerSchema, type TimelineEvent } from '@gateway/public-api';
import { AuditEntity } from '#src/approvals/audit.ts';
import { askSources, type Source, sourceTimeout } from '#src/operator/ask-sources.ts';
import { idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import type { Owner } from '#src/statements/entry-details.ts';

const entriesMax = 200;

/** What one service knows of a record. */
type EventSource = Source<TimelineEvent>;

export const timelineEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/deposits/:id/timeline',
    operation: 'getDepositTimeline',
    summary: 'What happened to a deposit: payments, entries, refunds, disputes and operators, oldest first',
    description:
      'Answers with what every part of the gateway knows of the deposit, in one order of time. A service that does not answer is named in `incomplete`.',
    answers: { 200: timelineAnswerSchema },
    handle: async (call, { bus, database }) => {
      const id = idIn(call, 'deposit');
      const { deposit, payments, transfers } = await callRpc(bus, getOperatorDeposit, { id });
      const received = [...transfers, ...payments].map(({ paidAt, amount, currency, e2eId }) =>
        event(paidAt, 'provider', 'payment', { id: e2eId, amount, currency }),
      );
      const own = [event(fromSeconds(deposit.createdAt), 'state', 'created', deposit), ...received];
      if (deposit.status === 'EXPIRED') own.push(event(fromSeconds(deposit.expiresAt), 'state', 'expired', deposit));
      return answerOf(own, [
        entriesOf(bus, deposit, id),
        { name: 'deposits', read: () => refundsOf(bus, id) },
        { name: 'deposits', read: () => orphansOf(bus, id) },
        { name: 'deposits', read: () => disputesOf(bus, id) },
        actsOn(database, id),
      ]);
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/payouts/:id/timeline',
    operation: 'getPayoutTimeline',
    summary: 'What happened to a payout: entries, outcome and operators, oldest first',
    description:
      'Answers with what every part of the gateway knows of the payout, in one order of time. A service that does not answer is named in `incomplete`.',
    answers: { 200: timelineAnswerSchema },
    handle: async (call, { bus, database }) => {
      const id = idIn(call, 'payout');
      const { payout } = await callRpc(bus, getOperatorPayout, { id });
      const own = [event(fromSeconds(payout.createdAt), 'state', 'created', payout)];
      if (payout.attentionAt !== null) {
        own.push(event(payout.attentionAt, 'state', `attention: ${payout.attentionReason ?? 'unknown'}`, payout));
      }
      if (payout.paidAt !== null) own.push(event(payout.paidAt, 'provider', 'paid', payout));
      return answerOf(own, [entriesOf(bus, payout, id), actsOn(database, id)]);
    },
  }),
];

interface Subject {
  readonly id: string;
  readonly amount: number;
  readonly currency: TimelineEvent['currency'];
}

function event(at: string, kind: TimelineEvent['kind'], what: string, subject: Subject): TimelineEvent {
  return { at, kind, what, id: subject.id, amount_cents: subject.amount, currency: subject.currency, by: null };
}

async function answerOf(own: readonly TimelineEvent[], sources: readonly EventSource[]) {
  const { found, incomplete } = await askSources(sources);
  const data = [...own, ...found].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return { status: 200, body: { data, incomplete } };
}

function entriesOf(bus: Askable, { environment, accountId }: Owner, refId: string): EventSource {
  const read = async () => {
    const request = { environment, accountId, refId, limit: entriesMax };
    const { entries } = await callRpc(bus, listEntries, request, sourceTimeout);
    return entries.map((entry) => event(timeOf(entry.id), 'ledger', entry.type, entry));
  };
  return { name: 'ledger', read };
}

async function refundsOf(bus: Askable, depositId: string): Promise<TimelineEvent[]> {
  const { refunds } = await callRpc(bus, listOperatorRefunds, { depositId, limit: entriesMax }, sourceTimeout);
  return refunds.flatMap((refund) => [
    event(timeOf(refund.id), 'state', 'refund created', refund),
    ...(refund.finishedAt === null
      ? []
      : [event(refund.finishedAt, 'provider', `refund ${refund.status.toLowerCase()}`, refund)]),
  ]);
}

async function orphansOf(bus: Askable, depositId: string): Promise<TimelineEvent[]> {
  const { receipts } = await callRpc(bus, listOrphanReceipts, { depositId, limit: entriesMax }, sourceTimeout);
  return receipts.map((receipt) => event(receipt.paidAt, 'provider', `orphan receipt: ${receipt.cause}`, receipt));
}

async function disputesOf(bus: Askable, depositId: string): Promise<TimelineEvent[]> {
  const { disputes } = await callRpc(bus, listOperatorDisputes, { depositId, limit: entriesMax }, sourceTimeout);
  return disputes.flatMap((dispute) => [
    event(dispute.openedAt, 'provider', 'dispute opened', dispute),
    ...(dispute.resolvedAt === null
      ? []
      : [event(dispute.resolvedAt, 'provider', `dispute ${dispute.status.toLowerCase()}`, dispute)]),
  ]);
}

function actsOn(database: Database, target: string): EventSource {
  const read = async () => {
    const order = { orderBy: { id: 'desc' as const }, limit: entriesMax };
    const rows = await database.reader().find(AuditEntity, { target }, order);
    return rows.map((row) => ({
      ...{ at: row.createdAt.toISOString(), kind: 'operator' as const, what: row.action, id: row.id },
      ...{ amount_cents: null, currency: null, by: row.operator },
    }));
  };
  return { name: 'api-gateway', read };
}

function timeOf(id: string): string {
  return new Date(idTimeMs(id)).toISOString();
}

function fromSeconds(unixSec: number): string {
  return new Date(unixSec * 1_000).toISOString();
}
