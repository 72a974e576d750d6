import { type DeadLetter, deadLetterRpcs, type OpenedDeadLetter } from '@gateway/contracts/broker';
import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import { serviceNames } from '@gateway/contracts/messages';
import { type Askable, callRpc } from '@gateway/messaging';
import { isId } from '@gateway/money';
import {
  type DeadLetterResource,
  deadLetterResourceSchema,
  type DeadLettersQuery,
  deadLettersQuerySchema,
  openedDeadLetterResourceSchema,
  pageOf,
  presentDeadLetter,
  presentOpenedDeadLetter,
} from '@gateway/public-api';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, type OperatorCall, operatorEndpoint, type OperatorServices } from '#src/operator/operator-endpoint.ts';

/** A consumer may ask the ledger or a provider before it is done. */
const decisionTimeoutMs = 20_000;

export const deadLetterEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/dead-letters',
    summary: 'List messages that no service could handle, newest first',
    query: deadLettersQuerySchema,
    answers: { 200: pageOf(deadLetterResourceSchema) },
    handle: async ({ query }, { bus }) => {
      const { deadLetters, nextCursor } = await listDeadLetters(bus, query);
      return { status: 200, body: { data: deadLetters.map(presentDeadLetter), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/dead-letters/:id',
    summary: 'Read a dead letter, with its content',
    answers: { 200: openedDeadLetterResourceSchema },
    handle: async ({ params: { id = '' } }, { bus }) => ({
      status: 200,
      body: presentOpenedDeadLetter(await openDeadLetter(bus, id)),
    }),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/dead-letters/:id/retry',
    summary: 'Deliver a dead letter to its consumer again; when that fails it stays WAITING, with the new reason',
    timeoutMs: decisionTimeoutMs,
    answers: { 200: deadLetterResourceSchema },
    handle: async (call, services) => ({ status: 200, body: await decide(call, services, 'retry') }),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/dead-letters/:id/discard',
    summary: 'Discard a dead letter; it has no effect',
    timeoutMs: decisionTimeoutMs,
    answers: { 200: deadLetterResourceSchema },
    handle: async (call, services) => ({ status: 200, body: await decide(call, services, 'discard') }),
  }),
];

async function decide(
  call: OperatorCall,
  { bus, database }: OperatorServices,
  decision: 'retry' | 'discard',
): Promise<DeadLetterResource> {
  const { id, service } = await openDeadLetter(bus, call.params['id'] ?? '');
  const request = { id, operator: call.operator };
  const change = { action: `dead-letter.${decision}`, target: id } as const;
  const { after } = await auditAcross(database, actOf(call), change, async () => {
    const changed = await callRpc(bus, deadLetterRpcs(service)[decision], request);
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

/**
 * A dead letter with its message, from whichever service keeps it.
 *
 * @throws NotFoundError when no service has it
 * @throws DomainError SERVICE_UNAVAILABLE when one that does not answer may have it
 */
async function openDeadLetter(bus: Askable, id: string): Promise<OpenedDeadLetter> {
  if (!isId('deadLetter', id)) throw new NotFoundError('dead letter');
  const asked = serviceNames.map((name) => callRpc(bus, deadLetterRpcs(name).open, { id }));
  const answers = await Promise.allSettled(asked);
  const found = answers.find((answer) => answer.status === 'fulfilled');
  if (found) return found.value.deadLetter;
  for (const answer of answers) {
    const reason: unknown = answer.status === 'rejected' ? answer.reason : undefined;
    if (!(reason instanceof DomainError && reason.code === 'NOT_FOUND')) throw reason;
  }
  throw new NotFoundError('dead letter');
}
