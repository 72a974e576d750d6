import { DomainError } from '@gateway/contracts/errors';
import type { RequestOf, ReplyOf } from '@gateway/contracts/messages';
import type { registerWebhook as contract } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import { Endpoint, toWebhook, type Owner } from '#src/endpoints/endpoint.ts';
import { sealHeaders } from '#src/endpoints/custom-headers.ts';
import { newSecret } from '#src/endpoints/signing-secrets.ts';
import { checkTarget, type TargetGuard } from '#src/http/target.ts';
import { limitRate } from '#src/queue/queue-table.ts';

/** Endpoints of one account in one environment. */
export const endpointsMax = 20;

export interface RegisterWebhookDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly guard: TargetGuard;
}

/**
 * Registers an endpoint and answers its secret, the only time it is shown.
 *
 * @throws ValidationError naming `url` when it may not be called; DomainError LIMIT_REACHED at the 21st
 */
export async function registerWebhook(
  { database, secretBox, guard }: RegisterWebhookDeps,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  await checkTarget(request.url, guard);
  const id = newId('webhook');
  const secret = newSecret();
  const endpoint = await database.transaction(async (tx) => {
    await requireFreePlace(tx, request);
    const registered = tx.em.create(Endpoint, {
      id,
      environment: request.environment,
      accountId: request.accountId,
      kind: 'registered',
      format: 'native',
      name: request.name,
      url: request.url,
      events: [...new Set(request.events)],
      status: 'enabled',
      apiVersion: request.apiVersion,
      disabledReason: null,
      connector: null,
      ...sealHeaders(request.headers ?? {}, id, secretBox),
      rateLimit: request.rateLimitPerSecond ?? null,
      sealedSecret: secretBox.seal(secret, id),
      nextSealedSecret: null,
      nextSecretAt: null,
      createdAt: new Date(),
      receivesSince: new Date(),
    });
    await tx.em.flush();
    await limitRate(tx, id, request.rateLimitPerSecond ?? null);
    return registered;
  });
  return { webhook: toWebhook(endpoint), secret };
}

/** Registrations of one account take turns, so that two at once cannot both be the last one allowed. */
export async function lockEndpoints(tx: Tx, { environment, accountId }: Owner): Promise<void> {
  await tx.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`endpoints ${environment} ${accountId}`]);
}

/** @throws DomainError LIMIT_REACHED */
async function requireFreePlace(tx: Tx, { environment, accountId }: Owner): Promise<void> {
  await lockEndpoints(tx, { environment, accountId });
  const count = await tx.em.count(Endpoint, { environment, accountId, kind: 'registered' });
  if (count >= endpointsMax) {
    throw new DomainError('LIMIT_REACHED', `an account may have at most ${endpointsMax} webhooks`);
  }
}
