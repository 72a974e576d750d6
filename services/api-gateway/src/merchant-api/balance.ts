import { balanceQuerySchema, getBalance, presenters, shownSchemas } from '@gateway/contracts';
import { callRpc } from '@gateway/service-kit';
import { merchantEndpoint, ownerOf } from '#src/merchant-api/merchant-endpoint.ts';

export const balanceEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/balance',
    summary: 'Read the balances, or with `at` the available balances as they stood then',
    query: balanceQuerySchema,
    answers: { 200: shownSchemas.balance },
    handle: async (call, { bus }) => {
      const { at, currency } = call.query;
      const { balances } = await callRpc(bus, getBalance, { ...ownerOf(call), at });
      const wanted = balances.filter((balance) => currency === undefined || balance.currency === currency);
      return { status: 200, body: presenters[call.apiVersion].balance(wanted) };
    },
  }),
];
