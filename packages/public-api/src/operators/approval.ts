import { z } from 'zod';
import { requestText, environmentSchema } from '@gateway/contracts/values';
import { idSchema } from '@gateway/money';
import { objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';
import { pageQuery } from '#src/shared/page-query.ts';

/** What takes two operators, named as in the audit trail. */
export const approvalKindSchema = z
  .enum([
    'account.first-owner',
    'account.recover-person',
    'account.unfreeze',
    'account.update',
    'adjustment.apply',
    'checkpoint-key.rotate',
    'dead-letter.discard',
    'dispute.enter',
    'dispute.resolve',
    'exception.resolve',
    'feed.skip',
    'integration.set',
    'key.allowlist',
    'key.issue',
    'ledger.open-incarnation',
    'live-conversions.cover',
    'live-conversions.switch-on',
    'own-transfer.declare',
    'payout.approve',
    'payout.resolve',
    'person.invite',
    'person.recover',
    'person.reinstate',
    'person.roles',
    'provider.update',
    'reconciliation.sign-off',
    'refund.resolve',
    'statement-day.close',
    'service-token.create',
    'statement-mapping.approve',
    'unread-item.dismiss',
  ])
  .meta({ id: 'ApprovalKind', description: 'What takes two operators, named as in the audit trail.' });
export type ApprovalKind = z.infer<typeof approvalKindSchema>;

/**
 * - PROPOSED: waits for another operator; ends as EXPIRED when none decides in time.
 * - APPLYING: approved; being carried out, by the one who approved or after a crash by itself.
 * - APPLIED, REFUSED by another operator, WITHDRAWN by its proposer, EXPIRED: final. REJECTED is what earlier versions
 *   recorded for REFUSED and WITHDRAWN alike.
 * - FAILED: approved, but what it was to do was refused; `failure` says why, and nothing has changed.
 */
export const approvalStateSchema = z
  .enum(['PROPOSED', 'APPLYING', 'APPLIED', 'REFUSED', 'WITHDRAWN', 'REJECTED', 'EXPIRED', 'FAILED'])
  .meta({
    id: 'ApprovalState',
    description:
      '`PROPOSED`: waits for another operator. `APPLYING`: approved, being carried out. `APPLIED`: carried out. `REFUSED`: ' +
      'by another operator. `WITHDRAWN`: by its proposer. `REJECTED`: either of the two, in records of earlier versions. ' +
      '`EXPIRED`: not decided in time. `FAILED`: approved, and then refused; nothing has changed.',
  });
export type ApprovalState = z.infer<typeof approvalStateSchema>;

const recordSchema = z.record(z.string(), z.unknown()).meta({ examples: [{ fixed_cents: 10 }] });

const approvalFailureSchema = z
  .object({
    code: text('The code of the refusal.', 'INVALID_STATE'),
    message: text('The refusal as a sentence.', 'the payout is PAID'),
  })
  .meta({ id: 'ApprovalFailure', description: 'A refusal.' });

/** A change by two operators (api.md 8). Times in Unix seconds. */
export const approvalResourceSchema = z
  .object({
    id: recordId('approval', 'The id of the approval.'),
    object: objectName('approval'),
    kind: approvalKindSchema.describe('What it would change.'),
    environment: environmentSchema.nullable().describe('The environment it concerns; null where it is both.'),
    account_id: recordId('account', 'The account it concerns, if it is one.').nullable(),
    target: text(
      'What is changed: the id of a record, or `<environment>/<provider>`.',
      'acc_01k9z3m4v6t8x0a2c4e6g8jk01',
    ),
    request: recordSchema.describe('What was asked for; it is carried out exactly so.'),
    before: recordSchema
      .nullable()
      .describe('What the request changes, as it was when it was proposed; null where something new is made.'),
    after_preview: recordSchema
      .nullable()
      .describe('What `before` would be once it is carried out; null where the request is no new value of it.'),
    reason: text('Why it was proposed.', 'agreed with the merchant').nullable(),
    state: approvalStateSchema.describe('What has become of it.'),
    proposed_by: text('The operator who proposed it.', 'ana'),
    responsible: z.array(z.string()).meta({
      description:
        'The ids of the people who answer for it, none of whom approves it: the proposer, or of a token that proposed ' +
        'it who proposed and who approved that token.',
      examples: [['per_01k9z3m4v6t8x0a2c4e6g8jk01']],
    }),
    approved_by: text('The operator who approved it.', 'bruno').nullable(),
    decided_by: text(
      'Who approved, refused or withdrew it; null before that, and when it expired.',
      'bruno',
    ).nullable(),
    decision_reason: text('Why it was decided so.', 'seen on the statement').nullable(),
    proposed_at: unixSeconds('When it was proposed.'),
    created_at: unixSeconds('The same as `proposed_at`.'),
    expires_at: unixSeconds('When it expires, unless it is decided.', 1_767_434_400),
    decided_at: unixSeconds('When it was decided.').nullable(),
    outcome: recordSchema.nullable().describe('Once APPLIED: what the operation would have answered.'),
    failure: approvalFailureSchema.nullable().describe('Why it was refused when it was carried out.'),
  })
  .meta({ id: 'Approval', description: 'A change by two operators.' });
export type ApprovalResource = z.infer<typeof approvalResourceSchema>;

/** The answer of every operation by two operators. */
export const approvalAnswerSchema = z
  .object({ approval: approvalResourceSchema })
  .meta({ id: 'ApprovalAnswer', description: 'The answer of an operation that takes two operators.' });

export const approvalsQuerySchema = z.strictObject({
  ...pageQuery('approval'),
  state: approvalStateSchema.optional().describe('Only approvals in this state.'),
  kind: approvalKindSchema.optional().describe('Only approvals of this kind.'),
  account_id: idSchema('account').optional().describe('Only approvals that concern this account.'),
  proposed_by: requestText(1, 120).optional().describe('Only approvals that this operator proposed.'),
});
export type ApprovalsQuery = z.infer<typeof approvalsQuerySchema>;

/** Why an operator proposes or decides; for the other operators. */
export const operatorReasonSchema = requestText(1, 500);

/** Body of `POST /ops/approvals/{id}/approve|refuse|withdraw`, and of a payout's refusal. */
export const decisionRequestSchema = z
  .strictObject({ reason: operatorReasonSchema.nullish().describe('Why, for the other operators.') })
  .meta({ id: 'Decision', description: 'Why it is decided so.' })
  .nullish();
