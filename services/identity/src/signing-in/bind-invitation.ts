import { z } from 'zod';
import type { Realm } from '@gateway/contracts/identity';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { Dependencies } from '#src/dependencies.ts';
import { keepChallenge, takeChallenge } from '#src/passkeys/challenges.ts';
import { boundToAnother, personOfSubject, type Subject } from '#src/people/subjects.ts';

const namedSchema = z.object({ issuer: z.string(), subject: z.string() });

interface OfInvitation {
  readonly realm: Realm;
  readonly invitationId: string;
}

/**
 * Keeps who the invited person is at the issuer, for the one enrolment that brings the id back. It is not written into the
 * invitation before: who has only seen the link could put an own account there, and wait for the person to enrol.
 *
 * @throws NotFoundError for an invitation that was used, revoked or is too old by now
 * @throws InvalidStateError when the subject is another person's
 */
export async function keepBinding(
  dependencies: Pick<Dependencies, 'database' | 'box' | 'now'>,
  { realm, invitationId }: OfInvitation,
  { issuer, subject }: Subject,
): Promise<string> {
  const { database, now } = dependencies;
  const [open] = await database.query<{ readonly person_id: string }>(
    "select person_id from invitation where realm = $1 and id = $2 and state = 'OPEN' and ends_at > $3",
    [realm, invitationId, now()],
  );
  if (!open) throw new NotFoundError('invitation');
  const bound = await personOfSubject(database, realm, { issuer, subject });
  if (bound !== null && bound !== open.person_id) throw boundToAnother();
  const kept = { realm, kind: 'subject', holder: invitationId } as const;
  return await keepChallenge(dependencies, kept, JSON.stringify({ issuer, subject }));
}

/** @throws ValidationError when it is unknown, used, too old or of another invitation */
export async function takeBinding(
  dependencies: Pick<Dependencies, 'database' | 'box' | 'now'>,
  { realm, invitationId }: OfInvitation,
  bindingId: string,
): Promise<Subject> {
  const kept = await takeChallenge(dependencies, { realm, kind: 'subject', holder: invitationId }, bindingId);
  if (kept === null)
    throw new ValidationError([{ path: 'binding_id', message: 'is not open: sign in at the issuer again' }]);
  return namedSchema.parse(JSON.parse(kept));
}
