import {
  operatorTotalsQuerySchema,
  presentProviderTotals,
  providerTotalsQuerySchema,
  providerTotalsResourceSchema,
  totalsResourceSchema,
} from '@gateway/public-api';
import { operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { answerTotals, askTotals } from '#src/statements/totals-answer.ts';

export const totalsEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/totals',
    operation: 'getTotals',
    group: 'overview',
    permission: 'balances:read',
    summary: 'Read how many payments there were by the hour or the day, and what they add up to',
    description:
      'Answers with the totals as merchants read theirs, of one account or of all together. They follow the events within ' +
      'seconds, until `as_of`.',
    query: operatorTotalsQuerySchema,
    answers: { 200: totalsResourceSchema },
    handle: async ({ query: { environment, account_id: accountId, ...query } }, { bus }) =>
      await answerTotals(bus, { environment, accountId }, query, new Date()),
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/provider-totals',
    operation: 'getProviderTotals',
    group: 'overview',
    permission: 'balances:read',
    summary: 'Read how many payments there were at each provider by the hour or the day, and what they add up to',
    description:
      'Answers with the totals of deposits and payouts by the provider that had them, of all accounts together. They follow ' +
      'the events within seconds, until `as_of`, and begin with the version that has them.',
    query: providerTotalsQuerySchema,
    answers: { 200: providerTotalsResourceSchema },
    handle: async ({ query: { environment, ...query } }, { bus }) => {
      const totals = await askTotals(bus, { environment, byProvider: true }, query, new Date());
      return { status: 200, body: presentProviderTotals(totals) };
    },
  }),
];
