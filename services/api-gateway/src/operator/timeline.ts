import { getOperatorConversion } from '@gateway/contracts/conversions';
import {
  getOperatorDeposit,
  getOperatorDispute,
  getReturn,
  listOperatorDisputes,
  listOperatorRefunds,
  listOrphanReceipts,
  type OperatorDispute,
  type OperatorRefund,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { listEntries } from '@gateway/contracts/ledger';
import { getOperatorPayout } from '@gateway/contracts/payouts';
import { findDeliveries } from '@gateway/contracts/webhooks';
import { type Askable, callRpc } from '@gateway/messaging';
import { idTimeMs } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { timelineAnswerSchema, type TimelineEvent } from '@gateway/public-api';
import { AuditEntity } from '#src/approvals/audit.ts';
import type { EndpointNotes } from '#src/http/endpoint.ts';
import { askSources, type Source } from '#src/operator/ask-sources.ts';
import { idIn, operatorEndpoint, type OperatorEndpointRow } from '#src/operator/operator-endpoint.ts';
import type { Owner } from '#src/statements/entry-details.ts';

/** Of each kind: entries, deliveries, refunds, acts of operators. */
const eventsMax = 200;
/** What a service does not answer within this time is left out, and the service is named. */
const sourceTimeout = { timeoutMs: 800 };

/** What one service knows of a record. */
type EventSource = Source<TimelineEvent>;

export const timelineEndpoints = [
  timelineOf('deposit', {
    operation: 'getDepositTimeline',
    summary: 'What happened to a deposit: payments, entries, refunds, disputes, webhooks and operators, oldest first',
    read: async (bus, id) => {
      const { deposit, payments, transfers } = await callRpc(bus, getOperatorDeposit, { id });
      const received = [...transfers, ...payments].map(({ paidAt, amount, currency, e2eId }) =>
        event(paidAt, 'provider', 'payment', { id: e2eId, amount, currency }),
      );
      const own = [event(fromSeconds(deposit.createdAt), 'state', 'created', deposit), ...received];
      if (deposit.status === 'EXPIRED') own.push(event(fromSeconds(deposit.expiresAt), 'state', 'expired', deposit));
      const more = [
        { name: 'deposits', read: () => refundsOf(bus, id) },
        { name: 'deposits', read: () => orphansOf(bus, id) },
        { name: 'deposits', read: () => disputesOf(bus, id) },
      ];
      return { record: deposit, own, more };
    },
  }),
  timelineOf('payout', {
    operation: 'getPayoutTimeline',
    summary: 'What happened to a payout: entries, outcome, webhooks and operators, oldest first',
    read: async (bus, id) => {
      const { payout } = await callRpc(bus, getOperatorPayout, { id });
      const { createdAt, attentionAt, attentionReason, paidAt } = payout;
      const own = [
        event(fromSeconds(createdAt), 'state', 'created', payout),
        ...since(attentionAt, (at) => event(at, 'state', `attention: ${attentionReason ?? 'unknown'}`, payout)),
        ...since(paidAt, (at) => event(at, 'provider', 'paid', payout)),
      ];
      return { record: payout, own };
    },
  }),
  timelineOf('refund', {
    operation: 'getRefundTimeline',
    summary: 'What happened to a refund: entries, outcome, webhooks and operators, oldest first',
    read: async (bus, id) => {
      const { kind, record } = await callRpc(bus, getReturn, { id });
      if (kind !== 'refund') throw new NotFoundError('refund');
      return { record, own: eventsOfRefund(record) };
    },
  }),
  timelineOf('dispute', {
    operation: 'getDisputeTimeline',
    summary: 'What happened to a dispute: evidence, entries, decision, webhooks and operators, oldest first',
    read: async (bus, id) => {
      const { dispute } = await callRpc(bus, getOperatorDispute, { id });
      return { record: dispute, own: eventsOfDispute(dispute) };
    },
  }),
  timelineOf('conversion', {
    operation: 'getConversionTimeline',
    summary: 'What happened to a conversion: entries, webhooks and operators, oldest first',
    read: async (bus, id) => {
      const { conversion } = await callRpc(bus, getOperatorConversion, { id });
      const { fromAmount: amount, from: currency, status } = conversion;
      const own = [event(timeOf(id), 'state', status.toLowerCase(), { id, amount, currency })];
      return { record: conversion, own };
    },
  }),
];

interface Timeline extends Pick<EndpointNotes, 'operation' | 'summary'> {
  readonly read: (bus: Askable, id: string) => Promise<KnownRecord>;
}

interface KnownRecord {
  readonly record: Owner & { readonly id: string };
  /** What the record itself says. */
  readonly own: readonly TimelineEvent[];
  /** Who knows of it beside its entries, its deliveries and what operators did. */
  readonly more?: readonly EventSource[];
}

function timelineOf(
  noun: 'deposit' | 'payout' | 'refund' | 'dispute' | 'conversion',
  { operation, summary, read }: Timeline,
): OperatorEndpointRow {
  return operatorEndpoint({
    method: 'GET',
    path: `/ops/${noun}s/:id/timeline`,
    operation,
    permission: 'records:read',
    summary,
    description: `Answers with what every part of the gateway knows of the ${noun}, in one order of time. A service that does not answer is named in \`incomplete\`.`,
    answers: { 200: timelineAnswerSchema },
    handle: async (call, { bus, database }) => {
      const { record, own, more = [] } = await read(bus, idIn(call, noun));
      const { id } = record;
      const common = [entriesOf(bus, record, id), deliveriesOf(bus, record, id), actsOn(database, id)];
      const { found, incomplete } = await askSources([...common, ...more]);
      const data = [...own, ...found].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
      return { status: 200, body: { data, incomplete } };
    },
  });
}

interface Subject {
  readonly id: string;
  readonly amount: number | null;
  readonly currency: TimelineEvent['currency'];
}

function event(at: string, kind: TimelineEvent['kind'], what: string, subject: Subject): TimelineEvent {
  return { at, kind, what, id: subject.id, amount_cents: subject.amount, currency: subject.currency, by: null };
}

function withoutAmount(id: string): Subject {
  return { id, amount: null, currency: null };
}

function entriesOf(bus: Askable, { environment, accountId }: Owner, refId: string): EventSource {
  const read = async () => {
    const request = { environment, accountId, refId, limit: eventsMax };
    const { entries } = await callRpc(bus, listEntries, request, sourceTimeout);
    return entries.map((entry) => event(timeOf(entry.id), 'ledger', entry.type, entry));
  };
  return { name: 'ledger', read };
}

/** To the webhooks of the account, and to the callback URL. */
function deliveriesOf(bus: Askable, { environment, accountId }: Owner, dataId: string): EventSource {
  const read = async () => {
    const request = { environment, accountId, dataId, limit: eventsMax };
    const { deliveries } = await callRpc(bus, findDeliveries, request, sourceTimeout);
    return deliveries.map(({ id, event: name, status }) =>
      event(timeOf(id), 'webhook', `${name}: ${status.toLowerCase()}`, withoutAmount(id)),
    );
  };
  return { name: 'webhooks', read };
}

async function refundsOf(bus: Askable, depositId: string): Promise<TimelineEvent[]> {
  const { refunds } = await callRpc(bus, listOperatorRefunds, { depositId, limit: eventsMax }, sourceTimeout);
  return refunds.flatMap(eventsOfRefund);
}

function eventsOfRefund(refund: OperatorRefund): TimelineEvent[] {
  const { id, unknownSince, attentionAt, attention, finishedAt, status } = refund;
  return [
    event(timeOf(id), 'state', 'refund created', refund),
    ...since(unknownSince, (at) => event(at, 'provider', 'refund without an answer', refund)),
    ...since(attentionAt, (at) => event(at, 'state', `attention: ${attention ?? 'unknown'}`, refund)),
    ...since(finishedAt, (at) => event(at, 'provider', `refund ${status.toLowerCase()}`, refund)),
  ];
}

async function orphansOf(bus: Askable, depositId: string): Promise<TimelineEvent[]> {
  const { receipts } = await callRpc(bus, listOrphanReceipts, { depositId, limit: eventsMax }, sourceTimeout);
  return receipts.map((receipt) => event(receipt.paidAt, 'provider', `orphan receipt: ${receipt.cause}`, receipt));
}

async function disputesOf(bus: Askable, depositId: string): Promise<TimelineEvent[]> {
  const { disputes } = await callRpc(bus, listOperatorDisputes, { depositId, limit: eventsMax }, sourceTimeout);
  return disputes.flatMap(eventsOfDispute);
}

function eventsOfDispute(dispute: OperatorDispute): TimelineEvent[] {
  const { openedAt, evidence, attentionAt, attention, resolvedAt, status } = dispute;
  return [
    event(openedAt, 'provider', 'dispute opened', dispute),
    ...evidence.flatMap(({ sentAt, status: taken }) =>
      since(sentAt, (at) => event(at, 'provider', `evidence ${taken.toLowerCase()}`, dispute)),
    ),
    ...since(attentionAt, (at) => event(at, 'state', `attention: ${attention ?? 'unknown'}`, dispute)),
    ...since(resolvedAt, (at) => event(at, 'provider', `dispute ${status.toLowerCase()}`, dispute)),
  ];
}

/** What a record says of a moment, where there was one. */
function since(at: string | null, of: (at: string) => TimelineEvent): TimelineEvent[] {
  return at === null ? [] : [of(at)];
}

function actsOn(database: Database, target: string): EventSource {
  const read = async () => {
    const order = { orderBy: { id: 'desc' as const }, limit: eventsMax };
    const rows = await database.reader().find(AuditEntity, { target, kind: 'change' }, order);
    return rows.map((row) => ({
      ...event(row.createdAt.toISOString(), 'operator', row.action, withoutAmount(row.id)),
      by: row.operator,
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
