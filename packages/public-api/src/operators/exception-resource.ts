import { z } from 'zod';
import {
  exceptionReasonSchema,
  exceptionStateSchema,
  itemKindSchema,
  resolutionActionSchema,
  sideSchema,
  type DeclaredLine,
  type ExceptionCandidate,
  type ExceptionFact,
  type ProviderLine,
  type ReconciliationException,
  type Resolution,
} from '@gateway/contracts/reconciler';
import { environmentSchema, requestText } from '@gateway/contracts/values';
import { amountMax, idSchema, minorUnitsSchema } from '@gateway/money';
import { approvalResourceSchema, operatorReasonSchema } from '#src/operators/approval.ts';
import { presentProviderLine, providerLineResourceSchema } from '#src/operators/provider-line.ts';
import { count, isoTime, minorUnits, objectName, recordId, text } from '#src/shared/members.ts';
import { recordAnswer } from '#src/shared/page.ts';
import { pageQuery } from '#src/shared/page-query.ts';

const stateSchema = exceptionStateSchema.meta({
  id: 'ExceptionStatus',
  description:
    '`OPEN`: nothing is decided. `PROPOSED`: waits for another operator. `RESOLVED`: by two operators. `EXPLAINED`: what was ' +
    'missing came before that.',
});
const reasonSchema = exceptionReasonSchema.meta({
  id: 'ExceptionReason',
  description: 'Why it is not explained; the runbook of each is in docs/operations/exceptions.md.',
});
const actionSchema = resolutionActionSchema.meta({
  id: 'ResolutionAction',
  description:
    '`match`: the line belongs to the record that `with` names. `foreign`: it is about nothing of ours. `declare`: as the ' +
    'note says. A transfer of our own, and a line that `with` calls one or a fee, is booked; else nothing is. `adjust`: the available balance of an account is corrected. ' +
    '`refund`: refused, since money without a record is sent back at its provider.',
});

/** Query of `GET /ops/exceptions`. */
export const exceptionsQuerySchema = z.strictObject({
  ...pageQuery('exception'),
  status: stateSchema.optional().describe('Only exceptions in this state.'),
  provider: requestText(1, 60).optional().describe('Only exceptions at this provider.'),
  reason: reasonSchema.optional().describe('Only exceptions for this reason.'),
  account_id: idSchema('account').optional().describe('Only exceptions of this account.'),
});

/** As what a line may be booked. */
const declarable: readonly string[] = ['own_transfer', 'provider_fee'] satisfies DeclaredLine['kind'][];

/** Body of `POST /ops/exceptions/{id}/propose`. */
export const resolutionRequestSchema = z
  .strictObject({
    action: actionSchema.describe('What is to be done.'),
    note: operatorReasonSchema.describe('Why, for the operator who approves it.'),
    with: requestText(1, 400)
      .nullish()
      .describe(
        'With `match`: the subject of the record, or the key of the line, as `candidates` has them. With `declare`: ' +
          '`own_transfer` or `provider_fee`, as which a line that stands alone is booked.',
      ),
    account_id: idSchema('account')
      .nullish()
      .describe('With `adjust`: whose balance; the account of the exception when left out.'),
    amount_cents: minorUnitsSchema
      .min(-amountMax)
      .max(amountMax)
      .refine((amount) => amount !== 0, 'must not be 0')
      .nullish()
      .describe('With `adjust`: what the available balance changes by, signed, in the smallest unit.'),
  })
  .superRefine(({ action, with: other, account_id: accountId, amount_cents: amount }, context) => {
    const refuse = (member: string, message: string) => context.addIssue({ code: 'custom', path: [member], message });
    if (action === 'match' && !other) refuse('with', 'is required with match');
    if (action === 'declare' && other && !declarable.includes(other))
      refuse('with', `is one of ${declarable.join(', ')}`);
    if (action !== 'match' && action !== 'declare' && other) refuse('with', 'is for match and declare alone');
    if (action === 'adjust' && !amount) refuse('amount_cents', 'is required with adjust');
    if (action !== 'adjust' && amount) refuse('amount_cents', 'is for adjust alone');
    if (action !== 'adjust' && accountId) refuse('account_id', 'is for adjust alone');
  })
  .meta({ id: 'Resolution', description: 'How an exception is to be resolved.' });
export type ResolutionRequest = z.output<typeof resolutionRequestSchema>;

