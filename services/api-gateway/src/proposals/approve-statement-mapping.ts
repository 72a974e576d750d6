import type { z } from 'zod';
import { approveStatementMapping, draftStatementMapping } from '@gateway/contracts/reconciler';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentStatementMapping, type statementMappingRequestSchema } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

const reconcilerTimeoutMs = 4_000;
const timeout = { timeoutMs: reconcilerTimeoutMs };

/**
 * How a provider's CSV is to be read. The draft gets its version at once, so that files can be read with it in dry runs; none
 * is imported with it before another operator approves.
 */
export async function proposeMapping(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  { provider, mapping, reason }: z.output<typeof statementMappingRequestSchema>,
): Promise<Approval> {
  const wanted = { provider, mapping, operator: act.operator };
  const { mapping: draft } = await callRpc(bus, draftStatementMapping, wanted, timeout);
  const { version } = draft;
  const target = `${provider}/${version}`;
  const subject = { kind: 'statement-mapping.approve', environment: 'live', accountId: null, target } as const;
  const proposal = { ...subject, request: { provider, version, mapping }, before: null, reason };
  return await database.transaction(async (tx) => proposeApproval(tx, act, proposal));
}

/** Carried out by the reconciler, unless a later version was approved; asked again, it finds that it was. */
export function mappingApprovalRules(bus: Bus): ApprovalRules {
  const apply = async ({ request, target, approvedBy }: Approval) => {
    const { provider, version } = request as { readonly provider: string; readonly version: number };
    const wanted = { provider, version, operator: approvedBy ?? '' };
    const after = presentStatementMapping((await callRpc(bus, approveStatementMapping, wanted, timeout)).mapping);
    return async (tx: Tx, act: OperatorAct) => {
      recordAudit(tx, act, { action: 'statement-mapping.approve', target, before: null, after });
      return { outcome: after };
    };
  };
  return { apply };
}
