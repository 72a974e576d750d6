import { z } from 'zod';
import { disputeStatusSchema, evidenceStatusSchema, fileStatusSchema } from '@gateway/contracts/deposits';
import { environmentSchema } from '@gateway/contracts/values';
import { foreignCurrencySchema } from '#src/shared/foreign-currency.ts';
import { isoTime, minorUnits, objectName, recordId, text } from '#src/shared/members.ts';
import { storedFile } from '#src/v0_1/file-resource.ts';

const evidenceFileResourceSchema = z
  .object({ ...storedFile, status: fileStatusSchema.describe('Whether the provider has it.') })
  .meta({ id: 'DisputeEvidenceFile', description: 'A file of evidence, and its state at the provider.' });

export const evidenceResourceSchema = z
  .object({
    text: text('What the merchant says.', 'Delivered on 3 January, signed for by the payer.'),
    urls: z.array(z.string()).meta({ description: 'Addresses of files that belong to it.', examples: [[]] }),
    files: z.array(evidenceFileResourceSchema).describe('The stored files that belong to it.'),
    status: evidenceStatusSchema.describe('Whether the provider has it.'),
    sent_at: isoTime('When it was last handed to the provider; null before.').nullable(),
    failure_message: text(
      'Why the provider does not have it, in the language that the caller reads.',
      'The provider refused the evidence.',
    ).nullable(),
  })
  .meta({ id: 'DisputeEvidence', description: 'Evidence against a dispute, and its state at the provider.' });

/** A dispute as contract 0.1 shows it (api.md 2); every member is always present. */
export const disputeResourceSchema = z
  .object({
    id: recordId('dispute', 'The id of the dispute.'),
    object: objectName('dispute'),
    deposit_id: recordId('deposit', 'The id of the disputed deposit.'),
    external_id: text("The merchant's reference of the deposit.", 'order-1001'),
    e2e_id: text('The id of the disputed payment on its rail.', 'E12345678202601021004abcdef12345'),
    amount_cents: minorUnits('What is disputed.'),
    currency: foreignCurrencySchema,
    blocked_cents: minorUnits('What is held for it at the moment.', 1_500),
    returned_cents: minorUnits('What has gone back to the payer.', 0),
    reason: text(
      'What the payer says: `FRAUD` or `OPERATIONAL_FLAW`; null where the provider does not tell.',
      'FRAUD',
    ).nullable(),
    status: disputeStatusSchema.describe('What has become of the dispute.'),
    environment: environmentSchema.describe('The environment of the deposit.'),
    opened_at: isoTime('When it was opened.', '2026-01-05T10:04:37.250Z'),
    defense_due_at: isoTime(
      'Until when evidence is taken, as far as the provider says so.',
      '2026-01-12T10:04:37.250Z',
    ).nullable(),
    resolved_at: isoTime('When it was decided; null before.', '2026-01-15T10:04:37.250Z').nullable(),
    evidence: z.array(evidenceResourceSchema).describe('What was submitted against it, oldest first.'),
  })
  .meta({ id: 'Dispute', description: 'A payer disputes a payment (MED, a chargeback of PIX).' });
export type DisputeResource = z.infer<typeof disputeResourceSchema>;
