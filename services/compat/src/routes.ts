import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Caller, isFrozenFor, type MerchantEffect, requireNotFrozen } from '@gateway/contracts/accounts';
import { detailsOf, ValidationError } from '@gateway/contracts/errors';
import { counter } from '@gateway/runtime';
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

const refused = counter('gateway_frozen_calls_refused_total', 'Calls of frozen accounts that were refused', ['level']);

/** A key pair in JSON has some 150 bytes. The caller is not authenticated yet, so little more is read. */
const authenticateBytesMax = 2_048;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, from the moment its token was checked. */
    connectorCaller: Caller | null;
    /** When its first byte after the headers could have been read, on the clock of `performance.now()`. */
    connectorReceivedAtMs: number;
  }
}

/** The connector's operations, the same under every prefix (spec 4.1). All answer 200 when they succeed (api.md 4). */
export function mountConnector(app: FastifyInstance, prefixes: readonly string[], facade: Facade): void {
  app.decorateRequest('connectorCaller', null);
  app.decorateRequest('connectorReceivedAtMs', 0);
  for (const prefix of prefixes) mountPrefix(app, prefix, facade);
}

function mountPrefix(app: FastifyInstance, prefix: string, facade: Facade): void {
  const arrivalOf = arrivalsAt(prefix);
  app.post(`${prefix}/client/authenticate`, { bodyLimit: authenticateBytesMax }, async (request) =>
    succeeded(await authenticate(facade, read(credentialsSchema, request.body), arrivalOf(request))),
  );
  // All others take a token, which is checked before their body is read, as is whether the account is frozen.
  const identified = (effect: MerchantEffect) => ({
    onRequest: async (request: FastifyRequest): Promise<void> => {
      request.connectorReceivedAtMs = performance.now();
      const caller = await identifyCaller(facade, request.headers.authorization, arrivalOf(request));
      if (caller.frozen && isFrozenFor(caller.frozen, effect)) refused.add(1, { level: caller.frozen.level });
      requireNotFrozen(caller.frozen, effect);
      request.connectorCaller = caller;
    },
  });
  app.get(`${prefix}/client/balance`, identified('read'), async (request) =>
    succeeded(await readBalance(facade, callerOf(request))),
  );
  app.put(`${prefix}/client/update/notification-url`, identified('write'), async (request) => {
    const urls = read(notificationUrlsSchema, request.body);
    return succeeded(await registerNotificationUrls(facade, callerOf(request), arrivalOf(request), urls));
  });
  app.post(`${prefix}/payment/pix/generate-pix`, identified('write'), async (request) =>
    succeeded(await generatePix(facade, callerOf(request), read(generatePixSchema, request.body))),
  );
  app.post(`${prefix}/payment/pix/pix-key`, identified('money_out'), async (request) => {
    const caller = callerOf(request);
    await admitPayout(facade.database, caller, arrivalOf(request));
    return succeeded(
      await payPixKey(facade, caller, read(payPixKeySchema, request.body), request.connectorReceivedAtMs),
    );
  });
}

function callerOf({ connectorCaller }: FastifyRequest): Caller {
  if (!connectorCaller) throw new Error('the operation has no check of its caller');
  return connectorCaller;
}

/** The second connector is recognised by its prefix; all other prefixes belong to the first one. */
function arrivalsAt(prefix: string): (request: FastifyRequest) => Arrival {
  const connector = prefix.split('/').includes('alt') ? 'alt' : 'cli';
  return ({ ip }) => ({ prefix: connector, address: ip });
}

/** A stranger learns nothing of this: bodies are checked once it is known who calls. */
function read<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const request = schema.safeParse(body);
  if (!request.success) throw new ValidationError(detailsOf(request.error));
  return request.data;
}

function succeeded<T>(data: T): SuccessEnvelope<T> {
  return { success: true, data, errors: [] };
}
