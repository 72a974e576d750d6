import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Providers } from '@gateway/providers';
import { contractOf } from '@gateway/public-api';
import type { LinkTokens, Logger, Readiness } from '@gateway/runtime';
import type { EarlyListener } from '@gateway/runtime/http';
import { publicErrorBody, registerCompatProxy } from '#src/compat-proxy/compat-proxy.ts';
import type { Config } from '#src/config.ts';
import { merchantApi } from '#src/description/apis.ts';
import { collectionOf } from '#src/description/collection.ts';
import { connectorApi, connectorEndpoints, connectorPathsBelow } from '#src/description/connector.ts';
import { type DocumentOptions, describe } from '#src/description/document.ts';
import { serveDescription } from '#src/description/serve.ts';
import { type ApiServices, registerEndpoints } from '#src/http/endpoint.ts';
import { createListener, type Listener } from '#src/http/listener.ts';
import { servesMerchants, SystemHealthReport } from '#src/http/system-health.ts';
import { registerExportDownloads } from '#src/exports/download-export.ts';
import { languageFor } from '#src/http/preferred-language.ts';
import type { Admission } from '#src/limits/admission.ts';
import type { OpenOperation } from '#src/limits/open-limits.ts';
import { admitting, refusalBeforehand } from '#src/merchant/admit-request.ts';
import { merchantAuthentication, type MerchantGuards } from '#src/merchant/authenticate-merchant.ts';
import { pictureEndpoints, registerDepositPictures } from '#src/merchant/deposit-pictures.ts';
import { requireScopes } from '#src/merchant/key-scopes.ts';
import type { MerchantEndpointRow, MerchantServices } from '#src/merchant/merchant-endpoint.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { registerEvidenceDocuments } from '#src/pages/evidence-document.ts';
import { KeptPictures } from '#src/pages/kept-pictures.ts';
import { registerPaymentPage } from '#src/pages/payment-page.ts';
import { ClientCertificates } from '#src/provider-webhooks/client-certificate.ts';
import { connectorReference, merchantReference } from '#src/reference/references.ts';
import type { KeyUsage } from '#src/request-log/key-usage.ts';
import type { RequestLog } from '#src/request-log/request-log.ts';
import { watchRequests } from '#src/request-log/watch-requests.ts';
import { serveReference } from '#src/reference/serve-reference.ts';
import type { NotificationStore } from '#src/provider-webhooks/notification-store.ts';
import { registerProviderWebhooks } from '#src/provider-webhooks/receive-notifications.ts';

export interface PublicListenerOptions {
  readonly early: EarlyListener;
  readonly config: Config;
  readonly services: ApiServices<MerchantServices>;
  readonly guards: MerchantGuards;
  readonly admission: Admission;
  readonly requestLog: RequestLog;
  readonly keyUsage: KeyUsage;
  readonly providers: Providers;
  readonly notifications: NotificationStore;
  readonly linkTokens: LinkTokens;
  readonly readiness: Readiness;
  readonly logger: Logger;
}

/** The public listener: the merchant API, the pages, the calls of providers and the connector's paths. */
export function createPublicListener({
  early,
  config,
  services,
  guards,
  admission,
  requestLog,
  keyUsage,
  providers,
  notifications,
  linkTokens,
  readiness,
  logger,
}: PublicListenerOptions): Listener {
  const listener = createListener({
    early,
    logger,
    trustedProxies: config.TRUSTED_PROXIES,
    refusalBeforehand: (request) => refusalBeforehand({ admission, directory: guards.directory }, request),
    errorBody: publicErrorBody(config.COMPAT_PREFIXES),
  });
  const { app } = listener;
  const { open } = guards;
  const limitedTo = (operation: OpenOperation) => (request: FastifyRequest, reply: FastifyReply) =>
    open.admit(operation, request, reply);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) open.admit('refusals', request, reply).then(() => done(), done);
    else done();
  });
  serveDocumentation(app, config, limitedTo);
  const health = new SystemHealthReport(services.bus, readiness);
  app.get('/health', { onRequest: limitedTo('health') }, async (_request, reply) => {
    const report = await health.read();
    if (servesMerchants(report)) return reply.send(report);
    return reply.code(503).header('retry-after', '1').send(report);
  });
  const { COMPAT_URL: url, COMPAT_PREFIXES: prefixes, INTERNAL_TLS_DIR: tls } = config;
  registerCompatProxy(app, { url, ca: tls?.ca, prefixes, logger, open });
  const pictures = new KeptPictures();
  void app.register((scope, _options, done) => {
    registerDepositPictures(scope, { bus: services.bus, guards, linkTokens, pictures });
    done();
  });
  registerPaymentPage(app, { ...services, linkTokens, logger, open, pictures });
  registerEvidenceDocuments(app, { ...services, linkTokens, open });
  registerExportDownloads(app, { database: services.database, exportLinks: services.exportLinks, open });
  const certificates = new ClientCertificates({
    header: config.CLIENT_CERT_HEADER,
    trustedProxies: config.TRUSTED_PROXIES,
  });
  registerProviderWebhooks(app, { providers, notifications, certificates, logger, open });
  registerMerchantApi(app, { guards, admission, services, requestLog, keyUsage });
  // An answer without an end would keep the listener from closing.
  app.addHook('preClose', async () => services.eventStreams.end());
  return listener;
}

