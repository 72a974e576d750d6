import type { ChainLink, MoneyRecord } from '@gateway/contracts/ledger';
import { environmentSchema, type Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import { itemsArrived } from '#src/matching/items-arrived.ts';
import { withoutRemoved } from '#src/matching/kept-months.ts';
import { keepAdjustments } from '#src/sides/adjustments.ts';
import { chainBeginning, type ChainPlace, type Shard } from '#src/sides/check-links.ts';
import { feeFindings } from '#src/sides/fee-findings.ts';
import { openFindings } from '#src/sides/findings.ts';
import { factsOfLink, recordsOf } from '#src/sides/ledger-facts.ts';
import { showChain, showReadUpTo } from '#src/sides/observe-sides.ts';
import { movePlace, readPlace } from '#src/sides/places.ts';
import { readLinks } from '#src/sides/read-links.ts';
import { factsOfOverturns, factsOfRecord } from '#src/sides/record-facts.ts';
import type { Sources } from '#src/sides/sources.ts';

interface CaughtUp {
  readonly at: Date;
  readonly sequence: number;
}

export interface SidesDependencies {
  readonly database: Database;
  readonly sources: Sources;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Until when, and up to which decision, a reading of this process has found everything that a ledger had decided. */
  readonly caughtUp: Map<Environment, CaughtUp>;
  /** Called with the last link of each page, once it is entered: the ledger had it. */
  readonly saw?: (environment: Environment, link: ChainLink) => void;
}

/** An environment whose ledger was read up to a moment that is longer ago is being caught up with, or cannot be read. */
const readWithinMs = 60_000;

/**
 * Until when an environment's ledger has been read; undefined while it is read from its beginning once more, which another
 * process may have begun.
 */
export async function caughtUpAt(
  { database, caughtUp }: Pick<SidesDependencies, 'database' | 'caughtUp'>,
  environment: Environment,
): Promise<Date | undefined> {
  const known = caughtUp.get(environment);
  if (!known) return undefined;
  const place = await readPlace<ChainPlace | null>(database, ledgerPlaceName({ environment, shard: 0 }));
  return (place?.sequence ?? 0) >= known.sequence ? known.at : undefined;
}

/**
 * The environments whose ledger is read up to now. In those where months of decisions are still to be read, as at the first
 * start and after a rebuild, records are ahead of what is read of the ledger, and nothing follows from that.
 */
export async function environmentsRead(
  dependencies: Pick<SidesDependencies, 'database' | 'caughtUp' | 'now'>,
): Promise<Environment[]> {
  const since = dependencies.now().getTime() - readWithinMs;
  const read: Environment[] = [];
  for (const environment of environmentSchema.options) {
    const at = await caughtUpAt(dependencies, environment);
    if (at && at.getTime() >= since) read.push(environment);
  }
  return read;
}

function ledgerPlaceName({ environment, shard }: Shard): string {
  return `ledger ${environment}.${shard}`;
}

/**
 * Reads what a shard of the ledger has decided since, checks it, and asks the other services for the records that it is
 * about. Both sides are entered together with the place in the chain, so that what agrees is matched at once, and after a
 * crash the same is read once more. The chain has no gaps: no decision is missed, in whatever order services committed
 * theirs. Records that no decision is about are found when all of them are read (`read-records.ts`).
 *
 * @returns whether there is probably more
 */
export async function readLedger(dependencies: SidesDependencies, shard: Shard): Promise<boolean> {
  const { database, sources, logger, now } = dependencies;
  const name = ledgerPlaceName(shard);
  const from = await readPlace<ChainPlace>(database, name);
  const after = from ?? chainBeginning;
  const { sound, problem, isMore, incarnation, askedAt, isUpToDate } = await readLinks(dependencies, shard, after);
  showChain(shard, { isBroken: problem !== null, links: sound.length });
  if (problem !== null) logger.error({ ...shard, problem }, 'the chain of the ledger is broken where it is read');
  const last = sound.at(-1);
  if (!last) {
    if (problem !== null) return false;
    dependencies.caughtUp.set(shard.environment, { at: askedAt, sequence: after.sequence });
    showReadUpTo(shard, askedAt.getTime());
    return false;
  }
  const facts = sound.flatMap((link) => factsOfLink(shard.environment, link));
  const readAt = now();
  const places = recordsOf(facts);
  const records = places.length === 0 ? [] : await sources.records(shard.environment, places);
  await database.transaction(async (tx) => {
    await movePlace(tx, { name, from, to: last.place });
    const stated = [
      ...refundsFirst(records).flatMap((record) => factsOfRecord(shard.environment, record, readAt.getTime())),
      ...factsOfOverturns(facts, records, readAt.getTime()),
    ];
    const kept = await withoutRemoved(tx, [...facts, ...stated]);
    if (kept.length > 0) await itemsArrived(tx, { facts: kept }, now());
    await keepAdjustments(tx, shard.environment, sound);
    await openFindings(tx, feeFindings(shard.environment, sound, records), now());
  });
  // Only what is entered is read. The chain has decisions in the order of their time.
  if (problem === null) {
    const at = isUpToDate ? askedAt : new Date(last.place.decidedAtMs);
    dependencies.caughtUp.set(shard.environment, { at, sequence: last.place.sequence });
  }
  showReadUpTo(shard, last.place.decidedAtMs);
  const { sequence, hash } = last.place;
  if (incarnation !== undefined)
    dependencies.saw?.(shard.environment, { shard: shard.shard, incarnation, sequence, hash });
  return isMore;
}

/**
 * Of two that say the same, the first is asked about it by night. A refund says what has gone back of its deposit while it is
 * under way too; the deposit does not where nothing else has gone back.
 */
function refundsFirst(records: readonly MoneyRecord[]): MoneyRecord[] {
  const isRefund = ({ kind }: MoneyRecord) => kind === 'refund';
  return [...records.filter(isRefund), ...records.filter((record) => !isRefund(record))];
}
