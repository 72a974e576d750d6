import type { Realm } from '@gateway/contracts/identity';
import { violatedConstraint, type Queries, type Tx } from '@gateway/persistence';
import { InvalidStateError } from '#src/errors.ts';

/** Who a person is at an issuer: the two together, since another issuer may use the same subject. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

/** The person that a subject is bound to, whatever its state. */
export async function personOfSubject(queries: Queries, realm: Realm, named: Subject): Promise<string | null> {
  const [row] = await queries.query<{ readonly person_id: string }>(
    'select person_id from issuer_subject where realm = $1 and issuer = $2 and subject = $3',
    [realm, named.issuer, named.subject],
  );
  return row?.person_id ?? null;
}

/** @throws InvalidStateError when the subject is another person's */
export async function bindPerson(tx: Tx, realm: Realm, personId: string, named: Subject, at: Date): Promise<void> {
  const written = tx.sql(
    'insert into issuer_subject (realm, person_id, issuer, subject, created_at) values ($1, $2, $3, $4, $5)',
    [realm, personId, named.issuer, named.subject, at],
  );
  await written.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'issuer_subject_of_one_person') throw error;
    throw boundToAnother();
  });
}

export function boundToAnother(): InvalidStateError {
  return new InvalidStateError('the subject is bound to another person');
}
