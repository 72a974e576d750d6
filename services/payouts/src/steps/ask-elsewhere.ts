import { noRefusal } from '#src/payout/failure-reasons.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { askableRoutes } from '#src/providers/payout-routes.ts';
import { askProvider } from '#src/providers/ask-provider.ts';
import { after } from '#src/settlement/timing.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

/** The clock of the database's machine and ours may be so far apart. */
const clockToleranceMs = 60_000;

/** What every provider but the payout's own says of it; `found` with what is to be on record then. */
export type Elsewhere =
  { readonly kind: 'nowhere' | 'unanswered' } | { readonly kind: 'found'; readonly changes: PayoutChanges };

/**
 * Asks all other providers whether they have the payout, under its reference: one that had refused it, or one that it was given
 * to in what a restored database has forgotten. Before its money goes back, or to another provider, each must have answered no.
 */
export async function askElsewhere(dependencies: StepsDependencies, payout: PayoutRow): Promise<Elsewhere> {
  const { payoutRoutes, logger } = dependencies;
  let isAnswered = true;
  for (const route of askableRoutes(payoutRoutes, payout)) {
    const { id: provider } = route.provider;
    if (provider === payout.provider) continue;
    const found = await askProvider(route, { ...payout, providerRef: null, e2eId: null });
    if (found.status === 'NOT_FOUND' || found.status === 'FAILED') continue;
    const facts = { payoutId: payout.id, provider, has: payout.provider, status: found.status };
    if (found.status === 'UNAVAILABLE') {
      logger.warn(facts, 'another provider cannot be asked whether it has a payout');
      isAnswered = false;
      continue;
    }
    logger.error(facts, 'another provider has a payout');
    return { kind: 'found', changes: heldBy(provider, payout) };
  }
  return { kind: isAnswered ? 'nowhere' : 'unanswered' };
}

/** What is on record of a payout that a provider turns out to have: who has it, under our reference, and no refusal. */
export function heldBy(provider: string, { reference }: PayoutRow): PayoutChanges {
  return { provider, providerRef: reference, notFoundCount: 0, notFoundSince: null, ...noRefusal };
}

/** `askElsewhere` where a restored database may have forgotten a call; else no other provider can have the payout. */
export async function askIfForgotten(dependencies: StepsDependencies, payout: PayoutRow): Promise<Elsewhere> {
  const isAsked = await mayBeForgotten(dependencies, payout);
  return isAsked ? await askElsewhere(dependencies, payout) : { kind: 'nowhere' };
}

/**
 * Whether a call of the payout may be missing from its record: the database was restored, or took over from another one, after
 * the last call that it knows of. Without a second provider that makes no difference: each knows its own references.
 */
export async function mayBeForgotten(dependencies: StepsDependencies, payout: PayoutRow): Promise<boolean> {
  const { payoutRoutes } = dependencies;
  if (askableRoutes(payoutRoutes, payout).every(({ provider }) => provider.id === payout.provider)) return false;
  return await isOlderThanMemory(dependencies, payout);
}

/** Whether the database was restored, or took over from another one, after the last call of the payout that it knows of. */
export async function isOlderThanMemory(
  { rememberedSince }: Pick<StepsDependencies, 'rememberedSince'>,
  { calledAt, createdAt }: PayoutRow,
): Promise<boolean> {
  return (calledAt ?? createdAt) <= after(await rememberedSince(), clockToleranceMs);
}
