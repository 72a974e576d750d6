import type { ItemKind } from '@gateway/contracts/reconciler';
import type { Environment } from '@gateway/contracts/values';
import { lockMatching } from '#src/matching/lock-matching.ts';
import type { SidesDependencies } from '#src/sides/read-ledger.ts';
import { enterChanged } from '#src/sides/read-records.ts';
import { factsOfRecord } from '#src/sides/record-facts.ts';

const pageMatches = 400;
/** A service commits what the ledger has decided within this time, and the ledger what a record announces. */
const settleMs = 4_000;
/** After it, what record and ledger say differently is an exception, however long a statement may take. */
const differsMs = 30_000;

interface Differing {
  readonly environment: Environment;
  readonly provider: string;
  readonly currency: string;
  readonly subject: string;
  readonly accountId: string | null;
}

/** They are booked by their line, and have no record. */
const notCompared: readonly ItemKind[] = ['provider_fee', 'own_transfer', 'batch'];

/** The matches whose record and ledger differ since a while; the index `match_differs` has them, and normally none. */
const differingSql = `
  select environment, provider, currency, subject, account_id as "accountId" from match
  where state = 'waiting' and r_amount <> l_amount and environment = $1 and first_seen_at <= $2
    and kind <> all($3::text[])
  order by first_seen_at limit $4`;

/**
 * Asks again for records that say something else than the ledger, since they may have changed while both were read. What
 * differs for half a minute, with the ledger read up to there, will not become equal by waiting: its time is up, whatever a
 * statement has.
 */
export async function askAgain(dependencies: SidesDependencies, environment: Environment): Promise<void> {
  const { database, sources, now } = dependencies;
  const caughtUpAt = dependencies.caughtUpAt.get(environment);
  const readAt = now();
  const since = new Date(readAt.getTime() - settleMs);
  const differing = await database.query<Differing>(differingSql, [environment, since, notCompared, pageMatches]);
  if (differing.length === 0) return;
  const places = differing.flatMap(({ accountId, subject }) => {
    const id = subject.split(':')[1];
    return accountId !== null && id !== undefined ? [{ accountId, id }] : [];
  });
  const records = await sources.records(environment, places);
  const facts = records.flatMap((record) => factsOfRecord(environment, record, readAt.getTime()));
  await database.transaction(async (tx) => {
    await lockMatching(tx, [{ environment }]);
    await enterChanged(tx, facts, now());
    if (!caughtUpAt) return;
    await tx.sql(
      `update match set deadline_at = $1
       where state = 'waiting' and r_amount <> l_amount and environment = $2 and first_seen_at <= $3 and deadline_at > $1
         and kind <> all($4::text[]) and subject = any($5::text[])`,
      [
        now(),
        environment,
        new Date(Math.min(readAt.getTime() - differsMs, caughtUpAt.getTime())),
        notCompared,
        differing.map(({ subject }) => subject),
      ],
    );
  });
}
