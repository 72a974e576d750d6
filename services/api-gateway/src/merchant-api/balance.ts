import { balanceQuerySchema, balanceResourceSchema, getBalance, presentBalance } from '@gateway/contracts';
import { callRpc } from '@gateway/service-kit';
import { merchantEndpoint, ownerOf } from '#src/merchant-api/merchant-endpoint.ts';

export const balanceEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/balance',
    summary: 'Read the balances, or with `at` the available balances as they stood then',
    query: balanceQuerySchema,
    answers: { 200: balanceResourceSchema },
    handle: async (call, { bus }) => {
      const { balances } = await callRpc(bus, getBalance, { ...ownerOf(call), at: call.query.at });
      return { status: 200, body: presentBalance(balances) };
    },
  }),
];
