import { deadLetterRpcs } from '@gateway/contracts/broker';
import {
  deadLetterResourceSchema,
  deadLettersQuerySchema,
  openedDeadLetterResourceSchema,
  pageOf,
  presentDeadLetter,
  presentOpenedDeadLetter,
  type DeadLetterResource,
} from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { listDeadLetters } from '#src/operator/dead-letters/list-dead-letters.ts';
import { openDeadLetter } from '#src/operator/dead-letters/open-dead-letter.ts';
import { actOf, operatorEndpoint, type OperatorCall, type OperatorServices } from '#src/operator/operator-endpoint.ts';
import { auditAcross } from '#src/approvals/audit-across.ts';

/** A consumer may ask the ledger or a provider before it is done. */
const decisionTimeoutMs = 20_000;

export const deadLetterEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/dead-letters',
    summary: 'List messages no service could handle, newest first',
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
    summary: 'Read a message that was set aside, with its content',
    answers: { 200: openedDeadLetterResourceSchema },
    handle: async ({ params: { id = '' } }, { bus }) => ({
      status: 200,
      body: presentOpenedDeadLetter(await openDeadLetter(bus, id)),
    }),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/dead-letters/:id/retry',
    summary: 'Hand a message to its consumer again; it is still WAITING, with the new reason, when that fails',
    timeoutMs: decisionTimeoutMs,
    answers: { 200: deadLetterResourceSchema },
    handle: async (call, services) => ({ status: 200, body: await decide(call, services, 'retry') }),
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/dead-letters/:id/discard',
    summary: 'End a message without an effect',
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
