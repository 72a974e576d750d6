import { z } from 'zod';
import { ValidationError } from '@gateway/contracts/errors';
import { settlePayout } from '@gateway/contracts/payouts';
import { presenters, settlePayoutRequests, shownSchemas } from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

/** The answer waits for the ledger, so that whoever reads the status finds the balance. */
const settleTimeoutMs = 10_000;

export const testPayoutEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/payouts/:id/settle',
    summary: 'End a test payout as the rail would',
    timeoutMs: settleTimeoutMs,
    body: settlePayoutRequests,
    answers: { 200: z.object({ payout: shownSchemas.payout }) },
    handle: async (call, { bus }) => {
      const { result, amount_cents } = call.body.value;
      const amount = amount_cents ?? undefined;
      if (amount !== undefined && result !== 'returned') {
        throw new ValidationError([{ path: 'amount_cents', message: 'is for a return only' }]);
      }
      const request = { ...ownerOf(call), environment: 'test' as const, id: idIn(call, 'payout'), result, amount };
      const { payout } = await callRpc(bus, settlePayout, request);
      return { status: 200, body: { payout: presenters[call.apiVersion].payout(payout) } };
    },
  }),
];
