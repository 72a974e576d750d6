import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiVersionSchema, DomainError, ValidationError, type Caller } from '@gateway/contracts';
import { authenticateKeyPair } from '#src/keys/authenticate-key.ts';
import type { CallerDirectory } from '#src/keys/caller-directory.ts';
import type { LastUsed } from '#src/keys/last-used.ts';
import { requireAllowed, type KeyLimits } from '#src/limits/key-limits.ts';

export interface MerchantGuards {
  readonly directory: CallerDirectory;
  readonly lastUsed: LastUsed;
  readonly limits: KeyLimits;
}

/**
 * Lets a request of the merchant API in: by key pair, from an address of the key's allowlist, within the key's rate, in a contract we speak, and with test keys
 * alone below /v1/test. All of it before the body is read.
 */
export async function authenticateMerchant(
  { directory, lastUsed, limits }: MerchantGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { 'x-api-key': publicKey, 'x-api-secret': secretKey } = request.headers;
  if (typeof publicKey !== 'string' || typeof secretKey !== 'string' || publicKey === '' || secretKey === '') {
    throw new DomainError('AUTH_REQUIRED', 'the headers x-api-key and x-api-secret are required');
  }
  const caller = await authenticateKeyPair(directory, { publicKey, secretKey, address: request.ip });
  request.caller = caller;
  lastUsed.note(publicKey, Date.now());
  meter(limits, caller, reply);
  checkVersion(request.headers['x-api-version']);
  if (caller.environment === 'live' && request.routeOptions.url?.startsWith('/v1/test/')) {
    throw new DomainError('TEST_ONLY', 'this operation takes test keys only');
  }
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

/** A contract nobody speaks is refused before the body is read; which one a body without a header is of, it says itself. */
function checkVersion(header: string | string[] | undefined): void {
  if (header === undefined || apiVersionSchema.safeParse(header).success) return;
  throw new ValidationError([{ path: 'x-api-version', message: 'must be 0.1 or 1.0' }]);
}
