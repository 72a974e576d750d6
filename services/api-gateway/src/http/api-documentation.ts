import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** `GET /docs`: the API description as a page to read and try (api.md 7). Every asset comes from this server. */
export function registerApiDocumentation(
  app: FastifyInstance,
  { title, publicUrl }: { readonly title: string; readonly publicUrl?: string },
): void {
  void app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: policyFor(publicUrl === undefined ? '' : new URL(publicUrl).origin),
    theme: { title },
    uiConfig: { deepLinking: true, displayRequestDuration: true, tryItOutEnabled: false, validatorUrl: null },
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
