import { listCheckpointKeys, rotateCheckpointKey } from '@gateway/contracts/ledger';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentKeys } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';

const ledgerTimeoutMs = 4_000;

interface Wanted {
  /** The number of the key that signs now. */
  readonly replaces: number;
}

/** Proposes that the key which signs checkpoints is replaced: with another key of its own a person could sign another history. */
export async function proposeKeyRotation(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  reason: string | null,
): Promise<Approval> {
  const known = await callRpc(bus, listCheckpointKeys, {}, { timeoutMs: ledgerTimeoutMs });
  const wanted: Wanted = { replaces: Math.max(...known.keys.map(({ number }) => number)) };
  const subject = { kind: 'checkpoint-key.rotate', environment: null, accountId: null, target: 'ledger' } as const;
  const proposal = { ...subject, request: wanted, before: presentKeys(known), reason };
  return await database.transaction(async (tx) => proposeApproval(tx, act, proposal));
}

/** The ledger replaces the key that the approver saw, once: however often it is asked, the next key stays. */
export function keyRotationRules(bus: Bus): ApprovalRules {
  const apply = async ({ request, before, target }: Approval) => {
    const { replaces } = request as unknown as Wanted;
    const after = presentKeys(await callRpc(bus, rotateCheckpointKey, { replaces }, { timeoutMs: ledgerTimeoutMs }));
    return async (tx: Tx, act: OperatorAct) => {
      recordAudit(tx, act, { action: 'checkpoint-key.rotate', target, before: before ?? null, after });
      return { outcome: after };
    };
  };
  return { apply };
}
