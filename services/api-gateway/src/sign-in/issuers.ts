import { hash } from 'node:crypto';
import { z } from 'zod';
import { DomainError } from '@gateway/contracts/errors';
import { beginIssuerSignIn, finishIssuerSignIn, getIssuer, tokenSchema } from '@gateway/contracts/identity';
import { callRpc, type TimedBus } from '@gateway/messaging';
import type { Answer } from '#src/http/endpoint.ts';
import { type SignInCall, signInEndpoint } from '#src/sign-in/sign-in-endpoint.ts';

/** Identity asks the issuer up to three times, three seconds each. */
const issuerTimeoutMs = 10_000;
const answerSchema = finishIssuerSignIn.request.shape.answer;

/** Signing in at the issuer of a realm (OpenID Connect Core 1.0, 3.1): there, back, and into a session. */
export const issuerEndpoints = [
  signInEndpoint({
    method: 'GET',
    path: '/session/issuer',
    operation: 'getIssuer',
    summary: 'The issuer at which people may sign in too',
    description: 'With the name by which they know it; null where none is configured.',
    answers: { 200: z.object({ issuer: z.object({ name: z.string() }).nullable() }) },
    handle: async ({ realm }, { bus }) => ({ status: 200, body: await callRpc(bus, getIssuer, { realm }) }),
  }),
  signInEndpoint({
    method: 'POST',
    path: '/session/issuer',
    operation: 'createIssuerSignIn',
    summary: 'Begin to sign in at the issuer, or to bind an invited person to a subject there',
    description:
      'Answers with the address to go to, and sets a cookie for the answer, for ten minutes. 404 without an issuer; 503 with its name while it does not answer.',
    timeoutMs: issuerTimeoutMs,
    body: z.object({ invitation: tokenSchema.optional() }),
    answers: { 200: z.object({ url: z.string() }) },
    handle: async ({ realm, client, body: { invitation }, keepIssuerToken }, { bus }) => {
      const invitationDigest = invitation === undefined ? null : hash('sha256', invitation);
      const { url, token } = await callRpc(bus, beginIssuerSignIn, { realm, client, invitationDigest });
      keepIssuerToken(token);
      return { status: 200, body: { url } };
    },
  }),
  signInEndpoint({
    method: 'GET',
    path: '/session/issuer/callback',
    operation: 'confirmIssuerSignIn',
    summary: 'Where the issuer sends the browser back to',
    description: 'Leads to a page of the console, whatever came of it; signed in, with the cookie of a session.',
    timeoutMs: issuerTimeoutMs,
    query: z.looseObject({}),
    answers: { 303: null },
    handle: async (call, { bus }) => {
      call.keepIssuerToken(null);
      try {
        return leadTo(await landed(call, bus));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        // A browser is here, and no page of ours: it is led to one that shows what happened.
        return leadTo(`/?sign-in=${error.code === 'SERVICE_UNAVAILABLE' ? 'unavailable' : 'refused'}`);
      }
    },
  }),
];

/** The page that an answer of the issuer leads to. */
async function landed(
  { realm, client, issuerToken, parameters, keepToken }: SignInCall,
  bus: TimedBus,
): Promise<string> {
  const isWhole = issuerToken !== undefined && tokenSchema.safeParse(issuerToken).success;
  if (!isWhole || !answerSchema.safeParse(parameters).success) {
    throw new DomainError('SIGN_IN_REFUSED', 'the answer belongs to no sign-in of this browser');
  }
  const request = { realm, client, tokenDigest: hash('sha256', issuerToken), answer: parameters };
  const finished = await callRpc(bus, finishIssuerSignIn, request);
  switch (finished.outcome) {
    case 'signed_in':
      keepToken(finished.token);
      return '/';
    case 'passkey_needed':
      return '/?sign-in=passkey';
    case 'bound':
      return `/welcome?binding=${finished.bindingId}`;
  }
}

function leadTo(location: string): Answer {
  return { status: 303, headers: { location } };
}
