import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { KeptDescription } from '#src/http/api-description.ts';

export interface DocumentationOptions {
  readonly title: string;
  readonly publicUrl?: string;
  readonly description: KeptDescription;
  /** What a call has to pass first. */
  readonly guard?: onRequestAsyncHookHandler;
}

/** `GET /docs`: the API description as a page to read and try (api.md 7). Every asset comes from this server. */
export function registerApiDocumentation(
  app: FastifyInstance,
  { title, publicUrl, description, guard }: DocumentationOptions,
): void {
  void app.register((scope, _options, done) => {
    if (guard) scope.addHook('onRequest', guard);
    void scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: policyFor(publicUrl === undefined ? '' : new URL(publicUrl).origin),
      theme: { title },
      uiConfig: { deepLinking: true, displayRequestDuration: true, tryItOutEnabled: false, validatorUrl: null },
      uiHooks: {
        // The plugin would write the description anew for each reader.
        preHandler: (request, reply, next) => {
          if (request.routeOptions.url === '/docs/json') void description(request, reply);
          else next();
        },
      },
    });
    done();
  });
}

/** The page runs its own scripts alone and calls this gateway alone, under whichever of its addresses it is read. */
function policyFor(publicOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The page's components carry inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${publicOrigin}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
