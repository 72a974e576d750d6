import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { realmSchema } from '#src/identity/permission.ts';
import { clientSchema, sessionSchema, tokenDigestSchema, tokenSchema } from '#src/identity/person.ts';
import { defineRpc } from '#src/messages/define.ts';

/** Authorization codes of some issuers are themselves sealed tokens, of two thousand characters and more. */
const answerCharactersMax = 8_192;

/** The issuer of a realm, with the name by which people know it; null where none is configured. */
export const getIssuer = defineRpc({
  subject: 'rpc.identity.get-issuer.v1',
  owner: 'identity',
  request: z.object({ realm: realmSchema }),
  reply: z.object({ issuer: z.object({ name: z.string() }).nullable() }),
});

/**
 * Begins a sign-in at the issuer of a realm, or with the digest of an open invitation's token the binding of its person to a
 * subject there. NOT_FOUND where no issuer is configured, or for a link that is unknown, used, revoked or too old;
 * SERVICE_UNAVAILABLE with the issuer's name while it does not answer; RATE_LIMITED by address.
 */
export const beginIssuerSignIn = defineRpc({
  subject: 'rpc.identity.begin-issuer-sign-in.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({ realm: realmSchema, invitationDigest: tokenDigestSchema.nullable(), client: clientSchema }),
  reply: z.object({
    /** Where the browser goes: the issuer's authorization endpoint, with all that it is asked. */
    url: z.url(),
    /** Ties the issuer's answer to this browser, in a cookie for ten minutes; identity keeps its SHA-256. */
    token: tokenSchema,
  }),
});

/**
 * Uses an answer of the issuer up. SIGN_IN_REFUSED with one answer for a cookie that is unknown, used or too old, a wrong
 * state, nonce or code, a subject that is bound to no person, and a suspended person; NOT_FOUND for an invitation that was
 * closed in between; SERVICE_UNAVAILABLE with the issuer's name while it does not answer.
 */
export const finishIssuerSignIn = defineRpc({
  subject: 'rpc.identity.finish-issuer-sign-in.v1',
  owner: 'identity',
  sealed: true,
  request: z.object({
    realm: realmSchema,
    tokenDigest: tokenDigestSchema,
    /** The parameters of the issuer's redirect, as they came in its address. */
    answer: z.string().max(answerCharactersMax),
    client: clientSchema,
  }),
  reply: z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('signed_in'), token: tokenSchema, session: sessionSchema }),
    /** The issuer has not stated that more than one factor was used: the person signs in by a passkey of ours. */
    z.object({ outcome: z.literal('passkey_needed') }),
    /** For the enrolment by the invitation, which binds its person to the subject; once, within five minutes. */
    z.object({ outcome: z.literal('bound'), bindingId: idSchema('challenge') }),
  ]),
});
