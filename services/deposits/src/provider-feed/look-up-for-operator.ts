import type { lookUpDeposit as contract } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { readOperatorDeposit } from '#src/payment/operator-deposits.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { lookUpCharge } from '#src/provider-feed/look-up-charge.ts';

const ledgerTimeoutMs = 4_000;

/**
 * An operator does not wait for a notification or a list: the provider is asked now, and each payment is taken as ever.
 *
 * @throws NotFoundError, and ProviderUnavailableError when the provider does not answer
 */
export async function lookUpForOperator(
  dependencies: ProviderFeedDependencies,
  { id }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const before = await readOperatorDeposit(dependencies.database.reader(), id);
  const { environment, provider, reference } = before;
  await lookUpCharge(dependencies, { environment, provider, reference }, { ledgerTimeoutMs });
  return { before, deposit: await readOperatorDeposit(dependencies.database.reader(), id) };
}
