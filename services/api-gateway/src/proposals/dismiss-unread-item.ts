import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import {
  dismissDepositUnreadItem,
  dismissPayoutUnreadItem,
  dismissReconcilerUnreadItem,
  getDepositUnreadItem,
  getPayoutUnreadItem,
  getReconcilerUnreadItem,
  type FeedService,
  type UnreadItem,
} from '@gateway/contracts/providers';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentUnreadItem } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

const ownerTimeoutMs = 8_000;

const dismissals = {
  deposits: dismissDepositUnreadItem,
  payouts: dismissPayoutUnreadItem,
  reconciler: dismissReconcilerUnreadItem,
} as const satisfies Record<FeedService, unknown>;

const lookups = [getDepositUnreadItem, getPayoutUnreadItem, getReconcilerUnreadItem] as const;

/**
 * That an unread item is of no consequence, for another operator to approve; it is tried on as before until then.
 *
 * @throws NotFoundError
 */
export async function proposeDismissal(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  id: string,
  reason: string,
): Promise<Approval> {
  const item = await findUnreadItem(bus, id);
  const { service, environment, provider, feed, key } = item;
  const proposal = {
    kind: 'unread-item.dismiss',
    environment,
    accountId: null,
    target: id,
    request: { unread_item_id: id, service, provider, feed, key },
    before: presentUnreadItem(item),
    reason,
  } as const;
  return await database.transaction(async (tx) => proposeApproval(tx, act, proposal));
}

/**
 * Carried out by the service that has the item. The id covers when the item was reported: one that was reported again
 * since the proposal is another item, which no operator has dismissed.
 */
export function dismissalRules(bus: Bus): ApprovalRules {
  const apply = async ({ target, request }: Approval) => {
    const dismiss = dismissals[request['service'] as FeedService];
    const dismissed = await callRpc(bus, dismiss, { id: target }, { timeoutMs: ownerTimeoutMs });
    return async (tx: Tx, act: OperatorAct) => {
      const [before, after] = [presentUnreadItem(dismissed.before), presentUnreadItem(dismissed.item)];
      recordAudit(tx, act, { action: 'unread-item.dismiss', target, before, after });
      return { outcome: after };
    };
  };
  return { apply };
}

/** One of the services has it. @throws NotFoundError */
export async function findUnreadItem(bus: Askable, id: string): Promise<UnreadItem> {
  for (const lookup of lookups) {
    try {
      return (await callRpc(bus, lookup, { id })).item;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
    }
  }
  throw new NotFoundError('unread item');
}
