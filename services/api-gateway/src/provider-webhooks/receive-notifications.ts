import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { ProviderNotification, Providers } from '@gateway/providers';
import { counter, type Logger } from '@gateway/runtime';
import { AcceptedCredentials } from '#src/limits/accepted-credentials.ts';
import { isRefusedCaller, type OpenLimits } from '#src/limits/open-limits.ts';
import { TokenBucket } from '#src/limits/token-bucket.ts';
import type { ClientCertificates } from '#src/provider-webhooks/client-certificate.ts';
import type { NotificationStore } from '#src/provider-webhooks/notification-store.ts';

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
  readonly notifications: NotificationStore;
  readonly certificates: ClientCertificates;
  readonly logger: Logger;
  readonly open: OpenLimits;
}

/**
 * Where providers tell what happened (api.md 6): verified by the provider's adapter over the raw body, and stored in
 * PostgreSQL before 200. Whoever cannot prove to be the provider gets 401, and nothing of the call is kept; an address that was
 * refused too often is refused before its body is read. One that the provider itself calls from is not: a provider calls
 * whatever its customers register, so any of them can have the provider's address refused at another door of ours.
 */
export function registerProviderDoor(app: FastifyInstance, options: ProviderDoorOptions): void {
  void app.register((scope, _options, done) => {
    const lines = new TokenBucket(refusalLines, performance.now());
    const callers = new AcceptedCredentials();
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.addHook('onRequest', async (request) => {
      if (!callers.has(callerOf(request))) await options.open.requireFewRefusals(request.ip);
    });
    scope.addHook('onSend', async (request, { statusCode }) => {
      const { provider: id = '' } = request.params as Readonly<Record<string, string>>;
      const provider = options.providers.find(id) ? id : 'unknown';
      if (refusedStatuses.has(statusCode)) options.open.noteRefusal(request.ip);
      received.add(1, { provider, outcome: outcomes[statusCode] ?? 'failed' });
    });
    for (const url of ['/providers/:provider/notifications', '/providers/:provider/notifications/*']) {
      scope.post(url, { schema: { hide: true } }, async (request, reply) => {
        const caller = callerOf(request);
        const take = () => takeNotification(request, options, lines);
        try {
          await (callers.has(caller) ? take() : options.open.look(request.ip, take));
          callers.add(caller);
        } catch (error) {
          if (isRefusedCaller(error)) callers.delete(caller);
          throw error;
        }
        return reply.code(200).send({});
      });
    }
    done();
  });
}

/** Who calls, as far as that is known before the call is looked at: for whom, and from where. */
function callerOf({ params, ip }: FastifyRequest): string {
  return `${(params as Readonly<Record<string, string>>)['provider'] ?? ''} ${ip}`;
}

async function takeNotification(
  request: FastifyRequest,
  { providers, notifications, certificates, logger }: ProviderDoorOptions,
  lines: TokenBucket,
) {
  const { provider: id = '', '*': rest } = request.params as Readonly<Record<string, string>>;
  const provider = providers.find(id);
  if (!provider) throw new NotFoundError('provider');
  const tlsPeer = certificates.of(request);
  const notification = {
    ...readNotification(request, rest === undefined ? '' : `/${rest}`),
    ...(tlsPeer ? { tlsPeer } : {}),
  };
  const verdict = await provider.verifyAndParseNotification(notification);
  if (!verdict.ok) {
    if (lines.take(refusalLines, performance.now()).allowed) {
      logger.warn({ provider: id, reason: verdict.reason, remoteIp: request.ip }, 'notification refused');
    }
    throw new DomainError('AUTH_INVALID', 'the notification is not authentic');
  }
  await notifications.keep(id, notification, verdict.grade);
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
