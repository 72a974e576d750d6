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
/** Log lines about refused calls are limited, since any caller can cause them; the metric counts every refusal. */
const refusalLines = { perSecond: 0.5, burst: 20 };

export interface ProviderWebhookOptions {
  readonly providers: Providers;
  readonly notifications: NotificationStore;
  readonly certificates: ClientCertificates;
  readonly logger: Logger;
  readonly open: OpenLimits;
}

/**
 * Receives the notifications of providers (api.md 6): each is verified by the provider's adapter over the raw body, and stored in
 * PostgreSQL before it is answered 200. A call that is not authentic is answered 401, and nothing of it is kept. An address
 * that was refused too often is refused before its body is read, except where the provider itself has called from it: a
 * provider calls the addresses that its customers register, so a customer of it could have its address refused here.
 */
export function registerProviderWebhooks(app: FastifyInstance, options: ProviderWebhookOptions): void {
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
      scope.post(url, async (request, reply) => {
        const caller = callerOf(request);
        const receive = () => receiveNotification(request, options, lines);
        try {
          await (callers.has(caller) ? receive() : options.open.look(request.ip, receive));
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

async function receiveNotification(
  request: FastifyRequest,
  { providers, notifications, certificates, logger }: ProviderWebhookOptions,
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
  const verified = await provider.verifyAndParseNotification(notification);
  if (!verified.ok) {
    if (lines.take(refusalLines, performance.now()).allowed) {
      logger.warn({ provider: id, reason: verified.reason, remoteIp: request.ip }, 'notification refused');
    }
    throw new DomainError('AUTH_INVALID', 'the notification is not authentic');
  }
  await notifications.keep(id, notification, verified.grade);
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
