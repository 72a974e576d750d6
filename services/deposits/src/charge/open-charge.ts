import type { Deposit } from '@gateway/contracts/deposits';
import type { ChargeOutcome } from '@gateway/providers';
import { measureProviderCall } from '@gateway/provider-feeds';
import type { Creation } from '#src/charge/creation.ts';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { chargeInputOf } from '#src/deposit/charge-input.ts';
import { ProviderUnavailableError } from '#src/errors.ts';
import type { ChargeRoute } from '#src/routing/charge-routes.ts';

const chargeTimeoutMs = 4_000;

/**
 * Brings a creation to its end: the provider's charge and PENDING, or no record. Repeatable: the reference is stored before
 * the provider hears of it, so the provider finds the charge by it, and a record that was completed meanwhile is answered
 * as it is. Where nothing was sent, the next of the others is asked, under the same reference.
 *
 * @returns null when the external_id is taken
 * @throws ProviderUnavailableError when no charge came of it; the record is gone and its external_id free
 */
export async function openCharge(
  dependencies: ChargeDependencies,
  route: ChargeRoute,
  creation: Creation,
  others: readonly ChargeRoute[] = [],
): Promise<Deposit | null> {
  const outcome = await askForCharge(route, creation);
  if (creation.isTaken) return null;
  if (outcome.kind === 'accepted') return await creation.complete(outcome.charge);
  const { logger } = dependencies;
  const { id: depositId, provider } = creation.deposit;
  const [next, ...rest] = others;
  if (outcome.kind === 'not_sent' && next) {
    logger.warn({ depositId, provider, cause: outcome.cause }, 'charge fails over');
    await creation.giveTo(next.provider.id);
    return await openCharge(dependencies, next, creation, rest);
  }
  const cause = outcome.kind === 'refused' ? outcome.message : outcome.cause;
  logger.warn({ depositId, provider, outcome: outcome.kind, cause }, 'charge could not be opened');
  await creation.abandon();
  throw new ProviderUnavailableError();
}

/** After a lost answer the provider is asked once more: it finds the charge by its reference. */
async function askForCharge({ provider }: ChargeRoute, creation: Creation): Promise<ChargeOutcome> {
  const input = chargeInputOf(creation.deposit);
  const beforeSending = () => creation.claim();
  const call = () => provider.createCharge(input, { signal: AbortSignal.timeout(chargeTimeoutMs), beforeSending });
  const ask = () => measureProviderCall(provider.id, 'create-charge', ({ kind }) => kind, call);
  const outcome = await ask();
  return outcome.kind === 'unknown' ? await ask() : outcome;
}
