import type { bookProviderFees as contract, FeeLine } from '@gateway/contracts/deposits';
import { treasuryAccountId } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';

const ledgerTimeoutMs = 5_000;

type Fees = RequestOf<typeof contract>;

/**
 * Books what providers took as our costs. An amount that is not among the provider's prices may be anything, and is left to
 * operators. The command's id follows from the line: it is booked once, however often it is asked for.
 *
 * @throws DomainError SERVICE_UNAVAILABLE while the ledger does not answer
 */
export function bookProviderFees(
  dependencies: ProvidersDependencies,
  { fees }: Fees,
): Promise<ReplyOf<typeof contract>> {
  return bookAll(
    dependencies,
    fees.filter((fee) => isPriced(dependencies, fee)),
  );
}

/**
 * Books what two operators have stated to be a fee, under the same id as a priced one: once, whichever comes first.
 *
 * @throws DomainError SERVICE_UNAVAILABLE while the ledger does not answer
 */
export function bookApprovedFees(
  dependencies: ProvidersDependencies,
  { fees }: Fees,
): Promise<ReplyOf<typeof contract>> {
  return bookAll(dependencies, fees);
}

async function bookAll(dependencies: ProvidersDependencies, fees: readonly FeeLine[]) {
  const booked = await Promise.all(fees.map((fee) => book(dependencies, fee)));
  return { booked: booked.flatMap((lineId) => lineId ?? []) };
}

function isPriced({ chargeRoutes, providerTariffs }: ProvidersDependencies, fee: FeeLine): boolean {
  const isConfigured = chargeRoutes.live.some(({ provider }) => provider.id === fee.provider);
  return isConfigured && (providerTariffs[fee.provider]?.[fee.currency]?.includes(fee.amount) ?? false);
}

async function book(
  { askLedger, logger }: ProvidersDependencies,
  { provider, currency, lineId, amount }: FeeLine,
): Promise<string | null> {
  const command = {
    kind: 'provider-fee',
    id: `provider-fee:${lineId}`,
    environment: 'live',
    accountId: treasuryAccountId,
    currency,
    provider,
    lineId,
    amount,
  } as const;
  const { outcome, refusal } = await askLedger(command, ledgerTimeoutMs);
  if (outcome === 'applied') return lineId;
  logger.error({ provider, lineId, refusal: refusal ?? outcome }, "the ledger has not booked a provider's fee");
  return null;
}