/** Body of `POST /ops/exceptions/{id}/approve|reject`; it may be left out. */
export const exceptionDecisionRequestSchema = z
  .strictObject({
    approval_id: idSchema('approval')
      .nullish()
      .describe(
        'What is decided: `approval_id` of the `proposal` that was read; another one by now is not decided instead. Left ' +
          'out, it is the one that waits.',
      ),
    reason: operatorReasonSchema.nullish().describe('Why, for the other operators.'),
  })
  .meta({ id: 'ExceptionDecision', description: 'Which proposal is decided, and why so.' })
  .nullish();
export type ExceptionDecisionRequest = NonNullable<z.output<typeof exceptionDecisionRequestSchema>>;

const proposalSchema = z
  .object({
    approval_id: recordId(
      'approval',
      'By which another operator decides it; null where there is none, so that it has to be proposed again.',
    ).nullable(),
    action: actionSchema.describe('What is to be done.'),
    note: text('Why it is proposed.', 'a transfer to our account at the other bank'),
    with: text(
      'With `match`: the other side. With `declare`: what it is booked as.',
      'payment:dep_01k9z3m4v6t8x0a2c4e6g8jk01',
    ).nullable(),
    amount_cents: minorUnits(
      'What is booked when it is approved: with `adjust` what the balance of the account changes by, with a line that is ' +
        'declared the amount of that line, signed as at the provider. Null where nothing is booked.',
    ).nullable(),
    currency: text('The currency of the amount.', 'BRL'),
    account_id: recordId('account', 'With `adjust`: whose balance changes.').nullable(),
  })
  .meta({ id: 'ProposedResolution', description: 'What an operator proposed to do.' });

