import type { PaymentProvider, PayoutOutcome } from '@gateway/providers';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import type { Harness } from './harness.ts';
import { Rail } from './rail.ts';

export const away = { kind: 'not_sent', reason: 'unreachable', cause: 'ECONNREFUSED' } as const;
export const lost = { kind: 'unknown', cause: 'ETIMEDOUT' } as const;
export const empty = { kind: 'refused', code: 'provider_balance', message: 'Saldo insuficiente', raw: {} } as const;
export const restricted = { ...empty, code: 'provider_restricted', message: 'conta bloqueada' } as const;

/** Two providers; what they answer to the first calls for a payout is given, then they take it. */
export function twoProviders(
  harness: Harness,
  ofFirst: readonly PayoutOutcome[],
  ofSecond: readonly PayoutOutcome[] = [],
) {
  const rail = new Rail(harness.dependencies.now, () => 'pay');
  const calls: string[] = [];
  const called = (id: string, answers: readonly PayoutOutcome[]): PaymentProvider => ({
    ...rail.provider,
    id,
    createPayout: async (payout) => {
      const call = `${id} ${payout.ref}`;
      const before = calls.filter((each) => each === call).length;
      calls.push(call);
      return answers[before] ?? (await rail.provider.createPayout(payout));
    },
  });
  const routeTo = (provider: PaymentProvider) => ({ provider, currencies: ['BRL'] as const, callTimeoutMs: 1_000 });
  const inTurn = [routeTo(called('first', ofFirst)), routeTo(called('second', ofSecond))];
  const dependencies: StepsDependencies = { ...harness.dependencies, payoutRoutes: { test: inTurn, live: [] } };
  const callsFor = async ({ externalId }: { externalId: string }) => {
    const [row] = await harness.rowsOf(externalId);
    return calls.filter((call) => call.endsWith(row!.reference)).map((call) => call.split(' ')[0]);
  };
  return { dependencies, calls, callsFor, rail };
}
