import type { lookUpDeposit as depositContract, lookUpReturn as returnContract } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { isId } from '@gateway/money';
import { toOrphanReceipt } from '#src/orphan-receipts/operator-requests.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt.ts';
import { askAboutOrphan } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { readOperatorDeposit } from '#src/payment/operator-deposits.ts';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { lookUpCharge } from '#src/provider-feed/look-up-charge.ts';
import { toOperatorRefund } from '#src/refund/read-refunds.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';
import { askAboutRefund, resumeRefund } from '#src/refund/resume-refund.ts';

const ledgerTimeoutMs = 4_000;

/**
 * An operator does not wait for a notification or a list: the provider is asked now, and each payment is taken as ever.
 *
 * @throws NotFoundError, and ProviderUnavailableError when the provider does not answer
 */
export async function lookUpForOperator(
  dependencies: ProviderFeedDependencies,
  { id }: RequestOf<typeof depositContract>,
): Promise<ReplyOf<typeof depositContract>> {
  const before = await readOperatorDeposit(dependencies.database.reader(), id);
  const { environment, provider, reference } = before;
  await lookUpCharge(dependencies, { environment, provider, reference }, { ledgerTimeoutMs });
  return { before, deposit: await readOperatorDeposit(dependencies.database.reader(), id) };
}

/**
 * The same of money that goes back to its payer: what the provider answers is recorded as ever, and carried out. Nothing is
 * sent by this, so it may be done at any time.
 *
 * @throws NotFoundError, and ProviderUnavailableError when the provider does not answer
 */
export async function lookUpReturnForOperator(
  dependencies: ProviderFeedDependencies,
  { id, kind }: RequestOf<typeof returnContract>,
): Promise<ReplyOf<typeof returnContract>> {
  const em = dependencies.database.reader();
  if (kind === 'refund') {
    const refund = isId('refund', id)
      ? await em.findOne(RefundEntity, { id, state: { $nin: ['RESERVING', 'RELEASING'] } })
      : null;
    if (!refund) throw new NotFoundError('refund');
    const { row } = await askAboutRefund(dependencies, refund, { needsAnswer: true });
    const after = row.state === 'SENDING' ? row : await resumeRefund(dependencies, row);
    return { kind, before: toOperatorRefund(refund), after: toOperatorRefund(after) };
  }
  const orphan = isId('refund', id) ? await em.findOne(OrphanReceiptEntity, { id }) : null;
  if (!orphan) throw new NotFoundError('orphan receipt');
  const { row } = await askAboutOrphan(dependencies, orphan, { needsAnswer: true });
  return { kind, before: toOrphanReceipt(orphan), after: toOrphanReceipt(row) };
}
