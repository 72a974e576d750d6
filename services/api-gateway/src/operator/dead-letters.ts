import { type DeadLetter, deadLetterRpcs } from '@gateway/contracts/broker';
import { ValidationError } from '@gateway/contracts/errors';
import { serviceNames } from '@gateway/contracts/messages';
import { type Askable, callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  type DeadLetterResource,
  deadLetterResourceSchema,
  type DeadLettersQuery,
  deadLettersQuerySchema,
  discardRequestSchema,
  openedDeadLetterResourceSchema,
  presentDeadLetter,
  presentOpenedDeadLetter,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, type OperatorCall, operatorEndpoint, type OperatorServices } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { openDeadLetter, proposeDiscarding } from '#src/proposals/discard-dead-letter.ts';

/** A consumer may ask the ledger or a provider before it is done. */
const decisionTimeoutMs = 20_000;

export const deadLetterEndpoints = [
  operatorList({
    path: '/ops/dead-letters',
    operation: 'listDeadLetters',
    permission: 'operations:read',
    summary: 'List messages that no service could handle, newest first',
    description:
      'Answers with messages between services that could not be handled after all attempts and were set aside, ' +
      'newest first, without their content.',
    query: deadLettersQuerySchema,
    name: 'dead-letters',
    schema: deadLetterResourceSchema,
    page: async ({ query }, { bus }, page) => {
      const { deadLetters, nextCursor } = await listDeadLetters(bus, { ...query, ...page });
      return { data: deadLetters.map(presentDeadLetter), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/dead-letters/:id',
    operation: 'getDeadLetter',
    permission: 'operations:read',
    summary: 'Read a dead letter, with its content',
    description: 'Answers with a message that was set aside, with its content and its headers as they were sent.',
    answers: { 200: openedDeadLetterResourceSchema },
    reads: 'dead-letter.read',
    handle: async ({ params: { id = '' } }, { bus }) => ({
      status: 200,
      body: presentOpenedDeadLetter(await openDeadLetter(bus, id)),
    }),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/dead-letters/:id/retry',
    operation: 'retryDeadLetter',
    permission: 'operations:write',
    summary: 'Deliver a dead letter to its consumer again; when that fails it stays WAITING, with the new reason',
    description:
      'Hands the message to its consumer again, after the cause was mended. A consumer takes a message once, ' +
      'however often it is handed to it.',
    timeoutMs: decisionTimeoutMs,
    answers: { 200: deadLetterResourceSchema },
    handle: async (call, services) => ({ status: 200, body: await retry(call, services) }),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/dead-letters/:id/discard',
    operation: 'discardDeadLetter',
    permission: 'money:propose',
    summary: 'Propose to discard a dead letter without any effect, for another operator to approve',
    description: 'The message may be about money. Until the approval it waits, and can be retried.',
    body: discardRequestSchema,
    example: { reason: 'its sender has repeated it on the new subject' },
    answers: { 202: approvalAnswerSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, services) => {
      const approval = await proposeDiscarding(services, actOf(call), call.params['id'] ?? '', call.body.reason);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
];

async function retry(call: OperatorCall, { bus, database }: OperatorServices): Promise<DeadLetterResource> {
  const { id, service } = await openDeadLetter(bus, call.params['id'] ?? '');
  const request = { id, operator: call.operator };
  const change = { action: 'dead-letter.retry', target: id } as const;
  const { after } = await auditAcross(database, actOf(call), change, async () => {
    const changed = await callRpc(bus, deadLetterRpcs(service).retry, request);
    return { before: presentDeadLetter(changed.before), after: presentDeadLetter(changed.deadLetter) };
  });
  return after;
}

export interface DeadLetterPage {
  readonly deadLetters: readonly DeadLetter[];
  readonly nextCursor: string | null;
}

/**
 * A page of the dead letters of all services, or of one of them, newest first. Their ids carry their time, so one order
 * holds across services.
 *
 * @throws ValidationError for a cursor none of them knows
 * @throws DomainError SERVICE_UNAVAILABLE when one does not answer: a list with holes would pass for the whole
 */
async function listDeadLetters(
  bus: Askable,
  { service, cursor, limit, ...filters }: DeadLettersQuery,
): Promise<DeadLetterPage> {
  const asked = service ? [service] : serviceNames;
  const request = { ...filters, limit, before: cursor };
  const replies = await Promise.all(asked.map((name) => callRpc(bus, deadLetterRpcs(name).list, request)));
  if (cursor !== undefined && !replies.some(({ knowsBefore }) => knowsBefore)) {
    throw new ValidationError([{ path: 'cursor', message: 'is not the id of a record in this list' }]);
  }
  const found = replies.flatMap(({ deadLetters }) => deadLetters).sort((a, b) => (a.id < b.id ? 1 : -1));
  const deadLetters = found.slice(0, limit);
  const hasMore = found.length > limit || replies.some((reply) => reply.hasMore);
  return { deadLetters, nextCursor: hasMore ? (deadLetters.at(-1)?.id ?? null) : null };
}
