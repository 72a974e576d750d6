import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { completeDescription, type Description } from '#src/http/complete-description.ts';
import type { DescribedDoor } from '#src/http/described-doors.ts';

/** `GET /openapi.json`: what the routes of a door say of themselves (spec 9.1). To be called before any route is added. */
export function describeApi(app: FastifyInstance, door: DescribedDoor, url: string): void {
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
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => reply.send(app.swagger()));
}
