import { z } from 'zod';
import {
  getOperatorPayout,
  listOperatorPayouts,
  lookUpPayout,
  type OperatorPayout,
  refusePayout,
} from '@gateway/contracts/payouts';
import { type Askable, callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  decisionRequestSchema,
  operatorPayoutResourceSchema,
  operatorPayoutsQuerySchema,
  recordFilterOf,
  resolvePayoutRequestSchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross, type AuditedChange } from '#src/approvals/audit.ts';
import { requireConfirmed } from '#src/approvals/permissions.ts';
import { askSources } from '#src/operator/ask-sources.ts';
import { actOf, idIn, type OperatorCall, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { approvePayout, presentedChange } from '#src/proposals/approve-payout.ts';
import { wasPaidBefore } from '#src/proposals/paid-before.ts';
import { presentPayouts, resolvePayout } from '#src/proposals/resolve-payout.ts';

const namedSchema = z.object({ payout: operatorPayoutResourceSchema });
const wrappedSchema = namedSchema
  .extend({
    recipient_is_new: z
      .boolean()
      .nullish()
      .describe(
        'Of a PENDING payout that is read: whether the account has not paid this recipient before the last 30 days. null: its ' +
          'recipient has no document, or it is not known at the moment.',
      ),
  })
  .meta({ id: 'OperatorPayoutAnswer', description: 'The payout under its name.' });
const lookUpSchema = namedSchema
  .extend({ before: operatorPayoutResourceSchema.describe('The payout before the provider was asked.') })
  .meta({ id: 'PayoutLookUp', description: 'What the provider changed.' });
const proposedSchema = namedSchema
  .extend({ status: z.literal('PROPOSED').describe('It waits for a second operator.') })
  .extend(approvalAnswerSchema.shape)
  .meta({ id: 'PayoutApprovalProposal', description: 'A payout beyond what one operator approves alone.' });
const resolvedSchema = namedSchema
  .extend({ status: z.enum(['PROPOSED', 'APPLIED']).describe('Whether a second operator is still needed.') })
  .extend(approvalAnswerSchema.shape)
  .meta({ id: 'PayoutResolutionAnswer', description: 'What has become of a resolution.' });

/** The answer waits for the ledger where money goes back. */
const decisionTimeoutMs = 10_000;
/** Without an answer by then, a payout is shown without it. */
const knownTimeout = { timeoutMs: 800 };
/** The provider is asked, and then the ledger books the outcome. */
const lookUpTimeoutMs = 20_000;

export const payoutEndpoints = [
  operatorList({
    path: '/ops/payouts',
    operation: 'listPayouts',
    permission: 'records:read',
    summary: 'List the payouts of all accounts, newest first',
    description:
      'Answers with the payouts of all accounts, newest first. `status=PENDING` is the queue of what waits for ' +
      'approval, `attention=true` that of what cannot go on by itself.',
    query: operatorPayoutsQuerySchema,
    name: 'payouts',
    schema: operatorPayoutResourceSchema,
    reads: 'payout.list',
    page: async ({ query }, { bus, database }, page) => {
      const { status, kind, attention, recipient_document: recipientDocument, pix_key: key } = query;
      const filter = { ...recordFilterOf(query), status, kind, attention, recipientDocument, key };
      const { payouts, nextCursor } = await callRpc(bus, listOperatorPayouts, { ...filter, ...page });
      return { data: await presentPayouts(database, payouts), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/payouts/:id',
    operation: 'getPayout',
    permission: 'records:read',
    summary: 'Read a payout of any account',
    description:
      'Answers with a payout of any account, with its provider, the references there, and what operators decided ' +
      'about it.',
    answers: { 200: wrappedSchema },
    reads: 'payout.read',
    handle: async (call, { bus, database }) => {
      const { payout } = await callRpc(bus, getOperatorPayout, { id: idIn(call, 'payout') });
      const [shown] = await presentPayouts(database, [payout]);
      return { status: 200, body: { payout: shown, recipient_is_new: await isToNewRecipient(bus, payout) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/payouts/:id/approve',
    operation: 'approvePayout',
    permission: 'payouts:approve',
    summary: 'Approve a payout that waits for approval',
    description:
      'Sends a PENDING payout to its provider. 409 `INVALID_STATE` means that it is not PENDING any more. One operator ' +
      'approves live payouts up to R$ 5,000 each and R$ 50,000 a day, unless the installation has other limits. Beyond them, and in another currency, the call is a ' +
      'proposal, which is answered with 202: the same call by a second operator sends the payout, as does the approval of ' +
      'the proposal by its id. It takes the permissions to propose and to decide what moves money then.',
    refusals: ['ACCOUNT_FROZEN'],
    timeoutMs: decisionTimeoutMs,
    answers: { 200: wrappedSchema, 202: proposedSchema },
    handle: async (call, services) => {
      const approved = await approvePayout(services, actOf(call), idIn(call, 'payout'));
      const { payout } = approved;
      if (approved.status === 'APPLIED') return { status: 200, body: { payout } };
      return { status: 202, body: { status: 'PROPOSED', payout, approval: presentApproval(approved.approval) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/payouts/:id/refuse',
    operation: 'refusePayout',
    permission: 'payouts:approve',
    summary:
      'Refuse a payout that waits for approval, or for a provider that takes it; amount and fee are credited back',
    description: 'Only operators see the reason; the merchant sees that an operator refused the payout.',
    timeoutMs: decisionTimeoutMs,
    body: decisionRequestSchema,
    bodyOptional: true,
    example: { reason: 'the recipient is on a list' },
    answers: { 200: wrappedSchema },
    handle: async (call, { bus, database }) => {
      requireConfirmed(actOf(call));
      const refusal = { ...decisionOf(call), reason: call.body?.reason ?? null };
      const { after: payout } = await auditAcross(database, actOf(call), audited(call, 'payout.refuse'), async () =>
        presentedChange(await callRpc(bus, refusePayout, refusal)),
      );
      return { status: 200, body: { payout } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/payouts/:id/look-up',
    operation: 'retryPayoutLookup',
    permission: 'operations:write',
    summary: 'Ask the provider of a payout now what has become of it, and follow its answer',
    description: 'Asks the provider now what became of the payout, and answers with the payout before and after it.',
    timeoutMs: lookUpTimeoutMs,
    answers: { 200: lookUpSchema },
    handle: async (call, { bus, database }) => {
      const change = audited(call, 'payout.look-up');
      const { before, after } = await auditAcross(database, actOf(call), change, async () =>
        presentedChange(await callRpc(bus, lookUpPayout, { id: idIn(call, 'payout') })),
      );
      return { status: 200, body: { before, payout: after } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/payouts/:id/resolve',
    operation: 'resolvePayout',
    permission: ['money:propose', 'money:decide'],
    summary: 'Propose the outcome of a payout; the same outcome by a second operator is carried out',
    description:
      'The first call is a proposal like any other that takes two operators: it can also be approved or rejected by the id ' +
      'of its `approval`. A call with another outcome replaces the proposal.',
    timeoutMs: decisionTimeoutMs,
    body: resolvePayoutRequestSchema,
    example: { outcome: 'paid', evidence: 'Statement of the provider, line 17.' },
    answers: { 200: resolvedSchema, 202: resolvedSchema },
    handle: async (call, services) => {
      const resolution = { payoutId: idIn(call, 'payout'), ...call.body };
      const { status, payout, approval } = await resolvePayout(services, actOf(call), resolution);
      const body = { status, payout, approval: presentApproval(approval) };
      return { status: status === 'APPLIED' ? 200 : 202, body };
    },
  }),
];

/** Null where it has not to be known, or is not. */
async function isToNewRecipient(bus: Askable, payout: OperatorPayout): Promise<boolean | null> {
  const { accountId, environment, status, recipient } = payout;
  if (status !== 'PENDING' || recipient.document === '') return null;
  const paid = { accountId, environment, recipientDocument: recipient.document };
  const read = async () => [!(await wasPaidBefore(bus, paid, new Date(), knownTimeout))];
  const { found } = await askSources([{ name: 'payouts', read }]);
  return found[0] ?? null;
}

function decisionOf(call: OperatorCall) {
  return { id: idIn(call, 'payout'), operator: call.operator };
}

function audited(call: OperatorCall, action: AuditedChange['action']) {
  return { action, target: idIn(call, 'payout') };
}
