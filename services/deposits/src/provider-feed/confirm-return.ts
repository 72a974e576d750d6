import type { Environment } from '@gateway/contracts/values';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { askAboutOrphan } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt-entity.ts';
import { askAboutRefund, resumeRefund } from '#src/refund/resume-refund.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';

interface ReportedReturn {
  readonly environment: Environment;
  readonly provider: string;
  /** Our reference at the provider. */
  readonly ref: string;
  readonly end: 'DONE' | 'FAILED';
}

/**
 * A provider says that money has gone back to its payer, or will not. It is asked, and its answer counts: also of one that
 * was decided otherwise, and of money of nobody's. What agrees with the record needs no question.
 *
 * @returns false when nothing here has that reference
 */
export async function confirmReturn(
  dependencies: ProviderFeedDependencies,
  reported: ReportedReturn,
): Promise<boolean> {
  const { environment, provider, ref, end } = reported;
  const key = { environment, provider, id: `rfd_${ref}` };
  const em = dependencies.database.reader();
  const refund = await em.findOne(RefundEntity, key);
  if (refund) {
    if (refund.state === 'RESERVING' || refund.state === end) return true;
    const answered = await askAboutRefund(dependencies, refund);
    if (answered.state !== 'SENDING') await resumeRefund(dependencies, answered);
    return true;
  }
  const orphan = await em.findOne(OrphanReceiptEntity, key);
  if (!orphan) return false;
  const isKnown = orphan.state === (end === 'DONE' ? 'RETURNED' : 'FAILED');
  if (!isKnown) await askAboutOrphan(dependencies, orphan);
  return true;
}
