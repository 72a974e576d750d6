import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { detailsOf, ValidationError } from '@gateway/contracts';
import { authenticate, credentialsSchema } from '#src/client/authenticate.ts';
import { identifyCaller } from '#src/client/identify-caller.ts';
import { readBalance } from '#src/client/read-balance.ts';
import { notificationUrlsSchema, registerNotificationUrls } from '#src/client/register-notification-urls.ts';
import type { Facade } from '#src/facade.ts';
import { admitPayout, type Arrival } from '#src/integrations/admit.ts';
import { generatePix, generatePixSchema } from '#src/payment/generate-pix.ts';
import { payPixKey, payPixKeySchema } from '#src/payment/pay-pix-key.ts';

interface SuccessEnvelope<T> {
  readonly success: true;
  readonly data: T;
  readonly errors: readonly string[];
}

/** The connector's operations, the same under every prefix (spec 4.1). All answer 200 when they succeed (api.md 4). */
export function mountConnector(app: FastifyInstance, prefixes: readonly string[], facade: Facade): void {
  for (const prefix of prefixes) {
    const arrivalOf = arrivalsAt(prefix);
    const callerOf = (request: FastifyRequest) =>
      identifyCaller(facade, request.headers.authorization, arrivalOf(request));

    app.post(`${prefix}/client/authenticate`, async (request) =>
      succeeded(await authenticate(facade, read(credentialsSchema, request.body), arrivalOf(request))),
    );
    app.get(`${prefix}/client/balance`, async (request) =>
      succeeded(await readBalance(facade, await callerOf(request))),
    );
    app.put(`${prefix}/client/update/notification-url`, async (request) => {
      const caller = await callerOf(request);
      return succeeded(await registerNotificationUrls(facade, caller, read(notificationUrlsSchema, request.body)));
    });
    app.post(`${prefix}/payment/pix/generate-pix`, async (request) => {
      const caller = await callerOf(request);
      return succeeded(await generatePix(facade, caller, read(generatePixSchema, request.body)));
    });
    app.post(`${prefix}/payment/pix/pix-key`, async (request) => {
      const receivedAtMs = performance.now();
      const caller = await callerOf(request);
      await admitPayout(facade.database, caller, arrivalOf(request));
      return succeeded(await payPixKey(facade, caller, read(payPixKeySchema, request.body), receivedAtMs));
    });
  }
}

/** The second connector is told by its prefix; all other prefixes are the first one's. */
function arrivalsAt(prefix: string): (request: FastifyRequest) => Arrival {
  const connector = prefix.split('/').includes('alt') ? 'alt' : 'cli';
  return ({ ip }) => ({ prefix: connector, address: ip });
}

/** Bodies are read once it is known who calls: a stranger learns nothing about them. */
function read<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const request = schema.safeParse(body);
  if (!request.success) throw new ValidationError(detailsOf(request.error));
  return request.data;
}

function succeeded<T>(data: T): SuccessEnvelope<T> {
  return { success: true, data, errors: [] };
}
