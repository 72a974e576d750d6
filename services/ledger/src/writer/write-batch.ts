import { bigintArray, byteaArray, jsonArray, outboxCommitted, outboxParameters, textArray } from '@gateway/persistence';
import type { StreamPosition } from '#src/consumer/incoming-message.ts';
import type { BatchOutcome } from '#src/decision/apply.ts';
import { postingTuple } from '#src/decision/link-content.ts';
import { holdingEvents } from '#src/holdings/dispute-holding.ts';
import type { ShardName } from '#src/shards.ts';
import type { MerchantBalance, SystemBalance } from '#src/state/balances.ts';
import type { LedgerState, StateChange } from '#src/state/ledger-state.ts';
import { toReferenceRow } from '#src/state/reference-row.ts';
import type { Session } from '#src/writer/session.ts';
import { missSql, openBalancesSql, writeBatchSql, writeBatchWithEventsSql } from '#src/writer/write-batch-sql.ts';
import { ClockError, type WriterClock } from '#src/writer/writer-clock.ts';

/** Another writer has acquired the shard: this one's state is outdated, and it must not write again. */
export class FencedError extends Error {
  constructor(shard: ShardName) {
    super(`another writer has taken over ${shard.environment}.${shard.shard}`);
    this.name = 'FencedError';
  }
}

export interface BatchWrite {
  readonly shard: ShardName;
  readonly epoch: number;
  readonly position: StreamPosition;
  readonly outcome: BatchOutcome;
}

/** A batch as the parameters of its statement. */
export interface BatchStatement {
  readonly shard: ShardName;
  readonly change: StateChange;
  readonly epoch: number;
  readonly values: readonly unknown[];
  /** The parameters of its events; most batches have none. */
  readonly eventValues: readonly Buffer[];
}

/** The parameters of a batch: results, entries, references, balances, chain head, cursor. `state`: before the batch. */
export function batchStatement(state: LedgerState, write: BatchWrite): BatchStatement {
  const { shard, epoch, position, outcome } = write;
  const { decisions, change } = outcome;
  const values = [
    shard.environment,
    shard.shard,
    epoch,
    change.head.decidedAtMs,
    position.sequence,
    position.timeMs,
    change.head.sequence,
    change.head.hash,
    change.merchants.length + change.systems.length,
    ...resultColumns(decisions),
    ...entryColumns(decisions),
    ...referenceColumns(change),
    ...merchantColumns(change.merchants, state),
    ...systemColumns(change.systems, state),
    knownReferences(change),
  ];
  return { shard, epoch, change, values, eventValues: eventParameters(holdingEvents(decisions)) };
}

/**
 * Commits a batch, all or nothing.
 *
 * @param onSent called once the statement is on its way: the time until it is committed can be used
 * @throws FencedError when another writer has taken over; nothing was written
 * @throws ClockError when its time is too far from PostgreSQL's; nothing was written
 */
export async function writeBatch(
  session: Session,
  statement: BatchStatement,
  clock: WriterClock,
  onSent?: () => void,
): Promise<void> {
  const { shard, change, values, eventValues } = statement;
  await openBalances(session, shard, change);
  const hasEvents = eventValues.length > 0;
  const query = hasEvents
    ? { name: 'write-batch-with-events', text: writeBatchWithEventsSql }
    : { name: 'write-batch', text: writeBatchSql };
  const sentMs = clock.now();
  const written = session.query<Written>({ ...query, values: [...values, sentMs, clock.limitMs, ...eventValues] });
  onSent?.();
  const [row] = (await written).rows;
  if (!row) throw await missed(session, statement, clock);
  clock.compare(sentMs, row.postgres_ms);
  if (hasEvents) outboxCommitted();
}

interface Written {
  readonly postgres_ms: number;
}

interface Missed extends Written {
  readonly epoch: number;
  readonly accepted_ms: number;
}

async function missed(session: Session, { shard, epoch, change }: BatchStatement, clock: WriterClock): Promise<Error> {
  const askedMs = clock.now();
  const { rows } = await session.query<Missed>(missSql, [shard.environment, shard.shard]);
  const [row] = rows;
  if (row?.epoch !== epoch) return new FencedError(shard);
  try {
    clock.compare(askedMs, row.postgres_ms);
    clock.requirePast(change.head.decidedAtMs, row.postgres_ms, row.accepted_ms);
  } catch (error) {
    if (error instanceof ClockError) return error;
    throw error;
  }
  return new ClockError('unknown', 'the clocks differed when the batch was written, and agree again');
}

