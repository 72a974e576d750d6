import { getExplained } from '@gateway/contracts/reconciler';
import { unixSeconds } from '@gateway/contracts/values';
import { callRpc } from '@gateway/messaging';
import { explainedAnswerSchema, explainedQuerySchema, presentExplained } from '@gateway/public-api';
import { operatorEndpoint } from '#src/operator/operator-endpoint.ts';

/** What waits is counted one by one. */
const timeoutMs = 10_000;
const hourMs = 3_600_000;

export const explainedEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/explained',
    operation: 'getExplained',
    group: 'exceptions',
    permission: 'operations:read',
    summary: 'Read how much of what happened all sides explain within five minutes, and what they do not explain',
    description:
      'Answers for each account of a provider with the share of movements about which its statement, our records and the ledger ' +
      'agreed within five minutes, and with what is not explained, by side and age. A movement counts under the hour in ' +
      'which the first side had it, or its file came.',
    timeoutMs,
    query: explainedQuerySchema,
    answers: { 200: explainedAnswerSchema },
    handle: async ({ query: { hours, ...filter } }, { bus }) => {
      const now = new Date();
      const since = new Date(now.getTime() - hours * hourMs).toISOString();
      const { accounts } = await callRpc(bus, getExplained, { since, ...filter }, { timeoutMs });
      return {
        status: 200,
        body: { data: accounts.map(presentExplained), as_of: unixSeconds(now), next_cursor: null },
      };
    },
  }),
];
