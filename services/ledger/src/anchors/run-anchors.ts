import { anchorTargets } from '@gateway/contracts/ledger';
import type { Worker } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { counter, level, type Logger } from '@gateway/runtime';
import {
  AnchorFailure,
  ContradictionError,
  failureText,
  type AnchoredNote,
  type AnchorTarget,
  type Evidence,
} from '#src/anchors/anchor-target.ts';

/** Until a checkpoint whose sender died is sent again: longer than any sending takes. */
const leaseSec = 60;
/** After which one that was not answered counts as not taken, whatever the other side is doing. */
const keepDeadlineMs = 45_000;
const backoffSecMin = 30;
const backoffSecMax = 900;
/** Of one round; what is left is sent in the next. */
const roundMax = 20;

const waiting = level('gateway_anchors_waiting', 'Checkpoints that are to be kept outside and are not yet', ['target']);
const oldest = level('gateway_anchor_oldest_seconds', 'Age of the oldest checkpoint that is not kept outside', [
  'target',
]);

const contradictions = counter(
  'gateway_anchor_contradictions_total',
  'Answers of a place outside that are false, or that speak against the ledger',
  ['target'],
);

export interface AnchorOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly targets: readonly AnchorTarget[];
  /** A checkpoint is kept once in each; they begin at whole multiples, so that the end of every hour and day is one. */
  readonly intervalSec: number;
  readonly now: () => number;
  readonly deadlineMs?: number;
}

/**
 * Keeps signed live checkpoints outside. What cannot be sent waits, with its own checkpoint: a target that was away has
 * all of them afterwards.
 * @returns whether there may be more to send at once
 */
export async function keepOutside(options: AnchorOptions): Promise<boolean> {
  await queue(options);
  await show(options);
  const sent = await Promise.all(options.targets.map((target) => sendDue(options, target)));
  await show(options);
  return sent.some((count) => count === roundMax);
}

/** One after the other, until one is not taken: what is behind it is tried in the next round. */
async function sendDue(options: AnchorOptions, target: AnchorTarget): Promise<number> {
  for (let sent = 0; sent < roundMax; sent += 1) {
    const due = await claim(options, target);
    if (!due || !(await keep(options, target, due))) return sent;
  }
  return roundMax;
}

const queueSql = `
  insert into anchor (environment, shard, size, target, period, queued_at, next_at)
  select s.environment, s.shard, n.size, t.target, $2, $3, $3
  from shard s cross join lateral (
    select size from checkpoint_note
    where environment = s.environment and shard = s.shard order by size desc limit 1
  ) n cross join unnest($1::text[]) as t(target)
  where s.environment = 'live'
  on conflict do nothing`;

async function queue({ database, targets, intervalSec, now }: AnchorOptions): Promise<void> {
  const period = Math.floor(now() / 1_000 / intervalSec);
  await database.query(queueSql, [targets.map(({ name }) => name), period, new Date(now())]);
}

interface DueAnchor extends AnchoredNote {
  readonly attempts: number;
}

/** The attempt is committed before it is made: a process that dies in it leaves it to be made again after the lease. */
const claimSql = `
  with due as (
    select environment, shard, size, target from anchor
    where done_at is null and next_at <= $1 and target = $2
    order by next_at, size limit 1 for update skip locked
  ), claimed as (
    update anchor a set attempts = a.attempts + 1, next_at = $1::timestamptz + interval '${leaseSec} s'
    from due d where (a.environment, a.shard, a.size, a.target) = (d.environment, d.shard, d.size, d.target)
    returning a.environment, a.shard, a.size, a.target, a.attempts
  )
  select c.*, n.note from claimed c cross join lateral (
    select note from checkpoint_note
    where environment = c.environment and shard = c.shard and size = c.size order by key_number desc limit 1
  ) n order by c.size`;

async function claim({ database, now }: AnchorOptions, target: AnchorTarget): Promise<DueAnchor | undefined> {
  const [due] = await database.query<DueAnchor>(claimSql, [new Date(now()), target.name]);
  return due;
}

/** @returns whether it was taken */
async function keep(options: AnchorOptions, target: AnchorTarget, anchor: DueAnchor): Promise<boolean> {
  const { database, logger, now, deadlineMs = keepDeadlineMs } = options;
  const { environment, shard, size, attempts } = anchor;
  const key = [environment, shard, size, target.name];
  const where = 'where environment = $1 and shard = $2 and size = $3 and target = $4 and done_at is null';
  try {
    const { request, answer } = await within(deadlineMs, target.keep(anchor));
    await database.query(`update anchor set done_at = $5, request = $6, answer = $7, failure = null ${where}`, [
      ...key,
      new Date(now()),
      request,
      answer,
    ]);
    return true;
  } catch (error) {
    const failure = failureText(error);
    if (error instanceof ContradictionError) {
      contradictions.add(1, { target: target.name });
      logger.error({ target: target.name, size, failure }, 'what keeps checkpoints outside contradicts the ledger');
    } else logger.warn({ target: target.name, size, attempts, failure }, 'a checkpoint could not be kept outside');
    const waitSec = Math.min(backoffSecMax, backoffSecMin * 2 ** Math.min(attempts - 1, 10));
    const nextAt = new Date(now() + waitSec * 1_000);
    await database.query(`update anchor set next_at = $5, failure = $6 ${where}`, [...key, nextAt, failure]);
    return false;
  }
}

async function within(deadlineMs: number, sending: Promise<Evidence>): Promise<Evidence> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new AnchorFailure(`no answer within ${deadlineMs} ms`)), deadlineMs);
  try {
    return await Promise.race([sending, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function show({ database, targets, now }: AnchorOptions): Promise<void> {
  const rows = await database.query<{ target: string; count: number; since: Date }>(
    'select target, count(*)::int as count, min(queued_at) as since from anchor where done_at is null group by target',
  );
  for (const { name: target } of targets) {
    const row = rows.find((each) => each.target === target);
    waiting.set(row?.count ?? 0, { target });
    oldest.set(row ? Math.max(0, now() - row.since.getTime()) / 1_000 : 0, { target });
  }
}

const lookIntervalMs = 15_000;

/** Looks for what is to be kept, for each place at its own pace: one that is slow or away delays no other. */
export function anchorWorkers(options: AnchorOptions): Worker[] {
  // Shown where nothing is configured too: an alert whose figure is missing looks like one that never fires.
  for (const target of anchorTargets) {
    for (const figure of [waiting, oldest]) figure.set(0, { target });
    contradictions.add(0, { target });
  }
  return options.targets.map((target) => ({
    name: `anchors ${target.name}`,
    intervalMs: lookIntervalMs,
    work: async () => await keepOutside({ ...options, targets: [target] }),
  }));
}