async function openBalances(session: Session, shard: ShardName, change: StateChange): Promise<void> {
  const merchants = change.merchants.filter((balance) => balance.version === 1);
  const systems = change.systems.filter((balance) => balance.version === 1);
  if (merchants.length === 0 && systems.length === 0) return;
  await session.query(openBalancesSql, [
    shard.environment,
    shard.shard,
    textArray(merchants.map((balance) => balance.accountId)),
    textArray(merchants.map((balance) => balance.currency)),
    textArray(systems.map((balance) => balance.account)),
    textArray(systems.map((balance) => balance.currency)),
  ]);
}

/** $10 … $19 */
function resultColumns(decisions: BatchOutcome['decisions']): Buffer[] {
  return [
    bigintArray(decisions.map((decision) => decision.sequence)),
    textArray(decisions.map((decision) => decision.command.id)),
    byteaArray(decisions.map((decision) => decision.requestHash)),
    jsonArray(decisions.map((decision) => decision.request)),
    textArray(decisions.map((decision) => decision.outcome)),
    textArray(decisions.map((decision) => decision.refusal)),
    jsonArray(decisions.map((decision) => JSON.stringify(decision.balances))),
    jsonArray(decisions.map((decision) => JSON.stringify(decision.amounts))),
    jsonArray(decisions.map((decision) => JSON.stringify(decision.postings.map(postingTuple)))),
    byteaArray(decisions.map((decision) => decision.hash)),
  ];
}

/** $20 … $29 */
function entryColumns(decisions: BatchOutcome['decisions']): Buffer[] {
  const entries = decisions.flatMap((decision) => decision.entries);
  return [
    textArray(entries.map((entry) => entry.accountId)),
    textArray(entries.map((entry) => entry.currency)),
    textArray(entries.map((entry) => entry.id)),
    bigintArray(decisions.flatMap(({ sequence, entries: own }) => own.map(() => sequence))),
    bigintArray(entries.map((entry) => entry.number)),
    textArray(entries.map((entry) => entry.type)),
    bigintArray(entries.map((entry) => entry.amount)),
    textArray(entries.map((entry) => entry.refType)),
    textArray(entries.map((entry) => entry.refId)),
    bigintArray(entries.map((entry) => entry.balanceAfter)),
  ];
}

/** $30 … $42 */
function referenceColumns(change: StateChange): Buffer[] {
  const rows = change.references.map(toReferenceRow);
  return [
    textArray(rows.map((row) => row.id)),
    textArray(rows.map((row) => row.kind)),
    textArray(rows.map((row) => row.account_id)),
    textArray(rows.map((row) => row.currency)),
    bigintArray(rows.map((row) => row.amount)),
    bigintArray(rows.map((row) => row.fee)),
    textArray(rows.map((row) => row.state)),
    bigintArray(rows.map((row) => row.held)),
    bigintArray(rows.map((row) => row.used)),
    bigintArray(rows.map((row) => row.shortfall)),
    bigintArray(rows.map((row) => row.due_at)),
    textArray(rows.map((row) => row.deposit_id)),
    textArray(rows.map((row) => row.provider)),
  ];
}

/** $54: 1 where the table may have the row already. */
function knownReferences(change: StateChange): Buffer {
  return bigintArray(change.references.map(({ id }) => (change.newReferences.has(id) ? 0 : 1)));
}

/** $43 … $49: differences to the balances in memory, and the versions in memory. */
function merchantColumns(after: readonly MerchantBalance[], state: LedgerState): Buffer[] {
  const rows = after.map((balance) => ({ ...balance, before: state.merchant(balance.accountId, balance.currency) }));
  return [
    textArray(rows.map((row) => row.accountId)),
    textArray(rows.map((row) => row.currency)),
    bigintArray(rows.map((row) => row.available - row.before.available)),
    bigintArray(rows.map((row) => row.pending - row.before.pending)),
    bigintArray(rows.map((row) => row.blocked - row.before.blocked)),
    bigintArray(rows.map((row) => row.entries - row.before.entries)),
    bigintArray(rows.map((row) => row.before.version)),
  ];
}

/** $50 … $53 */
function systemColumns(after: readonly SystemBalance[], state: LedgerState): Buffer[] {
  const rows = after.map((balance) => ({ ...balance, before: state.system(balance.account, balance.currency) }));
  return [
    textArray(rows.map((row) => row.account)),
    textArray(rows.map((row) => row.currency)),
    bigintArray(rows.map((row) => row.amount - (row.before?.amount ?? 0))),
    bigintArray(rows.map((row) => row.before?.version ?? 0)),
  ];
}

/** $57 … $60 */
function eventParameters(events: ReturnType<typeof holdingEvents>): Buffer[] {
  return events.length === 0 ? [] : outboxParameters(events);
}
