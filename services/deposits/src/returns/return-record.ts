import { p } from '@mikro-orm/core';
import type { ReturnAttention, ReturnResolution } from '@gateway/contracts/deposits';
import { counter } from '@gateway/runtime';
import { returnLeaseMs } from '#src/returns/send-back.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

export type { ReturnAttention, ReturnResolution };

/** The columns of every record whose money is sent back; the migrations say what they mean. */
export const returnColumns = () => ({
  attempts: p.integer(),
  nextAttemptAt: p.datetime(3).nullable(),
  callStartedAt: p.datetime(3).nullable(),
  unknownSince: p.datetime(3).nullable(),
  notFoundCount: p.integer(),
  notFoundSince: p.datetime(3).nullable(),
  calledAt: p.datetime(3).nullable(),
  lastCalledAt: p.datetime(3).nullable(),
  recheckAt: p.datetime(3).nullable(),
  recheckPlannedAt: p.datetime(3).nullable(),
  rechecks: p.integer(),
  attentionAt: p.datetime(3).nullable(),
  attention: p.string().$type<ReturnAttention>().nullable(),
  resolution: p.json<ReturnResolution>().nullable(),
});

/** Of a return whose provider has not been asked yet. */
export const notBegun = {
  callStartedAt: null,
  lastCalledAt: null,
  unknownSince: null,
  notFoundCount: 0,
  notFoundSince: null,
  recheckAt: null,
  recheckPlannedAt: null,
  rechecks: 0,
  attentionAt: null,
  attention: null,
  resolution: null,
} as const;

/** Needs no operator. */
export const quiet = { attentionAt: null, attention: null } as const;

const contradictions = counter(
  'gateway_provider_contradictions_total',
  'Answers of providers that exclude what is on record: another amount, or another end',
  ['environment', 'record'],
);
for (const record of ['refund', 'orphan_receipt', 'dispute', 'payment']) {
  for (const environment of ['live', 'test']) contradictions.add(0, { environment, record });
}

/** What a provider says excludes what is on record: operators look at it, nothing is booked. */
export function alarm(
  { logger }: Pick<RoutingDependencies, 'logger'>,
  record: 'refund' | 'orphan_receipt' | 'dispute' | 'payment',
  { environment, id }: { readonly environment: string; readonly id: string },
  what: string,
): void {
  contradictions.add(1, { environment, record });
  logger.error({ record, recordId: id, what }, 'a provider contradicts what is on record');
}

interface NeedsAttention {
  attentionAt?: Date | null;
  attention?: ReturnAttention | null;
}

/** The first reason that operators see stays: the reason a record was frozen for is not covered by its age. */
export function attentionFor(row: NeedsAttention, attention: ReturnAttention, now: Date) {
  if (row.attentionAt && row.attention !== 'overdue') return {};
  return { attentionAt: row.attentionAt ?? now, attention };
}

const announceStatements = {
  refund: `update refund set call_started_at = $2, called_at = coalesce(called_at, $2), last_called_at = $2,
      next_attempt_at = $3
    where id = $1 and state = 'SENDING' and call_started_at is null and provider_ref is null returning id`,
  orphan_receipt: `update orphan_receipt set call_started_at = $2, called_at = coalesce(called_at, $2), last_called_at = $2,
      next_attempt_at = $3
    where id = $1 and state = 'RETURNING' and call_started_at is null and provider_ref is null returning id`,
} as const;

/**
 * Commits that a call to send money back is about to be made, and for how long no other process makes one.
 *
 * @returns when it was announced; null where another process has announced one, the provider has it already, or it has ended
 */
export async function announceCall(
  { database, now }: RoutingDependencies,
  record: keyof typeof announceStatements,
  { id }: { readonly id: string },
): Promise<Date | null> {
  const at = now();
  const leaseUntil = new Date(at.getTime() + returnLeaseMs);
  const announced = await database.query(announceStatements[record], [id, at, leaseUntil]);
  return announced.length === 1 ? at : null;
}

/** Whether a call that may have sent it was made after `at`: what was found out before says nothing of that one. */
export function wasCalledAfter(
  { lastCalledAt }: { readonly lastCalledAt?: Date | null | undefined },
  at: Date,
): boolean {
  return lastCalledAt ? lastCalledAt >= at : false;
}

/** True while the process that announced a call may still be waiting for its outcome. */
export function isCallUnderWay({ callStartedAt }: { readonly callStartedAt?: Date | null }, now: Date): boolean {
  return callStartedAt ? now.getTime() < callStartedAt.getTime() + returnLeaseMs : false;
}
