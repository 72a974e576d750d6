import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { completeDescription, type Description } from '#src/http/complete-description.ts';
import type { DescribedDoor } from '#src/http/described-apis.ts';
import { entityTagOf, sendTagged } from '#src/http/entity-tag.ts';

/** Sends the description as it was written once: it takes longer than most requests do. */
export type KeptDescription = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * `GET /openapi.json`: what the routes of a door say of themselves (spec 9.1). To be called before any route is added.
 *
 * @param guard what a call has to pass first
 */
export function describeApi(
  app: FastifyInstance,
  door: DescribedDoor,
  url: string,
  guard?: onRequestAsyncHookHandler,
): KeptDescription {
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
        title: door.title,
        version: '0.1.0',
        description: door.description,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } as never,
      },
      servers: [{ url }],
      tags: door.tags.map(([name, description]) => ({ name, description })),
      components: { securitySchemes: door.securitySchemes },
      security: door.security.map((each) => ({ ...each })),
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig: { unrepresentable: 'any' } }),
    transformObject: (written) =>
      completeDescription(('openapiObject' in written ? written.openapiObject : {}) as Description, door),
  });
  const route = { schema: { hide: true }, ...(guard ? { onRequest: guard } : {}) };
  app.get('/openapi.json', route, send);
  return send;
}
