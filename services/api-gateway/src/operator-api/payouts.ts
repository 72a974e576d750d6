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
import { actOf, idIn, operatorEndpoint, type OperatorCall } from '#src/operator-api/operator-endpoint.ts';
import { auditAcross } from '#src/operators/audit-across.ts';
import type { AuditedChange } from '#src/operators/record-audit.ts';

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
    timeoutMs: decisionTimeoutMs,
    answers: { 200: wrappedSchema },
    handle: async (call, { bus, database }) => {
      const { after: payout } = await auditAcross(database, actOf(call), audited(call, 'payout.approve'), async () =>
        presented(await callRpc(bus, approvePayout, decisionOf(call))),
      );
      return { status: 200, body: { payout } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/payouts/:id/refuse',
    summary: 'End a payout that waits for approval; amount and fee go back',
    timeoutMs: decisionTimeoutMs,
    answers: { 200: wrappedSchema },
    handle: async (call, { bus, database }) => {
      const { after: payout } = await auditAcross(database, actOf(call), audited(call, 'payout.refuse'), async () =>
        presented(await callRpc(bus, refusePayout, decisionOf(call))),
      );
      return { status: 200, body: { payout } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/payouts/:id/resolve',
    summary: 'Say what became of a payout; a second operator who says the same has it carried out',
    timeoutMs: decisionTimeoutMs,
    body: resolvePayoutRequestSchema,
    answers: { 200: resolvedSchema, 202: resolvedSchema },
    handle: async (call, { bus, database }) => {
      const proposal = audited(call, 'payout.propose-resolution');
      const { status, after: payout } = await auditAcross(database, actOf(call), proposal, async () => {
        const request = { ...decisionOf(call), ...call.body };
        const changed = await callRpc(bus, resolvePayout, request);
        const action = changed.status === 'APPLIED' ? 'payout.resolve' : 'payout.propose-resolution';
        return { ...presented(changed), status: changed.status, action } as const;
      });
      return { status: status === 'APPLIED' ? 200 : 202, body: { status, payout } };
    },
  }),
];

function decisionOf(call: OperatorCall) {
  return { id: idIn(call, 'payout'), operator: call.operator };
}

function audited(call: OperatorCall, action: AuditedChange['action']) {
  return { action, target: idIn(call, 'payout') };
}

function presented(changed: { readonly before: OperatorPayout; readonly payout: OperatorPayout }) {
  return { before: presentOperatorPayout(changed.before), after: presentOperatorPayout(changed.payout) };
}
