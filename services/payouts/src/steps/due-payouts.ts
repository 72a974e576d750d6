import type { Environment } from '@gateway/contracts/values';
import type { DueWork } from '@gateway/persistence';
import { withSpan } from '@gateway/runtime';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { after, leaseMs } from '#src/settlement/timing.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumePayout } from '#src/steps/resume-payout.ts';

/** Payouts of one environment under way at once in this process. */
const inFlightMax = 200;

/**
 * Picks up whatever is due, until disposed. Each environment has its own: a live provider that is slow to answer holds
 * up no payout of test mode.
 */
export function startDuePayouts(
  dependencies: StepsDependencies,
  environment: Environment,
  dueWork: DueWork,
): AsyncDisposable {
  const inFlight = new Set<Promise<void>>();
  const loop = dueWork.start({
    name: `due payouts ${environment}`,
    firstDue: `(select min(due_at) from payout where environment = '${environment}' and due_at is not null)`,
    work: () => startDue(dependencies, environment, inFlight),
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await loop[Symbol.asyncDispose]();
      await Promise.all(inFlight);
    },
  };
}

/** Takes as many as there is room for, and waits for room when there is none. Answers true when there may be more. */
async function startDue(
  dependencies: StepsDependencies,
  environment: Environment,
  inFlight: Set<Promise<void>>,
): Promise<boolean> {
  const room = inFlightMax - inFlight.size;
  const due = room > 0 ? await claimDue(dependencies, environment, room) : [];
  for (const payout of due) {
    const work = resumeOrLog(dependencies, payout).finally(() => inFlight.delete(work));
    inFlight.add(work);
  }
  if (inFlight.size >= inFlightMax) await Promise.race(inFlight);
  return due.length === room;
}

async function claimDue(
  dependencies: StepsDependencies,
  environment: Environment,
  limit: number,
): Promise<PayoutRow[]> {
  const now = dependencies.now();
  const routes = dependencies.payoutRoutes[environment];
  const longestLeaseMs = Math.max(...routes.map((route) => leaseMs(route)), leaseMs());
  const leaseUntil = after(now, longestLeaseMs);
  return await dependencies.payouts.claimDue(environment, now, leaseUntil, limit);
}

/** What fails is due again when its lease ends. */
export async function resumeOrLog(dependencies: StepsDependencies, payout: PayoutRow): Promise<void> {
  const { id: payoutId, state } = payout;
  try {
    await withSpan('advance payout', { parent: payout.trace, attributes: { state } }, () =>
      resumePayout(dependencies, payout),
    );
  } catch (error) {
    dependencies.logger.error({ err: error, payoutId, state }, 'payout could not be resumed yet');
  }
}
