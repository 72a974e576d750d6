import { z } from 'zod';
import { reconciliationCheckSchema, reconciliationSchema, type Reconciliation } from '@gateway/contracts/ledger';
import { objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';

const signOffSchema = z
  .object({
    by: text('Who answers for it: both, where it took two.', 'ana, bruno'),
    reason: text('What they have found out.', 'the bank corrects it tomorrow'),
    at: unixSeconds('When it was signed off.', 1_767_348_100),
    approval_id: recordId('approval', 'By which two decided it; null where everything agreed.').nullable(),
  })
  .meta({ id: 'SignOff', description: 'Who answers for a reconciliation, and why.' });

/** A proof that the ledger agrees with itself, as operators see it (api.md 5). */
export const reconciliationResourceSchema = z
  .object({
    id: recordId('reconciliation', 'The id of the reconciliation.'),
    object: objectName('reconciliation'),
    status: reconciliationSchema.shape.status.describe('`OK`: every check held.'),
    checks: z.array(reconciliationCheckSchema).describe('Every check, and what it found.'),
    started_at: unixSeconds('When it began.'),
    finished_at: unixSeconds('When it was done.', 1_767_348_001),
    signed_off: signOffSchema.nullable().describe('Null until operators answer for it.'),
  })
  .meta({ id: 'Reconciliation', description: 'A proof that the ledger agrees with itself and with the providers.' });
export type ReconciliationResource = z.infer<typeof reconciliationResourceSchema>;

export function presentReconciliation(reconciliation: Reconciliation): ReconciliationResource {
  const { signedOff } = reconciliation;
  return {
    id: reconciliation.id,
    object: 'reconciliation',
    status: reconciliation.status,
    checks: reconciliation.checks,
    started_at: reconciliation.startedAt,
    finished_at: reconciliation.finishedAt,
    signed_off: signedOff && {
      by: signedOff.by,
      reason: signedOff.reason,
      at: signedOff.at,
      approval_id: signedOff.approvalId,
    },
  };
}
