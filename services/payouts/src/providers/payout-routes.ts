import { createHash } from 'node:crypto';
import type { Environment } from '@gateway/contracts/values';
import { currenciesOn, type Currency, type RailCurrency } from '@gateway/money';
import { type PaymentProvider, type Providers, sandboxProvider } from '@gateway/providers';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { ProviderSwitches } from '#src/providers/provider-switches.ts';

/** The sandbox answers at once: it calls no other system. */
const sandboxTimeoutMs = 1_000;

/**
 * How often in a row, and over how long, a provider with consistent lookups has to know nothing of a payout before that
 * means it never arrived and may be sent again, under the same reference.
 */
export interface NeverArrived {
  readonly lookups: number;
  readonly afterMs: number;
}

/** A provider that may be asked for payouts in some currencies. */
export interface PayoutRoute {
  readonly provider: PaymentProvider;
  readonly currencies: readonly RailCurrency[];
  /** How long one call to the provider may take. */
  readonly callTimeoutMs: number;
  readonly neverArrived?: NeverArrived;
  /** False while operators keep new payouts away from it; those it has are still its own. On where it is left out. */
  readonly isEnabled?: () => boolean;
  /** Share of the new payouts; 0 only when no other can. All alike where it is left out. */
  readonly weight?: () => number;
  /** What it holds for us by the last comparison of balances, in minor units; undefined where that is not known. */
  readonly heldIn?: (currency: Currency) => number | undefined;
}

/** The providers of each environment, in the order they are asked. */
export type PayoutRoutes = Readonly<Record<Environment, readonly PayoutRoute[]>>;

export interface Wanted {
  readonly environment: Environment;
  readonly currency: Currency;
  /** Minor units. */
  readonly amount: number;
  readonly verifyOwner: boolean;
}

/**
 * The provider for a new payout, or undefined when the environment has none that can do it: drawn by weight, as charges
 * are, among those that hold the amount as far as is known. What is known is a minute old, so a provider that seems to
 * hold too little is still asked when there is no other.
 *
 * @param seed the same provider is drawn for the same seed
 */
export function routeFor(routes: PayoutRoutes, wanted: Wanted, seed: string): PayoutRoute | undefined {
  return routesFor(routes, wanted, seed)[0];
}

/**
 * Another provider for a payout that was not sent: the one that follows in its order, and the first again after the last.
 *
 * @param besides providers that must not be asked
 */
export function routeAfter(
  routes: PayoutRoutes,
  wanted: Wanted & Pick<PayoutRow, 'provider' | 'reference'>,
  besides: readonly string[] = [],
): PayoutRoute | undefined {
  return routesInTurn(routes, wanted).find(({ provider }) => !besides.includes(provider.id));
}

/** All providers that take it now, beginning with the one after its own, which is the last. */
export function routesInTurn(
  routes: PayoutRoutes,
  wanted: Wanted & Pick<PayoutRow, 'provider' | 'reference'>,
): PayoutRoute[] {
  const inOrder = routesFor(routes, wanted, wanted.reference);
  const current = inOrder.findIndex(({ provider }) => provider.id === wanted.provider);
  return [...inOrder.slice(current + 1), ...inOrder.slice(0, current + 1)];
}

/**
 * The provider for a payout that no call can have reached: its own as long as that takes new ones, unless it has refused the
 * payout and another has never been called for it. Undefined while none takes any.
 */
export function routeToSend(
  routes: PayoutRoutes,
  payout: Wanted & Pick<PayoutRow, 'provider' | 'reference' | 'refusedBy' | 'failedCalls'>,
): PayoutRoute | undefined {
  const able = routesFor(routes, payout, payout.reference);
  const own = able.find(({ provider }) => provider.id === payout.provider);
  if (own && !payout.refusedBy.includes(payout.provider)) return own;
  const uncalled = able.find(({ provider }) => payout.failedCalls.every((call) => call.provider !== provider.id));
  return uncalled ?? own ?? able.find(({ provider }) => !payout.refusedBy.includes(provider.id)) ?? able[0];
}

/** Every provider that may have a payout, also those that get no new ones. */
export function askableRoutes(
  routes: PayoutRoutes,
  { environment, currency }: Pick<Wanted, 'environment' | 'currency'>,
): PayoutRoute[] {
  return routes[environment].filter(
    ({ provider, currencies }) => provider.capabilities.payout && currencies.some((served) => served === currency),
  );
}

function routesFor(routes: PayoutRoutes, wanted: Wanted, seed: string): PayoutRoute[] {
  const able = routes[wanted.environment].filter(
    ({ provider: { capabilities }, currencies, isEnabled }) =>
      isEnabled?.() !== false &&
      capabilities.payout &&
      (capabilities.ownerCheck || !wanted.verifyOwner) &&
      currencies.some((served) => served === wanted.currency),
  );
  if (able.length < 2) return able;
  const placed = able.map((route) => ({ route, isShort: isShort(route, wanted), place: placeOf(route, seed) }));
  placed.sort((one, other) => Number(one.isShort) - Number(other.isShort) || one.place - other.place);
  return placed.map(({ route }) => route);
}

function isShort({ heldIn }: PayoutRoute, { currency, amount }: Wanted): boolean {
  const held = heldIn?.(currency);
  return held !== undefined && held < amount;
}

/** Exponential draw with the weight as its rate: the smallest of several is each one with the chance of its weight. */
function placeOf({ provider, weight }: PayoutRoute, seed: string): number {
  if (!weight) return 0;
  const rate = weight();
  if (rate === 0) return Number.MAX_SAFE_INTEGER;
  const digest = createHash('sha256').update(`${provider.id} ${seed}`).digest();
  return -Math.log((digest.readUInt32BE(0) + 1) / (2 ** 32 + 1)) / rate;
}

/**
 * The provider a payout is given to. It never changes once a call may have been taken: another provider would not know
 * the reference, and could pay a second time. Undefined while it is not configured (any more): then it cannot be asked, which is
 * no answer.
 */
export function routeOf(
  routes: PayoutRoutes,
  { environment, provider }: { environment: Environment; provider: string },
): PayoutRoute | undefined {
  return routes[environment].find((candidate) => candidate.provider.id === provider);
}

/** The providers of the live environment, in the order of the configuration. */
export function liveRoutesOf(providers: Providers, switches: ProviderSwitches): readonly PayoutRoute[] {
  return [...providers].map((provider) => ({
    provider,
    currencies: currenciesOn(provider.capabilities.rails),
    callTimeoutMs: providers.callTimeoutMsOf(provider.id),
    isEnabled: () => switches.isOn('live', provider.id),
    weight: () => switches.weightOf('live', provider.id),
    heldIn: (currency) => switches.heldBy(provider.id, currency),
  }));
}

/** Test mode never touches a payment provider (spec 5.3). */
export function sandboxRoute(now: () => Date, switches: ProviderSwitches): PayoutRoute {
  const provider = sandboxProvider({ now });
  return {
    provider,
    currencies: currenciesOn(provider.capabilities.rails),
    callTimeoutMs: sandboxTimeoutMs,
    // What it does not know now, it never will.
    neverArrived: { lookups: 1, afterMs: 0 },
    isEnabled: () => switches.isOn('test', provider.id),
  };
}
