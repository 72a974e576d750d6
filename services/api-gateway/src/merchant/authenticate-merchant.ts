import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Caller } from '@gateway/contracts/accounts';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { apiVersionSchema } from '@gateway/contracts/values';
import { secretDigestOf } from '@gateway/runtime';
import { authenticateKeyPair, authenticateRemembered } from '#src/accounts/authenticate-key.ts';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { addressBlocked } from '#src/accounts/ip-allowlist.ts';
import type { LastUsed } from '#src/accounts/last-used.ts';
import { requireAllowed, type KeyLimits } from '#src/limits/key-limits.ts';
import { refuseWhenFrozen } from '#src/merchant/frozen-accounts.ts';
import { isRefusedCaller, type OpenLimits } from '#src/limits/open-limits.ts';

export interface MerchantGuards {
  readonly directory: CallerDirectory;
  readonly lastUsed: LastUsed;
  readonly limits: KeyLimits;
  readonly open: OpenLimits;
}

/** Admits the requests of a scope of the merchant API (`authenticateMerchant`); one with a remembered key waits for nothing. */
export function merchantAuthentication(guards: MerchantGuards): onRequestHookHandler {
  return (request, reply, done) => {
    const caller = identifyRemembered(guards, request);
    if (!caller) return void authenticateMerchant(guards, request, reply).then(() => done(), done);
    try {
      admit(guards, caller, { request, reply });
    } catch (error) {
      return void held(guards, error).then(done);
    }
    done();
  };
}

/**
 * Admits a request of the merchant API: by key pair, from an address of the key's allowlist, within the key's rate, in a
 * contract we speak, of an account that is not frozen for it, and below /v1/test with test keys alone. All of it is
 * checked before the body is read.
 */
export async function authenticateMerchant(
  guards: MerchantGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = await identify(guards, request);
  try {
    admit(guards, caller, { request, reply });
  } catch (error) {
    throw await held(guards, error);
  }
}

/** A caller beyond its key's limit that asks again at once spends its own time, and not what other merchants need. */
async function held({ open }: MerchantGuards, refusal: unknown): Promise<Error> {
  if (refusal instanceof DomainError && refusal.code === 'RATE_LIMITED') await open.holdRefusal();
  return refusal as Error;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function admit({ lastUsed, limits }: MerchantGuards, caller: Caller, { request, reply }: Exchange): void {
  lastUsed.note(caller.publicKey, Date.now());
  admitCaller(limits, caller, { request, reply });
  checkVersion(request.headers['x-api-version']);
}

/**
 * Lets a caller of an account in, who is known: within the rate, below /v1/test in test mode alone, and unless the account is
 * frozen for the operation.
 *
 * @throws DomainError RATE_LIMITED, TEST_ONLY, ACCOUNT_FROZEN
 */
export function admitCaller(limits: KeyLimits, caller: Caller, { request, reply }: Exchange): void {
  request.caller = caller;
  meter(limits, caller, reply);
  if (caller.environment === 'live' && request.routeOptions.url?.startsWith('/v1/test/')) {
    throw new DomainError('TEST_ONLY', 'this operation takes test keys only');
  }
  refuseWhenFrozen(caller, request);
}

/** Who calls with a key that is in memory and all that belongs to it; undefined leaves the call to `identify`. */
function identifyRemembered({ directory }: MerchantGuards, { headers, ip }: FastifyRequest): Caller | undefined {
  const { 'x-api-key': publicKey, 'x-api-secret': secretKey } = headers;
  if (typeof publicKey !== 'string' || typeof secretKey !== 'string' || !directory.knows(publicKey)) return undefined;
  return authenticateRemembered(directory, { publicKey, secretDigest: secretDigestOf(secretKey), address: ip });
}

/**
 * Who calls. An address that was refused too often costs no more queries, and still gets in with a key that has been used
 * here, so that merchants who share an address with a guesser of keys are not locked out.
 */
async function identify({ directory, open }: MerchantGuards, request: FastifyRequest): Promise<Caller> {
  const { headers, ip } = request;
  const credentials = credentialsIn(headers);
  const identified = async () => {
    const arrival = { ...presented(credentials), address: ip, outsideAllowlist: 'told' } as const;
    const caller = await authenticateKeyPair(directory, arrival);
    if (!caller.outsideAllowlist) return caller;
    // The secret is right: the log of its account has where the key is used from in vain.
    request.caller = caller;
    throw addressBlocked();
  };
  try {
    const isKnown = credentials !== undefined && directory.knows(credentials.publicKey);
    return await (isKnown ? identified() : open.look(ip, identified));
  } catch (error) {
    if (isRefusedCaller(error)) await open.countRefusal(ip);
    throw error;
  }
}

interface Credentials {
  readonly publicKey: string;
  readonly secretKey: string;
}

/**
 * The key pair of a request, in its two headers or as user name and password of HTTP Basic. Where one of the two
 * headers is there, they alone count: an `Authorization` beside them may belong to a proxy on the way.
 */
function credentialsIn(headers: FastifyRequest['headers']): Credentials | undefined {
  const { 'x-api-key': publicKey, 'x-api-secret': secretKey, authorization } = headers;
  if (publicKey === undefined && secretKey === undefined) return basicCredentials(authorization);
  if (typeof publicKey !== 'string' || typeof secretKey !== 'string') return undefined;
  return publicKey === '' || secretKey === '' ? undefined : { publicKey, secretKey };
}

function basicCredentials(authorization = ''): Credentials | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? [];
  const [, publicKey, secretKey] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  return publicKey && secretKey ? { publicKey, secretKey } : undefined;
}

/** One refusal for every missing part, in whichever form: without `WWW-Authenticate`, for which browsers ask their user. */
function presented(credentials: Credentials | undefined) {
  if (!credentials)
    throw new DomainError(
      'AUTH_REQUIRED',
      'send the headers x-api-key and x-api-secret, or the same pair as HTTP Basic',
    );
  const { publicKey, secretKey } = credentials;
  return { publicKey, secretDigest: secretDigestOf(secretKey) };
}

function meter(limits: KeyLimits, caller: Caller, reply: FastifyReply): void {
  const decision = limits.take(caller, performance.now());
  void reply.headers({
    'ratelimit-limit': decision.limit,
    'ratelimit-remaining': decision.remaining,
    'ratelimit-reset': decision.resetSec,
  });
  requireAllowed(decision);
}

/** An unknown contract is refused before the body is read; without a header, the form of the body shows its contract. */
function checkVersion(header: string | string[] | undefined): void {
  if (header === undefined || apiVersionSchema.safeParse(header).success) return;
  throw new ValidationError([{ path: 'x-api-version', message: 'must be 0.1 or 1.0' }]);
}
