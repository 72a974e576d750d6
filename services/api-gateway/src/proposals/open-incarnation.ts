import { DomainError } from '@gateway/contracts/errors';
import {
  getLostRange,
  type LostRange,
  lostRangeSchema,
  needsOperators,
  openIncarnation,
} from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentLedgerChain } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

/** The ledger asks its witnesses in that time. */
const ledgerTimeoutMs = 6_000;

export interface ChainName {
  readonly environment: Environment;
  readonly shard: number;
}

/** @throws NotFoundError for a shard that does not exist */
export async function readLostRange(bus: Askable, { environment, shard }: ChainName): Promise<LostRange> {
  return (await callRpc(bus, getLostRange, { environment, shard }, { timeoutMs: ledgerTimeoutMs })).range;
}

/**
 * Proposes that a chain goes on that has lost its end, or that ends in the future. What is approved is what the witnesses have seen
 * now, and the time of the last link: if they turn out to have seen more, the ledger goes on refusing and it is proposed again.
 *
 * @throws NotFoundError for a shard that does not exist
 * @throws DomainError INVALID_STATE where no witness contradicts the chain, and its end is not in the future
 */
export async function proposeIncarnation(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  { environment, shard, reason }: ChainName & { readonly reason: string },
): Promise<Approval> {
  const range = await readLostRange(bus, { environment, shard });
  if (!needsOperators(range)) {
    throw new DomainError('INVALID_STATE', 'no witness contradicts the chain, and its end is not in the future');
  }
  const subject = { kind: 'ledger.open-incarnation', environment, accountId: null } as const;
  const proposal = { ...subject, target: `${environment}/ledger/${shard}`, request: { ...range }, reason };
  const before = presentLedgerChain(range);
  return await database.transaction(async (tx) => proposeApproval(tx, act, { ...proposal, before }));
}

/** Carried out by the ledger, once under the approval's id; its writer opens the incarnation when it tries again. */
export function incarnationRules(bus: Bus): ApprovalRules {
  const apply = async ({ id: approvalId, request, before: seen, target, proposedBy, approvedBy }: Approval) => {
    const range = lostRangeSchema.parse(request);
    const wanted = { approvalId, range, proposedBy, approvedBy: approvedBy ?? '' };
    const { number } = await callRpc(bus, openIncarnation, wanted, { timeoutMs: ledgerTimeoutMs });
    const after = { ...presentLedgerChain(range), incarnation: number };
    return async (tx: Tx, act: OperatorAct) => {
      recordAudit(tx, act, { action: 'ledger.open-incarnation', target, before: seen ?? null, after });
      return { outcome: after };
    };
  };
  return { apply };
}