export const exceptionResourceSchema = z
  .object({
    id: recordId('exception', 'The id of the exception.'),
    object: objectName('exception'),
    environment: environmentSchema.describe('The environment of the money.'),
    provider: text('The provider that it is at; `none` where it is none.', 'efi'),
    currency: text('The currency of the amounts.', 'BRL'),
    subject: text('What it is about.', 'payment:dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
    reason: reasonSchema.describe('Why it is not explained.'),
    amount_cents: minorUnits('The whole item where a side is missing, else the difference; signed as at the provider.'),
    line_cents: minorUnits("By the provider's statement."),
    record_cents: minorUnits('By our record.', 0),
    ledger_cents: minorUnits('By the ledger.', 0),
    account_id: recordId('account', 'The account it concerns, where it is known.').nullable(),
    status: stateSchema.describe('What has become of it.'),
    proposal: proposalSchema
      .nullable()
      .describe(
        'What waits for another operator, or was decided. An exception that is `OPEN` has one where its sides have changed ' +
          'since: it is not carried out any more, and is to be rejected before another is proposed.',
      ),
    proposed_by: text('The operator who proposed it.', 'ana').nullable(),
    resolved_by: text('The operator who approved it.', 'bruno').nullable(),
    opened_at: isoTime('When its time ran out.'),
    resolved_at: isoTime('When it was resolved or explained.').nullable(),
  })
  .meta({ id: 'Exception', description: 'Something that the sides of the reconciliation do not explain.' });

const factSchema = z
  .object({
    side: sideSchema.exclude(['P']).describe('`R`: our record. `L`: the ledger. `W`: a delivery.'),
    key: text('Its name within the side.', 'credit-deposit:dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
    kind: itemKindSchema.describe('Which kind of movement it is.'),
    amount_cents: minorUnits('What was moved at the provider, signed.'),
    occurred_at: isoTime('When it happened.'),
    account_id: recordId('account', 'Whose it is.').nullable(),
    record_id: text('The id of the record.', 'dep_01k9z3m4v6t8x0a2c4e6g8jk01').nullable(),
    command_id: text("The ledger's command.", 'credit-deposit:dep_01k9z3m4v6t8x0a2c4e6g8jk01').nullable(),
    sequence: count("Of its link in the ledger's chain.").nullable(),
    hash: text('Of that link, in hexadecimal.', '0f'.repeat(32)).nullable(),
    e2e_id: text('The end-to-end id.', 'E12345678202601021004abcdef12345').nullable(),
    return_id: text('The id of the return.', 'D12345678202601021004abcdef12345').nullable(),
    our_ref: text('Our reference at the provider.', '01k9z3m4v6t8x0a2c4e6g8jk01').nullable(),
    counterparty: text('The document of the other party.', '52998224725').nullable(),
  })
  .meta({ id: 'ExceptionSide', description: 'What a record or the ledger says.' });

const candidateSchema = z
  .object({
    subject: text('What it is matched by.', 'payment:dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
    kind: itemKindSchema.describe('Which kind of movement it is.'),
    amount_cents: minorUnits('The same amount.'),
    occurred_at: isoTime('When it happened, within ten minutes.'),
    account_id: recordId('account', 'Whose it is.').nullable(),
    e2e_id: text('The end-to-end id.', 'E12345678202601021004abcdef12345').nullable(),
    counterparty: text('The document of the other party.', '52998224725').nullable(),
    with: text('What `with` of a proposal is.', 'payment:dep_01k9z3m4v6t8x0a2c4e6g8jk01'),
  })
  .meta({ id: 'ExceptionCandidate', description: 'Something that is not explained either, and may belong here.' });

export const exceptionDetailResourceSchema = exceptionResourceSchema
  .extend({
    exception: exceptionResourceSchema.describe('The same exception, for clients that read it under its name.'),
    lines: z.array(providerLineResourceSchema).describe('Lines of the statement, as the provider wrote them.'),
    sides: z.array(factSchema).describe('What records and the ledger say.'),
    candidates: z.array(candidateSchema).describe('What may belong to it, for people to decide.'),
  })
  .meta({ id: 'ExceptionDetail', description: 'An exception, with all that its sides say.' });

export const exceptionWithApprovalSchema = exceptionResourceSchema
  .extend({ approval: approvalResourceSchema.describe('By which another operator decides it.') })
  .meta({ id: 'ExceptionWithApproval', description: 'An exception, and the approval that it takes.' });

export type ExceptionResource = z.infer<typeof exceptionResourceSchema>;

/** What an approval of the gateway does about an exception, as it is carried out. */
export interface ApprovedResolution extends Resolution {
  readonly approvalId: string;
  readonly proposedBy: string;
  /** Null where nothing is booked. */
  readonly amount: number | null;
  readonly accountId: string | null;
}

/** @param approved by the approval that waits or was decided; null where the gateway has none */
export function presentException(
  exception: ReconciliationException,
  approved: ApprovedResolution | null,
): ExceptionResource {
  const shown = approved ?? (exception.proposal && { ...exception.proposal, approvalId: null });
  return {
    id: exception.id,
    object: 'exception',
    environment: exception.environment,
    provider: exception.provider,
    currency: exception.currency,
    subject: exception.subject,
    reason: exception.reason,
    amount_cents: exception.amount,
    line_cents: exception.lineAmount,
    record_cents: exception.recordAmount,
    ledger_cents: exception.ledgerAmount,
    account_id: exception.accountId,
    status: exception.state,
    proposal: shown && {
      ...{ approval_id: shown.approvalId, action: shown.action, note: shown.note, with: shown.with },
      ...{ amount_cents: approved?.amount ?? null, currency: exception.currency },
      account_id: approved?.accountId ?? null,
    },
    proposed_by: approved?.proposedBy ?? exception.proposedBy,
    resolved_by: exception.resolvedBy,
    opened_at: exception.openedAt,
    resolved_at: exception.resolvedAt,
  };
}

interface Detail {
  readonly lines: readonly ProviderLine[];
  readonly facts: readonly ExceptionFact[];
  readonly candidates: readonly ExceptionCandidate[];
}

export function presentExceptionDetail(
  exception: ExceptionResource,
  detail: Detail,
): z.infer<typeof exceptionDetailResourceSchema> {
  return {
    ...recordAnswer('exception', exception),
    lines: detail.lines.map(presentProviderLine),
    sides: detail.facts.map(({ amount, occurredAt, accountId, recordId: record, commandId, ...fact }) => ({
      ...{ side: fact.side, key: fact.key, kind: fact.kind, amount_cents: amount, occurred_at: occurredAt },
      ...{ account_id: accountId, record_id: record, command_id: commandId, sequence: fact.sequence, hash: fact.hash },
      ...{ e2e_id: fact.e2eId, return_id: fact.returnId, our_ref: fact.ourRef, counterparty: fact.counterparty },
    })),
    candidates: detail.candidates.map((candidate) => ({
      ...{ subject: candidate.subject, kind: candidate.kind, amount_cents: candidate.amount },
      ...{ occurred_at: candidate.occurredAt, account_id: candidate.accountId, e2e_id: candidate.e2eId },
      ...{ counterparty: candidate.counterparty, with: candidate.with },
    })),
  };
}
