import { z } from 'zod';
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  createRecoveryCodes,
  listCredentials,
  newPasswordSchema,
  type Passkey,
  passkeyLabelSchema,
  registrationAnswerSchema,
  removePasskey,
  setPassword,
  totpCodeSchema,
} from '@gateway/contracts/identity';
import { NotFoundError } from '@gateway/contracts/errors';
import { callRpc } from '@gateway/messaging';
import { idSchema, isId } from '@gateway/money';
import { signInEndpoint } from '#src/sign-in/sign-in-endpoint.ts';

const passwordTimeoutMs = 10_000;
const anyBody = z.record(z.string(), z.unknown());

/** What the person who is signed in signs in with. Changes take a sign-in of the last five minutes, else 403. */
export const credentialEndpoints = [
  signInEndpoint({
    method: 'GET',
    path: '/passkeys',
    operation: 'listCredentials',
    summary: 'What the person signs in with',
    description:
      'Passkeys with their last use, whether there is a password, how many recovery codes are left, and the subject at the issuer.',
    answers: { 200: anyBody },
    handle: async ({ realm, session }, { bus }) => {
      const { personId } = session();
      const credentials = await callRpc(bus, listCredentials, { realm, personId });
      const { passkeys, hasPassword, recoveryCodesLeft, subject } = credentials;
      const data = passkeys.map(presentPasskey);
      const others = { has_password: hasPassword, recovery_codes_left: recoveryCodesLeft, issuer_subject: subject };
      return { status: 200, body: { data, ...others } };
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/passkeys/begin',
    operation: 'createPasskeyChallenge',
    summary: 'Begin to add a passkey',
    description: 'Answers with what `navigator.credentials.create` is called with.',
    body: z.object({}),
    answers: { 200: anyBody },
    handle: async ({ realm, session }, { bus }) => {
      const holder = { sessionId: session().id };
      const { challengeId, options } = await callRpc(bus, beginPasskey, { realm, holder });
      return { status: 200, body: { challenge_id: challengeId, options } };
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/passkeys',
    operation: 'createPasskey',
    summary: 'Add a passkey',
    description: 'Ten at most. 403 `STEP_UP_REQUIRED` when the session is older than five minutes.',
    body: z.object({
      challenge_id: idSchema('challenge'),
      answer: registrationAnswerSchema,
      label: passkeyLabelSchema,
    }),
    answers: { 201: anyBody },
    handle: async ({ realm, session, body: { challenge_id: challengeId, answer, label } }, { bus }) => {
      const request = { realm, sessionId: session().id, challengeId, answer, label };
      const { passkey } = await callRpc(bus, addPasskey, request);
      return { status: 201, body: { passkey: presentPasskey(passkey) } };
    },
  }),
  signInEndpoint({
    method: 'DELETE',
    path: '/passkeys/:id',
    operation: 'deletePasskey',
    summary: 'Remove a passkey',
    description: 'Ends the other sessions of the person. The last way to sign in stays: 409 `INVALID_STATE`.',
    answers: { 204: null },
    handle: async ({ realm, session, params: { id = '' } }, { bus }) => {
      if (!isId('passkey', id)) throw new NotFoundError('passkey');
      await callRpc(bus, removePasskey, { realm, sessionId: session().id, passkeyId: id });
      return { status: 204 };
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/password/begin',
    operation: 'createTotpSecret',
    summary: 'Begin to set a password: a new secret for time-based codes',
    description: 'The secret is shown this once, for the password that is set with a code of it.',
    body: z.object({}),
    answers: { 200: anyBody },
    handle: async ({ realm, session }, { bus }) => {
      const { challengeId, secret, uri } = await callRpc(bus, beginTotp, {
        realm,
        holder: { sessionId: session().id },
      });
      return { status: 200, body: { challenge_id: challengeId, secret, uri } };
    },
  }),
  signInEndpoint({
    method: 'PUT',
    path: '/password',
    operation: 'replacePassword',
    summary: 'Set password and time-based codes together',
    description:
      'Ends the other sessions of the person. 403 `STEP_UP_REQUIRED` when the session is older than five minutes.',
    timeoutMs: passwordTimeoutMs,
    body: z.object({ challenge_id: idSchema('challenge'), password: newPasswordSchema, code: totpCodeSchema }),
    answers: { 204: null },
    handle: async ({ realm, session, body: { challenge_id: challengeId, password, code } }, { bus }) => {
      await callRpc(bus, setPassword, { realm, sessionId: session().id, challengeId, password, code });
      return { status: 204 };
    },
  }),
  signInEndpoint({
    method: 'POST',
    path: '/recovery-codes',
    operation: 'createRecoveryCodes',
    summary: 'Ten new recovery codes in the place of all before',
    description: 'Shown this once. 403 `STEP_UP_REQUIRED` when the session is older than five minutes.',
    timeoutMs: passwordTimeoutMs,
    body: z.object({}),
    answers: { 201: anyBody },
    handle: async ({ realm, session }, { bus }) => {
      const { codes } = await callRpc(bus, createRecoveryCodes, { realm, sessionId: session().id });
      return { status: 201, body: { codes } };
    },
  }),
];

function presentPasskey({ id, label, backedUp, createdAt, lastUsedAt }: Passkey) {
  return { id, label, backed_up: backedUp, created_at: createdAt, last_used_at: lastUsedAt };
}
