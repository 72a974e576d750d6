import { z } from 'zod';
import {
  type Invitation,
  operatorRoleSchema,
  type Person,
  serviceTokenScopeSchema,
  type ServiceToken,
  type Session,
  type SignIn,
} from '@gateway/contracts/identity';
import { count, flag, objectName, recordId, text, unixSeconds } from '@gateway/public-api';

const rolesSchema = z.array(operatorRoleSchema).meta({ description: 'What they may do.', examples: [['duty']] });

const personShape = {
  id: recordId('person', 'The id of the person.'),
  object: objectName('person'),
  name: text('What the person signs in as, and what the audit trail shows.', 'carla.reis'),
  state: z
    .enum(['INVITED', 'ACTIVE', 'SUSPENDED'])
    .describe('`INVITED`: has enrolled, and is to be confirmed. `ACTIVE`: may sign in. `SUSPENDED`: may not.'),
  roles: rolesSchema,
  passkeys: count('How many passkeys the person has.', 2),
  has_password: flag('Whether the person also signs in by password and codes.'),
  last_sign_in_at: unixSeconds('When the person signed in last.').nullable(),
  created_at: unixSeconds('When the person enrolled.'),
};
export const personSchema = z.object(personShape).meta({ id: 'Operator', description: 'A person who operates.' });
export const personAnswer = z
  .object({ person: personSchema })
  .meta({ id: 'OperatorAnswer', description: 'A person as it is now.' });

export const sessionSchema = z
  .object({
    id: recordId('session', 'The id of the session.'),
    factor: z.enum(['passkey', 'password', 'recovery_code', 'link', 'issuer']).describe('What it was begun with.'),
    address: text('Where it was begun from.', '203.0.113.7'),
    user_agent: text('The browser.', 'Mozilla/5.0'),
    created_at: unixSeconds('When it was begun.'),
    last_seen_at: unixSeconds('The last request of the person.'),
    ends_at: unixSeconds('When it ends at the latest.'),
  })
  .meta({ id: 'OperatorSession', description: 'A session that has not ended.' });

export const invitationSchema = z
  .object({
    id: recordId('invitation', 'The id of the invitation.'),
    object: objectName('invitation'),
    name: text('Whom it is for.', 'carla.reis'),
    state: z
      .enum(['OPEN', 'ACCEPTED', 'CONFIRMED', 'REVOKED', 'EXPIRED'])
      .describe('`OPEN`: the link can be opened. `ACCEPTED`: a person has enrolled, and is to be confirmed.'),
    purpose: z
      .enum(['invitation', 'recovery', 'bootstrap'])
      .describe('`recovery`: of a person who has lost every credential. `bootstrap`: by who runs the gateway.'),
    roles: rolesSchema,
    invited_by: text('The id of who confirms it; `bootstrap` for no person.', 'per_01k9z3m4v6t8x0a2c4e6g8jk01'),
    person_id: recordId('person', 'Who enrolled by it.').nullable(),
    passkey_label: text('What the person called the passkey, to ask about.', 'laptop of Carla').nullable(),
    subject: text('Who the person is at the issuer; null where it was not bound.', '248289761001').nullable(),
    created_at: unixSeconds('When it was made.'),
    ends_at: unixSeconds('Until when the link can be opened.'),
  })
  .meta({ id: 'OperatorInvitation', description: 'An invitation to operate.' });
export const invitationAnswer = z
  .object({ invitation: invitationSchema })
  .meta({ id: 'OperatorInvitationAnswer', description: 'An invitation as it is now.' });

export const serviceTokenSchema = z
  .object({
    id: recordId('serviceToken', 'The id of the token, under which the audit trail shows it.'),
    object: objectName('service_token'),
    name: text('What it is for.', 'nightly export'),
    scopes: z
      .array(serviceTokenScopeSchema)
      .meta({ description: 'The permissions that it has.', examples: [['records:read']] }),
    allowlist: z
      .array(z.string())
      .meta({ description: 'The addresses it may be used from; none means any.', examples: [['203.0.113.7']] }),
    created_by: text('The id of the person who made or proposed it.', 'per_01k9z3m4v6t8x0a2c4e6g8jk01'),
    approved_by: text(
      'The id of the person who approved it and was shown it; null of one that only reads. Both people answer for what ' +
        'it does, and neither approves what it proposes.',
      'per_01k9z3m4v6t8x0a2c4e6g8jk02',
    ).nullable(),
    created_at: unixSeconds('When it was made.'),
    ends_at: unixSeconds('When it ends.'),
    last_used_at: unixSeconds('When it was last used, to the minute.').nullable(),
    revoked_at: unixSeconds('When it was revoked.').nullable(),
  })
  .meta({ id: 'ServiceToken', description: 'A token for automation, without its secret.' });

export const signInSchema = z
  .object({
    id: recordId('signIn', 'The id of the entry.'),
    object: objectName('sign_in'),
    realm: z.enum(['operator', 'merchant']).describe('Whose it is: of operators, or of the people of merchants.'),
    person_id: recordId('person', 'The person; null for a name or passkey that is unknown.').nullable(),
    name: text('The name as it was typed.', 'carla.reis').nullable(),
    what: text('What was done or refused.', 'sign_in.passkey'),
    outcome: z.enum(['done', 'refused']).describe('Whether it was done.'),
    detail: text('Why it was refused, or what was changed.', 'wrong code'),
    by: text('Who did it, where that is not the person.', 'bootstrap').nullable(),
    address: text('Where the request came from.', '203.0.113.7'),
    user_agent: text('The browser.', 'Mozilla/5.0'),
    at: unixSeconds('When it was.'),
  })
  .meta({ id: 'SignIn', description: 'A sign-in, a refusal, or a change of people.' });

export function presentOperator(person: Person) {
  const { id, name, state, roles, passkeys, hasPassword, lastSignInAt, createdAt } = person;
  const times = { last_sign_in_at: lastSignInAt, created_at: createdAt };
  return { id, object: 'person', name, state, roles, passkeys, has_password: hasPassword, ...times };
}

export function presentSession({ id, factor, address, userAgent, createdAt, lastSeenAt, endsAt }: Session) {
  const times = { created_at: createdAt, last_seen_at: lastSeenAt, ends_at: endsAt };
  return { id, factor, address, user_agent: userAgent, ...times };
}

export function presentInvitation(invitation: Invitation) {
  const { id, name, state, purpose, roles, invitedBy, personId, passkeyLabel, subject, createdAt, endsAt } = invitation;
  return {
    ...{ id, object: 'invitation', name, state, purpose, roles, invited_by: invitedBy, person_id: personId },
    ...{ passkey_label: passkeyLabel, subject, created_at: createdAt, ends_at: endsAt },
  };
}

export function presentServiceToken(token: ServiceToken) {
  const { id, name, scopes, allowlist, createdBy, approvedBy, createdAt, endsAt, lastUsedAt, revokedAt } = token;
  const times = { created_at: createdAt, ends_at: endsAt, last_used_at: lastUsedAt, revoked_at: revokedAt };
  return {
    id,
    object: 'service_token',
    name,
    scopes,
    allowlist,
    created_by: createdBy,
    approved_by: approvedBy,
    ...times,
  };
}

export function presentSignIn({ personId, userAgent, ...entry }: SignIn) {
  return { ...entry, object: 'sign_in', person_id: personId, user_agent: userAgent };
}
