import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { completeDescription, type Description } from '#src/http/complete-description.ts';

const keyHeaders = {
  publicKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  secretKey: { type: 'apiKey', in: 'header', name: 'x-api-secret' },
} as const;

/** `GET /openapi.json`: what the routes say of themselves (spec 9.1). To be called before any route is added. */
export function describeApi(app: FastifyInstance, publicUrl: string): void {
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Payment gateway', version: '0.1.0' },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: keyHeaders },
      security: [{ publicKey: [], secretKey: [] }],
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig: { unrepresentable: 'any' } }),
    transformObject: (written) =>
      completeDescription(('openapiObject' in written ? written.openapiObject : {}) as Description),
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => reply.send(app.swagger()));
}
