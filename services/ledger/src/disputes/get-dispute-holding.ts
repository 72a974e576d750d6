import { NotFoundError } from '@gateway/contracts/errors';
import type { getDisputeHolding } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';

const text = `
  select state, held as blocked, used as returned, due_at as "captureUntil", shortfall
  from reference where environment = $1 and id = $3 and kind = 'dispute' and account_id = $2`;

/** @throws NotFoundError when the account has no such dispute */
export async function readDisputeHolding(
  database: Database,
  { environment, accountId, disputeId }: RequestOf<typeof getDisputeHolding>,
): Promise<ReplyOf<typeof getDisputeHolding>> {
  const params = [environment, accountId, disputeId];
  const [holding] = await database.query<ReplyOf<typeof getDisputeHolding>>(text, params, 'dispute-holding');
  if (!holding) throw new NotFoundError('dispute');
  return holding;
}
