import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { authenticate, credentialsSchema } from '#src/client/authenticate.ts';
import { identifyCaller } from '#src/client/identify-caller.ts';
import { readBalance } from '#src/client/read-balance.ts';
import type { Facade } from '#src/facade.ts';

interface SuccessEnvelope<T> {
  readonly success: true;
  readonly data: T;
  readonly errors: readonly string[];
}

/** The connector's operations, the same under every prefix (spec 4.1). All answer 200 when they succeed (api.md 4). */
export function mountConnector(app: FastifyInstance, prefixes: readonly string[], facade: Facade): void {
  for (const prefix of prefixes) {
    app.post(`${prefix}/client/authenticate`, { schema: { body: credentialsSchema } }, async ({ body }) =>
      succeeded(await authenticate(facade, body as z.infer<typeof credentialsSchema>)),
    );
    app.get(`${prefix}/client/balance`, async ({ headers }) =>
      succeeded(await readBalance(facade, await identifyCaller(facade, headers.authorization))),
    );
  }
}

function succeeded<T>(data: T): SuccessEnvelope<T> {
  return { success: true, data, errors: [] };
}
