import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { Reconciliation, signOffReconciliation } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';
import { reconciliationColumns } from '#src/reconciliation/read-reconciliations.ts';

/**
 * Writes down who answers for a reconciliation, once. It changes nothing of what was found.
 *
 * @throws NotFoundError; DomainError INVALID_STATE for one that others have signed off
 */
export async function signOff(
  { database, now }: { readonly database: Database; readonly now: () => number },
  { id, by, reason, approvalId }: RequestOf<typeof signOffReconciliation>,
): Promise<ReplyOf<typeof signOffReconciliation>> {
  return await database.transaction(async (tx) => {
    const select = `select ${reconciliationColumns} from reconciliation where id = $1 for update`;
    const [before] = await tx.sql<Reconciliation>(select, [id]);
    if (!before) throw new NotFoundError('reconciliation');
    const { signedOff } = before;
    if (signedOff?.by === by && signedOff.approvalId === approvalId) return { before, after: before };
    if (signedOff) throw new DomainError('INVALID_STATE', `the reconciliation was signed off by ${signedOff.by}`);
    const written = JSON.stringify({ by, reason, at: Math.floor(now() / 1_000), approvalId });
    const update = `update reconciliation set signed_off = $2::json where id = $1 returning ${reconciliationColumns}`;
    const [after] = await tx.sql<Reconciliation>(update, [id, written]);
    return { before, after: after ?? before };
  });
}
