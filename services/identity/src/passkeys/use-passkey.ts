import type { AuthenticationAnswer, Realm } from '@gateway/contracts/identity';
import type { Database, Tx } from '@gateway/persistence';
import type { PasskeyRow } from '#src/passkeys/passkey-row.ts';

/** The passkey that an answer names, whatever the state of its person. */
export async function findPasskey(
  database: Database,
  realm: Realm,
  answer: AuthenticationAnswer,
): Promise<PasskeyRow | undefined> {
  const credentialId = Buffer.from(answer.rawId, 'base64url');
  const [row] = await database.query<PasskeyRow>('select * from passkey where realm = $1 and credential_id = $2', [
    realm,
    credentialId,
  ]);
  return row;
}

/**
 * Records that it was used. Of two answers with one counter the second finds it changed: an authenticator that counts was
 * copied, or the answer was. Those that do not count stay at 0.
 */
export async function passkeyUsed(
  tx: Tx,
  { realm, passkey, counter, at }: { realm: Realm; passkey: PasskeyRow; counter: number; at: Date },
): Promise<boolean> {
  const used = await tx.sql(
    `update passkey set counter = $4, last_used_at = $5 where realm = $1 and id = $2 and counter = $3 returning id`,
    [realm, passkey.id, passkey.counter, counter, at],
  );
  return used.length > 0;
}
