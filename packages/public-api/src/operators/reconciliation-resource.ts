import { z } from 'zod';
import { reconciliationCheckSchema, reconciliationSchema, type Reconciliation } from '@gateway/contracts/ledger';
import { objectName, recordId, unixSeconds } from '#src/shared/members.ts';

/** A proof that the ledger agrees with itself, as operators see it (api.md 5). */
export const reconciliationResourceSchema = z
  .object({
    id: recordId('reconciliation', 'The id of the reconciliation.'),
    object: objectName('reconciliation'),
    status: reconciliationSchema.shape.status.describe('`OK`: every check held.'),
    checks: z.array(reconciliationCheckSchema).describe('Every check, and what it found.'),
    started_at: unixSeconds('When it began.'),
    finished_at: unixSeconds('When it was done.', 1_767_348_001),
  })
  .meta({ id: 'Reconciliation', description: 'A proof that the ledger agrees with itself and with the providers.' });
export type ReconciliationResource = z.infer<typeof reconciliationResourceSchema>;

export function presentReconciliation(reconciliation: Reconciliation): ReconciliationResource {
  return {
    id: reconciliation.id,
    object: 'reconciliation',
    status: reconciliation.status,
    checks: reconciliation.checks,
    started_at: reconciliation.startedAt,
    finished_at: reconciliation.finishedAt,
  };
}
