import { transactionsQuerySchema } from '@gateway/public-api';
import { merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { csvMedia } from '#src/statements/list-answer.ts';
import { answerTransactions, transactionsSchema } from '#src/statements/transactions-answer.ts';

export const transactionEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/transactions',
    operation: 'listTransactions',
    summary: 'List ledger entries, newest first; with Accept: text/csv the whole statement as CSV',
    description:
      'Answers with every movement of the available balance, newest first: the amounts of all entries of a ' +
      'currency add up to its available balance. `Accept: text/csv` answers with the whole statement as CSV, of ' +
      'any length. ' +
      'With `format=accounting` each row has the external_id, the end-to-end id and the counterparty of its record, gross, ' +
      'fee and net as decimal amounts, and times in `zone`: CSV, or a page of JSON where `Accept` names application/json.',
    query: transactionsQuerySchema,
    answers: { 200: transactionsSchema },
    otherMedia: csvMedia,
    handle: async (call, services) => await answerTransactions(call, ownerOf(call), services),
  }),
];
