import type { Realm } from '@gateway/contracts/identity';
import type { Database } from '@gateway/persistence';
import { networkOf } from '@gateway/runtime/http';
import {
  addressLimit,
  challengeLimit,
  invitationLimit,
  afterAttempt,
  nameLimit,
  type AttemptLimit,
  type Attempts,
} from '#src/attempts/attempt-limit.ts';
import { TooManyAttemptsError } from '#src/errors.ts';
import { later } from '#src/times.ts';

interface AttemptsRow {
  readonly count: number;
  readonly since: Date;
  readonly blocked_until: Date | null;
}

/** An attempt that is counted already, until it turns out to be right. */
export interface Attempt {
  /**
   * It does not count, nor do the wrong ones for the name before it. An address that has to wait waits on: who has one
   * account would otherwise guess at others without end.
   */
  succeeded(): Promise<void>;
}

/**
 * Counts an attempt of an address and, where one is given, for a name, before it is decided: no number of them at once
 * gets past the limit. The counts are shared by all replicas.
 *
 * @throws TooManyAttemptsError RATE_LIMITED
 */
export async function beginAttempt(
  database: Database,
  { realm, address, name }: { readonly realm: Realm; readonly address: string; readonly name?: string },
  now: Date,
): Promise<Attempt> {
  const ofAddress = `address ${realm} ${networkOf(address)}`;
  await count(database, ofAddress, addressLimit, now);
  const ofName = name === undefined ? undefined : `name ${realm} ${name}`;
  if (ofName !== undefined) await count(database, ofName, nameLimit, now);
  return {
    succeeded: async () => {
      await database.query('update attempts set count = greatest(count - 1, 0) where key = $1', [ofAddress]);
      if (ofName !== undefined) await database.query('delete from attempts where key = $1', [ofName]);
    },
  };
}

/**
 * Counts a challenge that an address asks for: each is a row, and none of them is an attempt.
 *
 * @throws TooManyAttemptsError RATE_LIMITED
 */
export async function spendChallenge(
  database: Database,
  { realm, address }: { readonly realm: Realm; readonly address: string },
  now: Date,
): Promise<void> {
  await count(database, `challenge ${realm} ${networkOf(address)}`, challengeLimit, now);
}

/**
 * Counts an invitation of an account: names are unique among all merchants, so each refusal says that a name is there.
 *
 * @throws TooManyAttemptsError RATE_LIMITED
 */
export async function spendInvitation(database: Database, accountId: string, now: Date): Promise<void> {
  await count(database, `invitation ${accountId}`, invitationLimit, now);
}

/** Removes what counts no longer. */
export async function forgetAttempts(database: Database, now: Date): Promise<void> {
  const quiet = later(now, -nameLimit.windowSec);
  await database.query('delete from attempts where since < $1 and (blocked_until is null or blocked_until < $1)', [
    quiet,
  ]);
}

async function count(database: Database, key: string, limit: AttemptLimit, now: Date): Promise<void> {
  const blockedUntil = await database.transaction(async (tx) => {
    // Locks the row, and makes it anew where a sign-in that was right, or the time, has just removed it.
    const [row] = await tx.sql<AttemptsRow>(
      `insert into attempts (key, count, since) values ($1, 0, $2)
       on conflict (key) do update set key = excluded.key returning *`,
      [key, now],
    );
    if (!row) throw new Error('the attempts were not written');
    const before: Attempts = { count: row.count, since: row.since, blockedUntil: row.blocked_until };
    const after = afterAttempt(before, limit, now);
    if (after === before) return before.blockedUntil;
    await tx.sql('update attempts set count = $2, since = $3, blocked_until = $4 where key = $1', [
      key,
      after.count,
      after.since,
      after.blockedUntil,
    ]);
    return null;
  });
  if (!blockedUntil) return;
  throw new TooManyAttemptsError(Math.max(1, Math.ceil((blockedUntil.getTime() - now.getTime()) / 1_000)));
}
