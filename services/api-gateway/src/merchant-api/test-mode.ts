import {
  depositResourceSchema,
  presentDeposit,
  simulatePayment,
  simulatePaymentRequestSchema,
  ValidationError,
} from '@gateway/contracts';
import { callRpc } from '@gateway/service-kit';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant-api/merchant-endpoint.ts';

/** The answer waits for the ledger, so that whoever reads PAID finds the balance. */
const paymentTimeoutMs = 10_000;

/** Operations below /v1/test, for test keys alone (spec 5.4). */
export const testModeEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/test/deposits/:id/pay',
    summary: 'Pay a test deposit as its payer would',
    body: simulatePaymentRequestSchema,
    answers: { 200: depositResourceSchema },
    handle: async (call, { bus }) => {
      const id = idIn(call, 'deposit');
      if (typeof call.body?.amount_cents === 'number') {
        throw new ValidationError([{ path: 'amount_cents', message: 'is fixed by the charge on PIX' }]);
      }
      const request = { ...ownerOf(call), environment: 'test' as const, id };
      const { deposit } = await callRpc(bus, simulatePayment, request, { timeoutMs: paymentTimeoutMs });
      return { status: 200, body: presentDeposit(deposit) };
    },
  }),
];
