import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  acceptInvitation,
  beginPasskey,
  beginTotp,
  type Invitation,
  newPasswordSchema,
  passkeyLabelSchema,
  readInvitation,
  registrationAnswerSchema,
  tokenSchema,
  totpCodeSchema,
} from '@gateway/contracts/identity';
import { callRpc } from '@gateway/messaging';
import { idSchema } from '@gateway/money';
import { signInEndpoint } from '#src/sign-in/sign-in-endpoint.ts';

const passwordTimeoutMs = 10_000;
const anyBody = z.record(z.string(), z.unknown());
/** The token is in the fragment of the link, and comes in a body: it is in no log. */
const linkBody = z.object({ token: tokenSchema });

/** What an invited person does with the link: see whose it is, and enrol. */
export const invitationEndpoints = [
  signInEndpoint({
    method: 'POST',
    path: '/invitations/read',
    operation: 'getInvitation',
    summary: 'Read the invitation of a link',
    description: '404 for a link that is unknown, used, revoked or too old.',
    body: linkBody,
    answers: { 200: anyBody },
    handle: async ({ realm, body: { token } }, { bus }) => {
      const { invitation } = await callRpc(bus, readInvitation, { realm, tokenDigest: hash('sha256', token) });
      return { status: 200, body: { invitation: presentInvitation(invitation) } };
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/invitations/passkey',
    operation: 'createInvitedPasskeyChallenge',
    summary: 'Begin to enrol by a passkey',
    description: 'Answers with what `navigator.credentials.create` is called with.',
    body: linkBody,
    answers: { 200: anyBody },
    handle: async ({ realm, body: { token } }, { bus }) => {
      const holder = { invitationDigest: hash('sha256', token) };
      const { challengeId, options } = await callRpc(bus, beginPasskey, { realm, holder });
      return { status: 200, body: { challenge_id: challengeId, options } };
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/invitations/password',
    operation: 'createInvitedTotpSecret',
    summary: 'Begin to enrol by a password: a secret for time-based codes',
    description: 'The secret is shown this once.',
    body: linkBody,
    answers: { 200: anyBody },
    handle: async ({ realm, body: { token } }, { bus }) => {
      const holder = { invitationDigest: hash('sha256', token) };
      const { challengeId, secret, uri } = await callRpc(bus, beginTotp, { realm, holder });
      return { status: 200, body: { challenge_id: challengeId, secret, uri } };
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/invitations/accept',
    operation: 'confirmEnrolment',
    summary: 'Enrol by the link, which is used up',
    description: 'The person may sign in once the inviter has confirmed who enrolled; at once after bootstrap.',
    timeoutMs: passwordTimeoutMs,
    body: z.object({
      token: tokenSchema,
      challenge_id: idSchema('challenge'),
      /** From the address of the page, where the person has signed in at the issuer first. */
      binding_id: idSchema('challenge').optional(),
      credential: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('passkey'), answer: registrationAnswerSchema, label: passkeyLabelSchema }),
        z.object({ kind: z.literal('password'), password: newPasswordSchema, code: totpCodeSchema }),
      ]),
    }),
    answers: { 200: anyBody },
    handle: async ({ realm, client, body }, { bus }) => {
      const { token, challenge_id: challengeId, binding_id: bindingId, credential } = body;
      const bound = bindingId === undefined ? {} : { bindingId };
      const request = { realm, client, tokenDigest: hash('sha256', token), challengeId, ...bound, credential };
      const { invitation, recoveryCodes } = await callRpc(bus, acceptInvitation, request);
      return { status: 200, body: { invitation: presentInvitation(invitation), recovery_codes: recoveryCodes } };
    },
  }),
];

function presentInvitation({ id, name, roles, membership, state, endsAt }: Invitation) {
  const account = membership && { account_id: membership.accountId, roles: membership.roles };
  return { id, name, roles, account, state, ends_at: endsAt };
}
