import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import swaggerUi from '@fastify/swagger-ui';
import { completeDescription, type DescribedEndpoint, type Description } from '#src/http/complete-description.ts';
import type { DescribedApi } from '#src/http/described-apis.ts';
import { entityTagOf, sendTagged } from '#src/http/entity-tag.ts';

/** Sends the description as it was written once: it takes longer than most requests do. */
export type KeptDescription = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

export interface DescriptionOptions {
  readonly api: DescribedApi;
  /** The rows whose routes the server has. */
  readonly endpoints: readonly DescribedEndpoint[];
  /** The address of the server. */
  readonly url: string;
  /** What a call has to pass first. */
  readonly guard?: onRequestAsyncHookHandler;
}

/** `GET /openapi.json`: the routes of an API and the notes of their rows (spec 9.1). Call it before any route is added. */
export function describeApi(app: FastifyInstance, { api, endpoints, url, guard }: DescriptionOptions): KeptDescription {
  let kept: { readonly bytes: Buffer; readonly entityTag: string } | undefined;
  const send: KeptDescription = (request, reply) => {
    if (!kept) {
      const bytes = Buffer.from(JSON.stringify(app.swagger()));
      kept = { bytes, entityTag: entityTagOf(bytes) };
    }
    void reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-cache');
    return sendTagged(request, reply, kept);
  };
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: api.title,
        version: '0.1.0',
        description: api.description,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } as never,
      },
      servers: [{ url }],
      tags: api.tags.map(([name, description]) => ({ name, description })),
      components: { securitySchemes: api.securitySchemes },
      security: api.security.map((each) => ({ ...each })),
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig: { unrepresentable: 'any' } }),
    transformObject: (written) =>
      completeDescription(('openapiObject' in written ? written.openapiObject : {}) as Description, api, endpoints),
  });
  const route = { schema: { hide: true }, ...(guard ? { onRequest: guard } : {}) };
  app.get('/openapi.json', route, send);
  return send;
}

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
