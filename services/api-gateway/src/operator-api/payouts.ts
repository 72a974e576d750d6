import { z } from 'zod';
import {
  approvePayout,
  listOperatorPayouts,
  operatorPayoutResourceSchema,
  operatorPayoutsQuerySchema,
  pageOf,
  presentOperatorPayout,
  refusePayout,
  resolvePayout,
  resolvePayoutRequestSchema,
  type OperatorPayout,
} from '@gateway/contracts';
import { callRpc } from '@gateway/service-kit';
import {
  actOf,
  operatorEndpoint,
  type OperatorCall,
  type OperatorServices,
} from '#src/operator-api/operator-endpoint.ts';
import { recordAudit, type AuditedChange } from '#src/operators/record-audit.ts';

const wrappedSchema = z.object({ payout: operatorPayoutResourceSchema });
const resolvedSchema = wrappedSchema.extend({ status: z.enum(['PROPOSED', 'APPLIED']) });

/** The answer waits for the ledger where money goes back. */
const decisionTimeoutMs = 10_000;

export const payoutEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/payouts',
    summary: 'List the payouts of all accounts, newest first',
    query: operatorPayoutsQuerySchema,
    answers: { 200: pageOf(operatorPayoutResourceSchema) },
    handle: async ({ query }, { bus }) => {
      const { payouts, nextCursor } = await callRpc(bus, listOperatorPayouts, query);
      return { status: 200, body: { data: payouts.map(presentOperatorPayout), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/payouts/:id/approve',
    summary: 'Let a payout that waits for approval go its way',
    answers: { 200: wrappedSchema },
    handle: async (call, services) => {
      const changed = await callRpc(services.bus, approvePayout, decisionOf(call), { timeoutMs: decisionTimeoutMs });
      return { status: 200, body: { payout: await audited(call, services, 'payout.approve', changed) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/payouts/:id/refuse',
    summary: 'End a payout that waits for approval; amount and fee go back',
    answers: { 200: wrappedSchema },
    handle: async (call, services) => {
      const changed = await callRpc(services.bus, refusePayout, decisionOf(call), { timeoutMs: decisionTimeoutMs });
      return { status: 200, body: { payout: await audited(call, services, 'payout.refuse', changed) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/payouts/:id/resolve',
    summary: 'Say what became of a payout; a second operator who says the same has it carried out',
    body: resolvePayoutRequestSchema,
    answers: { 200: resolvedSchema, 202: resolvedSchema },
    handle: async (call, services) => {
      const request = { ...decisionOf(call), ...call.body };
      const { status, ...changed } = await callRpc(services.bus, resolvePayout, request, {
        timeoutMs: decisionTimeoutMs,
      });
      const action = status === 'APPLIED' ? 'payout.resolve' : 'payout.propose-resolution';
      const payout = await audited(call, services, action, changed);
      return { status: status === 'APPLIED' ? 200 : 202, body: { status, payout } };
    },
  }),
];

function decisionOf({ params: { id = '' }, operator }: OperatorCall) {
  return { id, operator };
}

/** The payout after the change, which is in the audit trail then; the record itself names the operator, too. */
async function audited(
  call: OperatorCall,
  { database }: OperatorServices,
  action: AuditedChange['action'],
  changed: { readonly before: OperatorPayout; readonly payout: OperatorPayout },
): Promise<z.infer<typeof operatorPayoutResourceSchema>> {
  const after = presentOperatorPayout(changed.payout);
  const before = presentOperatorPayout(changed.before);
  await database.transaction(async (tx) => recordAudit(tx, actOf(call), { action, target: after.id, before, after }));
  return after;
}
