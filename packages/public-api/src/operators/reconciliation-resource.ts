import { z } from 'zod';
import { reconciliationCheckSchema, reconciliationSchema, type Reconciliation } from '@gateway/contracts/ledger';

/** A proof that the ledger agrees with itself, as operators see it (api.md 5). */
export const reconciliationResourceSchema = z.object({
  id: z.string(),
  object: z.literal('reconciliation'),
  status: reconciliationSchema.shape.status,
  checks: z.array(reconciliationCheckSchema),
  /** Unix seconds. */
  started_at: z.int(),
  finished_at: z.int(),
});
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
