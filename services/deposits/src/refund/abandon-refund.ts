import type { abandonRefund as contract } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { giveUpRefund } from '#src/refund/move-refund.ts';
import { toRefund } from '#src/refund/read-refunds.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';
import { isSentOverWire } from '#src/refund/reserve-refund.ts';
import type { RoutingDependencies } from '#src/routing/dependencies.ts';

/**
 * For a caller who was not answered: "nothing was created" has to be true when the caller reports it (api.md 1). Either the
 * refund is on its way by now, or it is given up here and now, and what may have been reserved is given back.
 */
export async function abandonRefund(
  dependencies: RoutingDependencies,
  { environment, accountId, externalId }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const key = { environment, accountId, externalId, releasedAt: null };
  const found = await dependencies.database.reader().findOne(RefundEntity, key);
  if (!found) return { refund: null };
  const knownUnsent = !isSentOverWire(dependencies, found);
  const refund = await giveUpRefund(dependencies, found, { knownUnsent });
  return { refund: !refund || refund.state === 'RELEASING' || refund.releasedAt ? null : toRefund(refund) };
}
