import { operatorTotalsQuerySchema, totalsResourceSchema } from '@gateway/public-api';
import { operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { answerTotals } from '#src/statements/totals-answer.ts';

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
];
