import type { bookProviderFees as contract, FeeLine } from '@gateway/contracts/deposits';
import { treasuryAccountId } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ProvidersDependencies } from '#src/providers/dependencies.ts';

const ledgerTimeoutMs = 5_000;

/**
 * Books what providers took as our costs. An amount that is not among the provider's prices may be anything, and is booked
 * once two operators have stated what it is. The command's id follows from the line: it is booked once, however often it is asked for.
 *
 * @throws DomainError SERVICE_UNAVAILABLE while the ledger does not answer
 */
export async function bookProviderFees(
  dependencies: ProvidersDependencies,
  { fees }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const priced = fees.filter((fee) => fee.approved ?? isPriced(dependencies, fee));
  const booked = await Promise.all(priced.map((fee) => book(dependencies, fee)));
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
