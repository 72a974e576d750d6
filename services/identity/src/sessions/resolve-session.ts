import type { Realm, resolveSession as contract } from '@gateway/contracts/identity';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import type { Queries } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { SessionEndedError } from '#src/errors.ts';
import { inForce, sessionColumns, toSession, type SessionRow } from '#src/sessions/session-row.ts';
import { later } from '#src/times.ts';
import { digestOf, fromHex, newToken } from '#src/tokens.ts';

/** A token works no longer than that, and for a moment after it was replaced: requests under way still carry it. */
const rotationSec = 900;
const graceSec = 30;
/** Real requests within it are one: each would be a write. */
const seenEverySec = 10;

/** @throws SessionEndedError SESSION_ENDED */
export async function resolveSession(
  { database, config, now }: Pick<Dependencies, 'database' | 'config' | 'now'>,
  { realm, tokenDigest, active }: PayloadOf<{ payload: typeof contract.request }>,
): Promise<ReplyOf<typeof contract>> {
  const at = now();
  const presented = fromHex(tokenDigest);
  const [row] = await database.query<SessionRow>(
    `select ${sessionColumns} from session s join person p on p.realm = s.realm and p.id = s.person_id
     where s.realm = $1 and ${inForce}
       and (s.token_digest = $3 or s.previous_digest = $3 and s.previous_ends_at > $2)`,
    [realm, at, presented],
  );
  if (!row) throw new SessionEndedError();
  if (!active) return { session: toSession(row, config), rotatedToken: null };
  const isCurrent = row.token_digest.equals(presented);
  const isDue = row.rotation_due || later(row.token_issued_at, rotationSec) <= at;
  // Of requests that come with one token at once, one replaces it; the others are answered within its grace.
  const replaced = { realm, sessionId: row.session_id, expected: row.token_digest, at };
  const rotatedToken = isCurrent && isDue ? await replaceToken(database, replaced) : null;
  const seen = rotatedToken === null && later(row.last_seen_at, seenEverySec) > at;
  if (!seen) {
    await database.query('update session set last_seen_at = greatest(last_seen_at, $3) where realm = $1 and id = $2', [
      realm,
      row.session_id,
      at,
    ]);
  }
  return { session: toSession({ ...row, last_seen_at: seen ? row.last_seen_at : at }, config), rotatedToken };
}

/** Gives a session another token. Null when another request has done so since `expected` was read. */
export async function replaceToken(
  queries: Queries,
  where: { readonly realm: Realm; readonly sessionId: string; readonly expected?: Buffer; readonly at: Date },
): Promise<string | null> {
  const { realm, sessionId, expected, at } = where;
  const token = newToken();
  const replaced = await queries.query(
    `update session set previous_digest = token_digest, previous_ends_at = $4, token_digest = $3, token_issued_at = $5,
                        rotation_due = false
     where realm = $1 and id = $2 and ended_at is null and ($6::bytea is null or token_digest = $6) returning id`,
    [realm, sessionId, digestOf(token), later(at, graceSec), at, expected ?? null],
  );
  return replaced.length > 0 ? token : null;
}
