import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import { requestText } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import { pageOf } from '@gateway/persistence';
import { approvalsQuerySchema, decisionRequestSchema, payoutRequests, readPayoutOf } from '@gateway/public-api';
import { type Approval, ApprovalEntity, teamKinds } from '#src/approvals/approval.ts';
import { approve, endProposal, isWithinReach } from '#src/approvals/decide-approval.ts';
import { requireAsProposed } from '#src/approvals/request-digest.ts';
import type { Answer } from '#src/http/endpoint.ts';
import { actOf, memberEndpoint, type MemberCall, type MemberServices } from '#src/members/member-endpoint.ts';
import { presentTeamApproval } from '#src/members/present-team-approval.ts';
import { newRecipientsIn } from '#src/members/new-recipients.ts';
import { payoutOf, propose, requireDistinct } from '#src/members/propose-money.ts';
import { proposedPayoutOf } from '#src/proposals/team-request.ts';

/** Payouts of one proposal. */
const batchMax = 200;
/** An approval of many payouts goes on after its answer, which says that it is being carried out. */
const answerAfterMs = 20_000;
const timeoutMs = 25_000;

const answer = z.object({ approval: z.unknown() });
const reasonSchema = requestText(1, 500);

export const teamApprovalEndpoints = [
  memberEndpoint({
    method: 'POST',
    path: '/payout-batches',
    operation: 'createPayoutBatch',
    permission: 'money:propose',
    confirmed: true,
    summary: 'Propose several payouts as one',
    description: 'Another person of the account decides them together; nothing is debited before.',
    body: z.strictObject({
      payouts: z.array(payoutRequests['1.0']).min(1).max(batchMax),
      reason: reasonSchema.nullish(),
    }),
    answers: { 202: answer },
    timeoutMs,
    handle: async (call, services) => {
      const requests = call.body.payouts.map((value) => readPayoutOf({ form: '1.0', value }, call.caller, '1.0'));
      requireDistinct(requests.map(({ externalId }) => externalId));
      for (const [index, { externalId }] of requests.entries()) {
        const made = await payoutOf(services.bus, call, externalId);
        if (made) throw usedReference(index, made.id);
      }
      return await propose(call, services, { payouts: requests.map(proposedPayoutOf) }, call.body.reason ?? null);
    },
  }),
  memberEndpoint({
    method: 'GET',
    path: '/approvals',
    operation: 'listTeamApprovals',
    permission: 'records:read',
    summary: 'What the people of the account have proposed, newest first',
    description: '`state=PROPOSED` is what waits for a decision.',
    query: approvalsQuerySchema.pick({ limit: true, cursor: true, state: true }),
    answers: { 200: z.object({ data: z.array(z.unknown()), next_cursor: z.string().nullable() }) },
    handle: async ({ member, query: { limit, cursor, state } }, { database }) => {
      const { accountId, environment } = member;
      const where = {
        ...{ accountId, environment, kind: { $in: [...teamKinds] } },
        ...(state === undefined ? {} : { state }),
        ...(cursor === undefined ? {} : { id: { $lt: cursor } }),
      };
      const options = { orderBy: { id: 'desc' }, limit: limit + 1 } as const;
      const { rows, nextCursor } = pageOf(await database.reader().find(ApprovalEntity, where, options), limit);
      const data = rows.map((approval) => presentTeamApproval(approval, member));
      return { status: 200, body: { data, next_cursor: nextCursor } };
    },
  }),
  memberEndpoint({
    method: 'GET',
    path: '/approvals/:id',
    operation: 'getTeamApproval',
    permission: 'records:read',
    summary: 'One proposal: exactly what would be done',
    description:
      '`new_recipients` are the references of payouts to whom the account has not paid before the last 30 days. With `X-Reveal` ' +
      'and a reason, recipients are shown unmasked to those who may see them.',
    answers: { 200: answer },
    reads: 'approval.read',
    handle: async (call, services) => {
      const approval = await readOwn(call, services);
      const newRecipients = await newRecipientsIn(services.bus, approval, new Date());
      const shown = { ...presentTeamApproval(approval, call.member), new_recipients: newRecipients };
      return { status: 200, body: { approval: shown } };
    },
  }),
  memberEndpoint({
    method: 'POST',
    path: '/approvals/:id/approve',
    operation: 'approveTeamApproval',
    permission: 'money:decide',
    confirmed: true,
    summary: 'Approve and carry out what another person of the account proposed',
    description:
      '`request_digest` is that of the proposal as it was shown. 202 while many payouts are still being made; what is refused ' +
      'when it is carried out is answered as the payout would be, and the proposal has FAILED.',
    body: z.strictObject({ request_digest: z.string().length(64), reason: reasonSchema.nullish() }),
    answers: { 200: answer, 202: answer },
    timeoutMs,
    handle: async (call, services) => {
      const { request_digest: seen, reason = null } = call.body;
      const shown = await readOwn(call, services);
      requireAsProposed(shown.request, seen);
      const decided = approve(services, actOf(call, services.bus, true), { id: shown.id, reason: reason ?? null });
      return await answerInTime(call, services, decided);
    },
  }),
  ending('refuse', 'money:decide', true),
  ending('withdraw', 'records:read', false),
];

function ending(name: 'refuse' | 'withdraw', permission: 'money:decide' | 'records:read', confirmed: boolean) {
  return memberEndpoint({
    method: 'POST',
    path: `/approvals/:id/${name}`,
    operation: `${name}TeamApproval`,
    permission,
    confirmed,
    summary: name === 'refuse' ? 'Refuse what another person proposed' : 'Withdraw a proposal of your own',
    description: 'It is carried out no more. The reason is kept for the others.',
    body: decisionRequestSchema,
    bodyOptional: true,
    answers: { 200: answer },
    handle: async (call, services) => {
      const reason = call.body?.reason ?? null;
      if (name === 'refuse' && reason === null) throw new ValidationError([{ path: 'reason', message: 'is required' }]);
      // A proposal that is withdrawn has had no effect, and has none: it takes no confirmation.
      const act = actOf(call, services.bus, confirmed);
      const ended = await endProposal(services, act, { id: idOf(call), reason }, name);
      return { status: 200, body: { approval: presentTeamApproval(ended, call.member) } };
    },
  });
}

async function readOwn(call: MemberCall, { database }: MemberServices): Promise<Approval> {
  const approval = await database.reader().findOne(ApprovalEntity, { id: idOf(call) });
  if (!approval || !isWithinReach({ team: call.member }, approval)) throw new NotFoundError('approval');
  return approval;
}

function idOf({ params: { id = '' } }: MemberCall): string {
  if (!isId('approval', id)) throw new NotFoundError('approval');
  return id;
}

async function answerInTime(
  call: MemberCall,
  services: MemberServices,
  decided: ReturnType<typeof approve>,
): Promise<Answer> {
  const late = new AbortController();
  try {
    const inTime = await Promise.race([decided, sleep(answerAfterMs, undefined, { signal: late.signal })]);
    const approval = inTime?.approval ?? (await readOwn(call, services));
    const status = approval.state === 'APPLYING' ? 202 : 200;
    return { status, body: { approval: presentTeamApproval(approval, call.member) } };
  } finally {
    late.abort();
    // What it ends with later is in the proposal; what did not end is begun again by `keepApprovals`.
    decided.catch(() => undefined);
  }
}

function usedReference(index: number, payoutId: string): ValidationError {
  return new ValidationError([{ path: `payouts.${index}.external_id`, message: `is that of ${payoutId}` }]);
}