/** The descriptions, their calls for Postman, and the pages that are made of them. */
function serveDocumentation(
  app: FastifyInstance,
  config: Config,
  limitedTo: (operation: OpenOperation) => (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  const descriptions = publicDescriptions(config);
  for (const [path, options] of Object.entries(descriptions)) {
    serveDescription(app, { path, document: () => describe(options), guard: limitedTo('description') });
  }
  for (const [path, collection] of Object.entries(collectionsOf(descriptions))) {
    serveDescription(app, { path, document: collection, guard: limitedTo('description') });
  }
  serveReference(app, {
    bases: ['/docs', '/compat/docs'],
    references: () => publicReferences(descriptions),
    guard: limitedTo('documentation'),
  });
}

function registerMerchantApi(
  app: FastifyInstance,
  {
    guards,
    admission,
    services,
    requestLog,
    keyUsage,
  }: Pick<PublicListenerOptions, 'guards' | 'admission' | 'services' | 'requestLog' | 'keyUsage'>,
): void {
  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', merchantAuthentication(guards));
    watchRequests(scope, { log: requestLog, usage: keyUsage });
    const callerOf = ({ caller, headers, body, ip }: FastifyRequest) => {
      const keyVersion = caller?.apiVersion ?? '0.1';
      const apiVersion = contractOf({ header: headers['x-api-version'], body, keyVersion });
      const language = languageFor(headers['accept-language']);
      const lastEventId = headers['last-event-id']?.toString();
      return { caller, apiVersion, language, accept: headers.accept, lastEventId, address: ip };
    };
    const admit = admitting(admission);
    const authorize = ({ caller }: FastifyRequest, { operation }: MerchantEndpointRow) => {
      if (caller) requireScopes(caller, operation);
    };
    registerEndpoints<MerchantServices>(scope, merchantRoutes, { caller: callerOf, authorize, services, admit });
    done();
  });
}

/** The descriptions for merchants and for clients of the connector, by their addresses. */
function publicDescriptions({ PUBLIC_URL: url, COMPAT_PREFIXES: prefixes }: Config) {
  const endpoints = [...merchantRoutes, ...pictureEndpoints];
  return {
    '/openapi.json': { api: merchantApi('0.1'), endpoints, urls: [url] },
    '/openapi-1.0.json': { api: merchantApi('1.0'), endpoints, urls: [url] },
    '/compat/openapi.json': {
      api: connectorApi,
      endpoints: connectorEndpoints,
      urls: connectorPathsBelow(prefixes).map((path) => `${url}${path}`),
    },
  } as const satisfies Record<string, DocumentOptions>;
}

/** The calls of each contract for Postman, at this gateway's address. */
function collectionsOf(descriptions: ReturnType<typeof publicDescriptions>) {
  return {
    '/postman.json': () => collectionOf('0.1', describe(descriptions['/openapi.json'])),
    '/postman-1.0.json': () => collectionOf('1.0', describe(descriptions['/openapi-1.0.json'])),
  };
}

function publicReferences(descriptions: ReturnType<typeof publicDescriptions>) {
  return [
    merchantReference('0.1', describe(descriptions['/openapi.json'])),
    merchantReference('1.0', describe(descriptions['/openapi-1.0.json'])),
    connectorReference(describe(descriptions['/compat/openapi.json'])),
  ];
}
