import { totalsQuerySchema, totalsResourceSchema } from '@gateway/public-api';
import { merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { answerTotals } from '#src/statements/totals-answer.ts';

export const totalsEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/totals',
    operation: 'getTotals',
    summary: 'Read how many payments there were by the hour or the day, and what they add up to',
    description:
      'Answers with a total for each hour or day, event and currency: how often `deposit.paid` was true, for example, and what ' +
      'those deposits add up to. Events of deposits, payouts, refunds and disputes have totals. Left out, `from` is 30 days ' +
      'before `to`, by the hour one day; 400 days are the most, by the hour 31. Balances are those of the ledger: totals are ' +
      'for charts, and follow the events within seconds, until `as_of`.',
    query: totalsQuerySchema,
    answers: { 200: totalsResourceSchema },
    handle: async (call, { bus }) => await answerTotals(bus, ownerOf(call), call.query, new Date()),
  }),
];
