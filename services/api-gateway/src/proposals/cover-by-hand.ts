import { coverByHand, listUncovered } from '@gateway/contracts/conversions';
import { DomainError } from '@gateway/contracts/errors';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Currency } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import { presentUncovered } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

const timeout = { timeoutMs: 4_000 };

interface CoveringByHand {
  readonly currency: Currency;
  /** The youngest conversion that the proposer saw, and what all of them owe. */
  readonly through: string;
  readonly owed: number;
  /** What orders had left over; missing in a proposal of an older release. */
  readonly surplus?: number;
}

/**
 * Proposes that what conversions owe now was bought outside of the gateway: nothing else in the system can see whether it was.
 *
 * @throws DomainError INVALID_STATE where nothing is owed, or while an order is open at an exchange
 */
export async function proposeCoverByHand(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  { currency, reason }: { readonly currency: Currency; readonly reason: string },
): Promise<Approval> {
  const { positions } = await callRpc(bus, listUncovered, {}, timeout);
  const position = positions.find((each) => each.currency === currency);
  if (!position?.through) throw new DomainError('INVALID_STATE', `no conversion from ${currency} is uncovered`);
  if (position.order) throw new DomainError('INVALID_STATE', `the order ${position.order} is open`);
  const subject = { kind: 'live-conversions.cover', environment: 'live', accountId: null } as const;
  const { through, owed, uncovered } = position;
  const request: CoveringByHand = { currency, through, owed, surplus: owed - uncovered };
  const proposal = { ...subject, target: `live/conversions/${currency}`, request, before: presentUncovered(position) };
  return await database.transaction(async (tx) => proposeApproval(tx, act, { ...proposal, reason }));
}

/** Carried out by the ledger, unless what is owed has changed since the proposal; asked again, it finds that it was. */
export function coveringRules(bus: Bus): ApprovalRules {
  const apply = async ({ id: approvalId, request, before: seen, target }: Approval) => {
    const { currency, through, owed, surplus = null } = request as unknown as CoveringByHand;
    const changed = await callRpc(bus, coverByHand, { currency, through, owed, surplus, approvalId }, timeout);
    const after = presentUncovered(changed.after);
    return async (tx: Tx, act: OperatorAct) => {
      recordAudit(tx, act, { action: 'live-conversions.cover', target, before: seen ?? null, after });
      return { outcome: after };
    };
  };
  return { apply };
}
