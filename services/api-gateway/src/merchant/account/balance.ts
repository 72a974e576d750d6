import { getBalance } from '@gateway/contracts/ledger';
import { balanceQuerySchema, presenters, shownSchemas } from '@gateway/public-api';
import { callRpc } from '@gateway/messaging';
import { merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';

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
