import { DomainError, ValidationError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import type { WebhookEvent, replaceConnectorEndpoints as contract } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import { prefixOf, sealRegistration } from '#src/endpoints/connector-registration.ts';
import { Endpoint, isOther } from '#src/endpoints/endpoint.ts';
import { newSecret } from '#src/endpoints/signing-secrets.ts';
import { checkTarget } from '#src/http/target.ts';
import { abandonQueues } from '#src/queue/queue-table.ts';
import { endpointsMax, lockEndpoints, type RegisterWebhookDeps } from '#src/subscriptions/register-webhook.ts';

type Request = PayloadOf<{ payload: typeof contract.request }>;

/**
 * Replaces the registration of one connector's URLs as a whole.
 *
 * @throws ValidationError naming each URL that may not be called; DomainError LIMIT_REACHED
 */
export async function replaceConnectorEndpoints(
  { database, secretBox, guard }: RegisterWebhookDeps,
  request: Request,
): Promise<ReplyOf<typeof contract>> {
  await checkTargets(request, (url) => checkTarget(url, guard));
  const wanted = eventsByUrl(request);
  return await database.transaction(async (tx) => {
    await lockEndpoints(tx, request);
    const { environment, accountId } = request;
    const registered = await tx.em.find(Endpoint, { environment, accountId, kind: 'registered' });
    const known = registered.filter(({ connector }) => connector && prefixOf(connector) === request.prefix);
    if (registered.length - known.length + wanted.size > endpointsMax) {
      throw new DomainError('LIMIT_REACHED', `an account may have at most ${endpointsMax} webhooks`);
    }
    // A paused or disabled endpoint is replaced by a new one: registering its URL again asks for deliveries to it.
    const kept = new Map(known.filter(isStill(wanted)).map((endpoint) => [endpoint.url, endpoint]));
    const gone = known.filter(({ id, url }) => kept.get(url)?.id !== id);
    await remove(tx, gone);
    for (const [url, events] of wanted) {
      const endpoint = kept.get(url);
      if (endpoint) {
        if (isOther(endpoint.events, events)) endpoint.receivesSince = new Date();
        Object.assign(endpoint, changed(endpoint.id, events, request, secretBox));
      } else add(tx, url, events, request, secretBox);
    }
    return {};
  });
}

async function checkTargets({ endpoints }: Request, check: (url: string) => Promise<void>): Promise<void> {
  const details = await Promise.all(
    endpoints.map(async ({ url }, index) => {
      try {
        await check(url);
        return [];
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        return error.details.map(({ path, message }) => ({ path: `endpoints.${index}.${path}`, message }));
      }
    }),
  );
  if (details.flat().length > 0) throw new ValidationError(details.flat());
}

function isStill(wanted: ReadonlyMap<string, unknown>): (endpoint: Endpoint) => boolean {
  return ({ url, status }) => wanted.has(url) && status === 'enabled';
}

/** A URL that is named twice is one endpoint with the events of both. */
function eventsByUrl({ endpoints }: Request): ReadonlyMap<string, WebhookEvent[]> {
  const byUrl = Map.groupBy(endpoints, ({ url }) => url);
  return new Map([...byUrl].map(([url, named]) => [url, [...new Set(named.flatMap(({ events }) => events))]]));
}

/** Their waiting deliveries are not sent. */
async function remove(tx: Tx, endpoints: readonly Endpoint[]): Promise<void> {
  if (endpoints.length === 0) return;
  for (const endpoint of endpoints) tx.em.remove(endpoint);
  await tx.em.flush();
  await abandonQueues(
    tx,
    endpoints.map(({ id }) => id),
  );
}

function changed(id: string, events: WebhookEvent[], request: Request, secretBox: SecretBox) {
  return { events, apiVersion: request.apiVersion, connector: sealRegistration(request, id, secretBox) };
}

function add(tx: Tx, url: string, events: WebhookEvent[], request: Request, secretBox: SecretBox): void {
  const id = newId('webhook');
  tx.em.create(Endpoint, {
    ...changed(id, events, request, secretBox),
    id,
    environment: request.environment,
    accountId: request.accountId,
    kind: 'registered',
    format: 'connector',
    name: request.prefix === 'cli' ? 'connector' : `connector ${request.prefix}`,
    url,
    status: 'enabled',
    disabledReason: null,
    sealedSecret: secretBox.seal(newSecret(), id),
    nextSealedSecret: null,
    nextSecretAt: null,
    headerNames: [],
    sealedHeaders: null,
    rateLimit: null,
    createdAt: new Date(),
    receivesSince: new Date(),
  });
}
