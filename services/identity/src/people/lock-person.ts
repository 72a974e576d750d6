import type { Realm } from '@gateway/contracts/identity';
import type { Tx } from '@gateway/persistence';

/** Two changes of one person's credentials are made one after the other. */
export async function lockPerson(tx: Tx, realm: Realm, personId: string): Promise<void> {
  await tx.sql('select from person where realm = $1 and id = $2 for update', [realm, personId]);
}

/**
 * Whether a person may sign in, now and until the end of the transaction. What takes a credential or the person's rights away
 * ends the sessions that it finds: it comes before this, and is seen here, or after it, and finds the session that is begun.
 * Sign-ins of one person come one after the other: each writes the person's row later on, and of two that share it each would
 * wait for the other.
 */
export async function lockActivePerson(tx: Tx, realm: Realm, personId: string): Promise<boolean> {
  const [person] = await tx.sql<{ readonly state: string }>(
    'select state from person where realm = $1 and id = $2 for no key update',
    [realm, personId],
  );
  return person?.state === 'ACTIVE';
}
