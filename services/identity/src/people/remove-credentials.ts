import type { Realm } from '@gateway/contracts/identity';
import type { Tx } from '@gateway/persistence';
import { lockPerson } from '#src/people/lock-person.ts';

/** All a person could sign in with. The person is locked first, as a sign-in does: neither waits for the other in turn. */
export async function removeCredentials(tx: Tx, realm: Realm, personId: string): Promise<void> {
  await lockPerson(tx, realm, personId);
  for (const table of ['passkey', 'password', 'totp', 'recovery_code', 'sign_in_link', 'issuer_subject']) {
    await tx.sql(`delete from ${table} where realm = $1 and person_id = $2`, [realm, personId]);
  }
}
