import type { Realm } from '@gateway/contracts/identity';
import { newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { later } from '#src/times.ts';

/** For so long a browser may answer. */
export const challengeLifeSec = 300;

interface Challenge {
  readonly realm: Realm;
  readonly kind: 'sign_in' | 'passkey' | 'totp' | 'subject';
  /** The session or invitation that enrols; null for a sign-in. */
  readonly holder: string | null;
}

/** Keeps what a browser is to answer, what a code is to fit, or who an issuer has named, sealed for this one row. */
export async function keepChallenge(
  { database, box, now }: Pick<Dependencies, 'database' | 'box' | 'now'>,
  { realm, kind, holder }: Challenge,
  secret: string,
): Promise<string> {
  const id = newId('challenge');
  await database.query(
    'insert into challenge (realm, id, kind, holder, sealed, ends_at) values ($1, $2, $3, $4, $5, $6)',
    [realm, id, kind, holder, box.seal(secret, id), later(now(), challengeLifeSec)],
  );
  return id;
}

/**
 * Takes it away with whatever answer comes: right or wrong, there is one. Null when it is unknown, was answered, is too old
 * or of another holder.
 */
export async function takeChallenge(
  { database, box, now }: Pick<Dependencies, 'database' | 'box' | 'now'>,
  { realm, kind, holder }: Challenge,
  id: string,
): Promise<string | null> {
  const [row] = await database.query<{ readonly sealed: string; readonly ends_at: Date }>(
    `delete from challenge where realm = $1 and id = $2 and kind = $3 and holder is not distinct from $4
     returning sealed, ends_at`,
    [realm, id, kind, holder],
  );
  return row && row.ends_at > now() ? box.open(row.sealed, id) : null;
}

export async function forgetChallenges(database: Database, now: Date): Promise<void> {
  await database.query('delete from challenge where ends_at < $1', [now]);
  await database.query('delete from step_up where ends_at < $1', [now]);
}
