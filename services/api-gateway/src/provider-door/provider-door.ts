import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  DomainError,
  newId,
  NotFoundError,
  providerNotificationSubject,
  type StoredNotification,
} from '@gateway/contracts';
import type { ProviderNotification, Providers } from '@gateway/providers';
import { counter, currentTrace, type Bus, type Logger } from '@gateway/service-kit';
import type { OpenLimits } from '#src/limits/open-limits.ts';
import { TokenBucket } from '#src/limits/token-bucket.ts';

const storeTimeoutMs = 3_000;
/** Credentials that are of no use to an adapter do not belong into a stream. */
const droppedHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);

const received = counter('gateway_provider_notifications_total', 'Calls of providers, by provider and outcome', [
  'provider',
  'outcome',
]);

/** What became of a call, by the status it was answered with. */
const outcomes: Readonly<Record<number, string>> = {
  200: 'stored',
  400: 'malformed',
  401: 'refused',
  404: 'unknown_provider',
  413: 'too_large',
  429: 'limited',
  503: 'not_stored',
};

/** Answers to calls that are no provider's. */
const refusedStatuses: ReadonlySet<number> = new Set([400, 401, 404, 413]);
/** Lines about refused calls: anybody can cause them, and the metric counts them all. */
const refusalLines = { perSecond: 0.5, burst: 20 };

export interface ProviderDoorOptions {
  readonly providers: Providers;
  readonly bus: Bus;
  readonly logger: Logger;
  readonly open: OpenLimits;
}

/**
 * Where providers tell what happened (api.md 6): verified by the provider's adapter over the raw body, and stored on the
 * bus before 200. Whoever cannot prove to be the provider gets 401, and nothing of the call is kept; an address that was
 * refused too often is refused before its body is read.
 */
export function registerProviderDoor(app: FastifyInstance, options: ProviderDoorOptions): void {
  void app.register((scope, _options, done) => {
    const lines = new TokenBucket(refusalLines, performance.now());
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.addHook('onRequest', (request) => options.open.requireFewRefusals(request.ip));
    scope.addHook('onSend', async (request, { statusCode }) => {
      const { provider: id = '' } = request.params as Readonly<Record<string, string>>;
      const provider = options.providers.find(id) ? id : 'unknown';
      if (refusedStatuses.has(statusCode)) options.open.noteRefusal(request.ip);
      received.add(1, { provider, outcome: outcomes[statusCode] ?? 'failed' });
    });
    for (const url of ['/providers/:provider/notifications', '/providers/:provider/notifications/*']) {
      scope.post(url, { schema: { hide: true } }, async (request, reply) => {
        await options.open.look(request.ip, () => takeNotification(request, options, lines));
        return reply.code(200).send({});
      });
    }
    done();
  });
}

async function takeNotification(
  request: FastifyRequest,
  { providers, bus, logger }: ProviderDoorOptions,
  lines: TokenBucket,
) {
  const { provider: id = '', '*': rest } = request.params as Readonly<Record<string, string>>;
  const provider = providers.find(id);
  if (!provider) throw new NotFoundError('provider');
  const notification = readNotification(request, rest === undefined ? '' : `/${rest}`);
  const verdict = await provider.verifyAndParseNotification(notification);
  if (!verdict.ok) {
    if (lines.take(refusalLines, performance.now()).allowed) {
      logger.warn({ provider: id, reason: verdict.reason, remoteIp: request.ip }, 'notification refused');
    }
    throw new DomainError('AUTH_INVALID', 'the notification is not authentic');
  }
  await store(bus, id, notification);
}

function readNotification({ body, headers, query, ip }: FastifyRequest, pathSuffix: string): ProviderNotification {
  return {
    rawBody: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    headers,
    query: query as ProviderNotification['query'],
    pathSuffix,
    remoteIp: ip,
    receivedAt: new Date(),
  };
}

async function store(bus: Bus, provider: string, notification: ProviderNotification): Promise<void> {
  const { rawBody, headers, query, pathSuffix, remoteIp } = notification;
  const now = Date.now();
  const stored: StoredNotification = {
    id: newId('event', now),
    provider,
    receivedAt: Math.floor(now / 1_000),
    rawBody: Buffer.from(rawBody).toString('base64'),
    headers: textsOf(Object.entries(headers).filter(([name]) => !droppedHeaders.has(name))),
    query: textsOf(Object.entries(query)),
    pathSuffix,
    remoteIp,
  };
  const options = { messageId: stored.id, trace: currentTrace(), timeoutMs: storeTimeoutMs };
  try {
    await bus.publish(providerNotificationSubject(provider), JSON.stringify(stored), options);
  } catch (cause) {
    throw new DomainError('SERVICE_UNAVAILABLE', 'the notification could not be stored', { retryAfterSec: 5, cause });
  }
}

type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;

function textsOf(entries: readonly (readonly [string, Texts[string]])[]): Record<string, string | string[]> {
  const present = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]] as const],
  );
  return Object.fromEntries(present);
}
