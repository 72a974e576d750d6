import { providerNotificationSchema, type Environment } from '@gateway/contracts';
import type { Message } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { takeProviderEvent } from '#src/notifications/take-provider-event.ts';
import { routeOf, type ChargeRoutes } from '#src/providers/charge-routes.ts';

const environments: readonly Environment[] = ['live', 'test'];

/**
 * Reads a stored notification with its provider's adapter and takes every event in it. Handling it again changes nothing.
 *
 * @throws ZodError when the message does not fit its contract
 * @throws DomainError when one of its events is to be told again; the others are harmless to repeat
 */
export async function takeNotification(dependencies: Dependencies, { data }: Pick<Message, 'data'>): Promise<void> {
  const { provider: id, rawBody, receivedAt, ...stored } = providerNotificationSchema.parse(data);
  const { chargeRoutes, logger } = dependencies;
  const environment = environmentOf(chargeRoutes, id);
  const provider = environment && routeOf(chargeRoutes, environment, id)?.provider;
  if (!provider) return logger.warn({ provider: id }, 'notification of a provider that is not configured here');
  const verdict = await provider.verifyAndParseNotification({
    ...stored,
    rawBody: Buffer.from(rawBody, 'base64'),
    receivedAt: new Date(receivedAt * 1_000),
  });
  if (!verdict.ok)
    return logger.error({ provider: id, reason: verdict.reason }, 'stored notification is not authentic');
  const failures: unknown[] = [];
  for (const event of verdict.events) {
    const taken = takeProviderEvent(dependencies, { environment, provider: id }, event, verdict.grade);
    await taken.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

function environmentOf(routes: ChargeRoutes, provider: string): Environment | undefined {
  return environments.find((environment) => routeOf(routes, environment, provider));
}
