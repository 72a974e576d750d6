import type { Client, Factor, Realm, Session } from '@gateway/contracts/identity';
import { newId } from '@gateway/money';
import { queriesIn, type Tx } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { recordDone } from '#src/history/record.ts';
import { readSession } from '#src/sessions/read-session.ts';
import { sessionTimes } from '#src/sessions/session-row.ts';
import { later } from '#src/times.ts';
import { digestOf, newToken } from '#src/tokens.ts';

/**
 * What is enrolled in a session that a stolen recovery code, or an account at the issuer that was taken over, may have begun
 * is of no use for money before the person had time to notice.
 */
export const untrustedStepUpSec = 86_400;

interface SignedIn {
  readonly token: string;
  readonly session: Session;
}

export interface Entry {
  readonly realm: Realm;
  readonly personId: string;
  readonly factor: Factor;
  /** From when on what it signed in with may confirm operations. */
  readonly stepUpFrom: Date;
  readonly client: Client;
}

/** A session of a person who has shown a valid credential, in the transaction that used the credential. */
export async function beginSession(tx: Tx, { now, config }: Dependencies, entry: Entry): Promise<SignedIn> {
  const { realm, personId, factor, stepUpFrom, client } = entry;
  const [at, token, id] = [now(), newToken(), newId('session')];
  const endsAt = later(at, sessionTimes[realm].longestSec);
  await tx.sql(
    `insert into session (realm, id, person_id, factor, token_digest, token_issued_at, step_up_from, address, user_agent,
                          created_at, last_seen_at, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $6, $6, $10)`,
    [realm, id, personId, factor, digestOf(token), at, stepUpFrom, client.address, client.userAgent, endsAt],
  );
  await tx.sql('update person set last_sign_in_at = $3 where realm = $1 and id = $2', [realm, personId, at]);
  const session = await readSession(queriesIn(tx), { realm, sessionId: id, at }, config);
  await recordDone(tx, { realm, personId, name: session.personName, what: `sign_in.${factor}`, client }, at);
  return { token, session };
}
