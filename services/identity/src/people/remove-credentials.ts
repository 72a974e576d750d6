import type { Realm } from '@gateway/contracts/identity';
import type { Tx } from '@gateway/persistence';

/** All a person could sign in with. */
export async function removeCredentials(tx: Tx, realm: Realm, personId: string): Promise<void> {
  for (const table of ['passkey', 'password', 'totp', 'recovery_code', 'sign_in_link']) {
    await tx.sql(`delete from ${table} where realm = $1 and person_id = $2`, [realm, personId]);
  }
}
