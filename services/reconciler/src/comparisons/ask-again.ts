import type { MoneyRecordPlace } from '@gateway/contracts/ledger';
import type { ItemKind } from '@gateway/contracts/reconciler';
import type { Environment } from '@gateway/contracts/values';
import { lockMatching } from '#src/matching/lock-matching.ts';
import { caughtUpAt, type SidesDependencies } from '#src/sides/read-ledger.ts';
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
  readonly firstSeenAt: Date;
}

/** They are booked by their line, and have no record. */
const notCompared: readonly ItemKind[] = ['provider_fee', 'own_transfer', 'batch'];
/** They follow the steps of a record, and have the time of their kind. */
const inSteps: readonly ItemKind[] = ['clearing', 'refunded'];

/** What is asked about: what differs and waits, or what has been an exception for a while. */
export type Differences = 'waiting' | 'unexplained';

const statesOf = { waiting: `state = 'waiting'`, unexplained: `state in ('unexplained', 'proposed')` } as const;

/**
 * The matches whose record and ledger differ since a while, normally none, in pages: where they are many, as while the ledger
 * cannot be read, the next round goes on where this one ends, and none waits for those before it to become equal.
 */
const differingSql = (differences: Differences) => `
  select environment, provider, currency, subject, account_id as "accountId", first_seen_at as "firstSeenAt" from match
  where ${statesOf[differences]} and r_amount <> l_amount and environment = $1 and first_seen_at <= $2
    and kind <> all($3::text[]) and (first_seen_at, subject) > ($4, $5)
  order by first_seen_at, subject limit ${pageMatches}`;

/** Of the last item of each round that was not the end: the next one goes on behind it, and begins anew behind all. */
export class AskedPlaces {
  readonly #places = new Map<string, readonly [Date, string]>();

  after(round: string): readonly [Date, string] {
    return this.#places.get(round) ?? [new Date(0), ''];
  }

  /** @param last of a page that is full */
  move(round: string, last: readonly [Date, string] | undefined): void {
    if (last) this.#places.set(round, last);
    else this.#places.delete(round);
  }
}

/**
 * Asks again for records that say something else than the ledger, since they may have changed while both were read. What
 * differs for half a minute, with the ledger read up to there, will not become equal by waiting: its time is up, whatever a
 * statement has.
 *
 * @returns whether there is more
 */
export async function askAgain(
  dependencies: SidesDependencies,
  environment: Environment,
  places: AskedPlaces,
  differences: Differences = 'waiting',
): Promise<boolean> {
  const { database, sources, now } = dependencies;
  const readUntil = await caughtUpAt(dependencies, environment);
  const readAt = now();
  const since = new Date(readAt.getTime() - settleMs);
  const round = `${environment} ${differences}`;
  const after = places.after(round);
  const params = [environment, since, notCompared, ...after];
  const differing = await database.query<Differing>(differingSql(differences), params);
  if (differing.length > 0) {
    const records = await sources.records(environment, recordsOf(differing));
    const facts = records.flatMap((record) => factsOfRecord(environment, record, readAt.getTime()));
    await database.transaction(async (tx) => {
      await lockMatching(tx, [{ environment }]);
      await enterChanged(tx, facts, now());
      if (!readUntil || differences !== 'waiting') return;
      await tx.sql(
        `update match set deadline_at = $1
         where state = 'waiting' and r_amount <> l_amount and environment = $2 and first_seen_at <= $3
           and deadline_at > $1 and kind <> all($4::text[]) and subject = any($5::text[])`,
        [
          ...[now(), environment, new Date(Math.min(readAt.getTime() - differsMs, readUntil.getTime()))],
          ...[[...notCompared, ...inSteps], differing.map(({ subject }) => subject)],
        ],
      );
    });
  }
  const last = differing.length === pageMatches ? differing.at(-1) : undefined;
  places.move(round, last && [last.firstSeenAt, last.subject]);
  return last !== undefined;
}

/** The records that matches are about. */
export function recordsOf(differing: readonly Pick<Differing, 'accountId' | 'subject'>[]): MoneyRecordPlace[] {
  return differing.flatMap(({ accountId, subject }) => {
    const id = subject.split(':')[1];
    return accountId !== null && id !== undefined ? [{ accountId, id }] : [];
  });
}
