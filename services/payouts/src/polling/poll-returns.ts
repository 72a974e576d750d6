import { DomainError } from '@gateway/contracts';
import type { PaymentProvider } from '@gateway/providers';
import { isConnectionError } from '@gateway/service-kit';
import type { Dependencies } from '#src/dependencies.ts';
import { ChangingError } from '#src/errors.ts';
import { applyEvent } from '#src/notifications/apply-event.ts';

const pollIntervalMs = 60_000;
const callTimeoutMs = 30_000;
/** Longer than one poll takes, so that two processes do not read the same list. */
const leaseMs = 120_000;
/** What a provider books late is not missed; reading it again is harmless. */
const overlapMs = 600_000;
/**
 * For as long a return that could not be taken is read again. And once a day: Efí lists a payout, and with it what came back of it, under the time it was sent, which may be days ago.
 */
const longLookBackMs = 7 * 86_400_000;

/**
 * Reads from each live provider what came back of payouts, for notifications that were lost. What is under way is looked
 * up singly, so returns are all that a list is needed for. Read over an authenticated connection, it may move money.
 */
export async function pollReturns(dependencies: Dependencies): Promise<void> {
  const { payoutRoutes, logger } = dependencies;
  for (const { provider } of payoutRoutes.live) {
    if (!provider.listChanges || !provider.capabilities.payout) continue;
    try {
      await pollProvider(dependencies, provider);
    } catch (error) {
      logger.warn({ err: error, provider: provider.id }, 'returns at a provider could not be read to the end');
    }
  }
}

async function pollProvider(dependencies: Dependencies, provider: PaymentProvider): Promise<void> {
  const { database, now, logger } = dependencies;
  const to = now();
  const readUntil = await lease(dependencies, provider.id, to);
  if (!readUntil) return;
  const isNewDay = readUntil.toISOString().slice(0, 10) !== to.toISOString().slice(0, 10);
  const from = new Date(readUntil.getTime() - (isNewDay ? longLookBackMs : overlapMs));
  const signal = AbortSignal.timeout(callTimeoutMs);
  let notTaken = 0;
  for await (const event of provider.listChanges?.(from, to, { signal }) ?? []) {
    if (event.type !== 'payout.returned') continue;
    const payout = await dependencies.payouts.findById(`pyt_${event.ref}`);
    // A provider's account may have payouts that others made.
    if (!payout) continue;
    try {
      await applyEvent(dependencies, { provider: provider.id, event, grade: 'asked' });
    } catch (error) {
      // Where the fault is ours, those behind it fare no better; one that cannot be taken holds up none of them.
      if (isOurs(error)) throw error;
      notTaken += 1;
      logger.error({ err: error, payoutId: payout.id, event: event.dedupeKey }, 'a return could not be taken');
    }
  }
  const kept = notTaken === 0 ? to : new Date(Math.max(readUntil.getTime(), to.getTime() - longLookBackMs));
  await database.query('update provider_poll set read_until = $2, due_at = $3 where provider = $1', [
    provider.id,
    kept,
    new Date(to.getTime() + pollIntervalMs),
  ]);
}

function isOurs(error: unknown): boolean {
  if (isConnectionError(error)) return true;
  return error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE' && !(error instanceof ChangingError);
}

/** From when on to read, or null when it is not time yet, or somebody else is at it. */
async function lease({ database }: Dependencies, provider: string, at: Date): Promise<Date | null> {
  await database.query(
    'insert into provider_poll (provider, read_until, due_at) values ($1, $2, $3) on conflict do nothing',
    [provider, new Date(at.getTime() - longLookBackMs), at],
  );
  const [taken] = await database.query<{ read_until: Date }>(
    'update provider_poll set due_at = $3 where provider = $1 and due_at <= $2 returning read_until',
    [provider, at, new Date(at.getTime() + leaseMs)],
  );
  return taken?.read_until ?? null;
}
