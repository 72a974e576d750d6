import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { listOperatorPayouts as contract } from '@gateway/contracts/payouts';
import type { Dependencies } from '#src/dependencies.ts';
import { UnknownCursorError } from '#src/errors.ts';
import { invisibleStates, statesOf } from '#src/payout/life-cycle.ts';
import { PayoutEntity } from '#src/payout/payout-entity.ts';
import { toOperatorPayout } from '#src/payout/to-operator-payout.ts';

/** The payouts of all accounts in both environments, newest first. */
export async function listOperatorPayouts(
  { database }: Dependencies,
  { limit, cursor, status, attention }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const em = database.reader();
  if (cursor !== undefined && (await em.count(PayoutEntity, { id: cursor })) === 0) throw new UnknownCursorError();
  const found = await em.find(
    PayoutEntity,
    {
      $and: [
        { state: status === undefined ? { $nin: invisibleStates } : { $in: statesOf(status) } },
        attention === true ? { attentionAt: { $ne: null } } : {},
        cursor === undefined ? {} : { id: { $lt: cursor } },
      ],
    },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const page = found.slice(0, limit);
  return { payouts: page.map(toOperatorPayout), nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}
