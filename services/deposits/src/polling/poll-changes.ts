import { LockMode } from '@mikro-orm/core';
import { DomainError, type Environment } from '@gateway/contracts';
import { isConnectionError } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { CreationUnderWayError, DisputeUnderWayError, PaymentUnknownError } from '#src/errors.ts';
import { takeProviderEvent } from '#src/notifications/take-provider-event.ts';
import { PollEntity } from '#src/polling/poll-entity.ts';
import type { ChargeRoute } from '#src/providers/charge-routes.ts';

const callTimeoutMs = 20_000;
/** Longer than one poll takes, so that two processes do not read the same list. */
const leaseMs = 60_000;
/** What a provider books late is not missed; reading it again is harmless. */
const overlapMs = 600_000;
/** How far the first reading goes back, and for how long a change that could not be taken is read again. */
const lookBackMs = 86_400_000;

/**
 * Reads from each provider what happened since the last time: payments, refunds and disputes whose notification never
 * came. Read over an authenticated connection, so it may move money.
 */
export async function pollChanges(dependencies: Dependencies): Promise<void> {
  for (const environment of ['live', 'test'] as const) {
    for (const route of dependencies.chargeRoutes[environment]) await pollOrLog(dependencies, environment, route);
  }
}

/** The same for some providers, whether it is time or not. */
export async function pollAtOnce(
  dependencies: Dependencies,
  environment: Environment,
  providers: ReadonlySet<string>,
): Promise<void> {
  const { chargeRoutes, database, now } = dependencies;
  await database.query('update provider_poll set due_at = $3 where environment = $1 and provider = any($2::text[])', [
    ...[environment, [...providers], now()],
  ]);
  const routes = chargeRoutes[environment].filter((route) => providers.has(route.provider.id));
  await Promise.all(routes.map((route) => pollOrLog(dependencies, environment, route)));
}

async function pollOrLog(dependencies: Dependencies, environment: Environment, route: ChargeRoute): Promise<void> {
  if (!route.provider.listChanges) return;
  try {
    await pollProvider(dependencies, environment, route);
  } catch (error) {
    dependencies.logger.warn(
      { err: error, provider: route.provider.id },
      'changes at a provider could not be read to the end',
    );
  }
}

async function pollProvider(dependencies: Dependencies, environment: Environment, route: ChargeRoute): Promise<void> {
  const { database, now, pollIntervalMs, logger } = dependencies;
  const { id: provider } = route.provider;
  const readUntil = await lease(dependencies, environment, provider);
  if (!readUntil) return;
  const to = now();
  const from = new Date(readUntil.getTime() - overlapMs);
  const signal = AbortSignal.timeout(callTimeoutMs);
  let notTaken = 0;
  for await (const event of route.provider.listChanges?.(from, to, { signal }) ?? []) {
    try {
      await takeProviderEvent(dependencies, { environment, provider }, event, 'asked');
    } catch (error) {
      // Somebody else's payment, or one of the next round.
      if (error instanceof PaymentUnknownError || error instanceof DisputeUnderWayError) continue;
      // Where the fault is ours, those behind it fare no better; one that cannot be taken holds up none of them.
      if (isOurs(error)) throw error;
      notTaken += 1;
      logger.error({ err: error, provider, event: event.dedupeKey }, 'a change at a provider could not be taken');
    }
  }
  const kept = notTaken === 0 ? to : new Date(Math.max(readUntil.getTime(), to.getTime() - lookBackMs));
  const dueAt = new Date(to.getTime() + pollIntervalMs);
  await database.query(
    'update provider_poll set read_until = $3, due_at = $4 where environment = $1 and provider = $2',
    [environment, provider, kept, dueAt],
  );
}

function isOurs(error: unknown): boolean {
  if (isConnectionError(error)) return true;
  return (
    error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE' && !(error instanceof CreationUnderWayError)
  );
}

/** From when on to read, or null when it is not time yet, or somebody else is at it. */
async function lease({ database, now }: Dependencies, environment: Environment, provider: string) {
  return await database.transaction(async (tx) => {
    const firstReadUntil = new Date(now().getTime() - lookBackMs);
    await tx.sql(
      `insert into provider_poll (environment, provider, read_until, due_at) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [environment, provider, firstReadUntil, now()],
    );
    const lock = { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE };
    const poll = await tx.em.findOne(PollEntity, { environment, provider, dueAt: { $lte: now() } }, lock);
    if (!poll) return null;
    poll.dueAt = new Date(now().getTime() + leaseMs);
    return poll.readUntil;
  });
}
