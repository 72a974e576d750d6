import { chainLinksMax } from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import type { Logger } from '@gateway/runtime';
import { itemsArrived } from '#src/matching/items-arrived.ts';
import { keepAdjustments } from '#src/sides/adjustments.ts';
import { chainBeginning, checkLinks, type ChainPlace, type Shard } from '#src/sides/check-links.ts';
import { feeFindings } from '#src/sides/fee-findings.ts';
import { openFindings } from '#src/sides/findings.ts';
import { factsOfLink, recordsOf } from '#src/sides/ledger-facts.ts';
import { showChain, showReadUpTo } from '#src/sides/observe-sides.ts';
import { movePlace, readPlace } from '#src/sides/places.ts';
import { factsOfOverturns, factsOfRecord } from '#src/sides/record-facts.ts';
import type { Sources } from '#src/sides/sources.ts';

export interface SidesDependencies {
  readonly database: Database;
  readonly sources: Sources;
  readonly logger: Logger;
  readonly now: () => Date;
  /** When a reading has last found everything that an environment's ledger had decided. */
  readonly caughtUpAt: Map<Environment, Date>;
}

/** A page with fewer is the last one for now. */
const fewLinks = chainLinksMax / 4;

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
  const asked = { ...shard, after: after.sequence, afterMs: after.decidedAtMs, limit: chainLinksMax };
  const askedAt = now();
  const read = await sources.links(asked);
  const { links } = read;
  const { sound, problem } = checkLinks(shard, after, read);
  showChain(shard, { isBroken: problem !== null, links: sound.length });
  if (problem !== null) logger.error({ ...shard, problem }, 'the chain of the ledger is broken where it is read');
  if (problem === null && links.length < fewLinks) dependencies.caughtUpAt.set(shard.environment, askedAt);
  const last = sound.at(-1);
  if (!last) {
    if (problem === null) showReadUpTo(shard, askedAt.getTime());
    return false;
  }
  const facts = sound.flatMap((link) => factsOfLink(shard.environment, link));
  const readAt = now();
  const places = recordsOf(facts);
  const records = places.length === 0 ? [] : await sources.records(shard.environment, places);
  await database.transaction(async (tx) => {
    await movePlace(tx, { name, from, to: last.place });
    const stated = [
      ...records.flatMap((record) => factsOfRecord(shard.environment, record, readAt.getTime())),
      ...factsOfOverturns(facts, records, readAt.getTime()),
    ];
    if (facts.length + stated.length > 0) await itemsArrived(tx, { facts: [...facts, ...stated] }, now());
    await keepAdjustments(tx, shard.environment, sound);
    await openFindings(tx, feeFindings(shard.environment, sound, records), now());
  });
  showReadUpTo(shard, last.place.decidedAtMs);
  return problem === null && links.length >= fewLinks;
}
