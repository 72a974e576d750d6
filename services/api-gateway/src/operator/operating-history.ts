import { getDepositCallHistory, getPayoutCallHistory } from '@gateway/contracts/providers';
import { callRpc } from '@gateway/messaging';
import {
  backlogAnswerSchema,
  operatingHistoryQuerySchema,
  presentCallTimes,
  providerCallTimesAnswerSchema,
} from '@gateway/public-api';
import { readBacklogCounts } from '#src/backlog/backlog-counts.ts';
import { askSources } from '#src/operator/ask-sources.ts';
import { operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { readProviders } from '#src/proposals/change-provider.ts';
import { boundsOf } from '#src/statements/totals-period.ts';

/** What is not answered within this time is left out, and the service is named. */
const sourceTimeout = { timeoutMs: 800 };

export const operatingHistoryEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/backlog',
    operation: 'getBacklog',
    group: 'overview',
    permission: 'records:read',
    summary: 'Read what the gateway had to work off over time',
    description:
      'Answers with how many payouts and refunds were under way, how many webhook deliveries waited and how many events were ' +
      'not on the bus yet, by the hour or the day. They are counted every five minutes and kept for 31 days.',
    query: operatingHistoryQuerySchema,
    answers: { 200: backlogAnswerSchema },
    handle: async ({ query: { environment, ...query } }, { database }) => {
      const { by, zone } = query;
      const period = { environment, ...boundsOf(query, new Date()), by, zone };
      const { slots, countedAt } = await readBacklogCounts(database, period);
      const data = slots.map((slot) => ({ object: 'backlog' as const, ...slot }));
      return { status: 200, body: { data, counted_at: countedAt } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/provider-calls',
    operation: 'getProviderCallTimes',
    group: 'overview',
    permission: 'operations:read',
    summary: 'Read how payment providers answered over time',
    description:
      'Answers with the calls of all providers of an environment by the hour or the day: how many, how many without an answer, ' +
      'and how long they took. They are counted by every process, are up to half a minute behind, and are kept for 31 days.',
    query: operatingHistoryQuerySchema,
    answers: { 200: providerCallTimesAnswerSchema },
    handle: async ({ query: { environment, ...query } }, { bus }) => {
      const { by, zone } = query;
      const period = { ...boundsOf(query, new Date()), by, zone };
      const inEnvironment = (await readProviders(bus)).filter((each) => each.environment === environment);
      const asked = { providers: inEnvironment.map(({ id }) => id), ...period };
      const { found, incomplete } = await askSources([
        {
          name: 'deposits',
          read: async () => (await callRpc(bus, getDepositCallHistory, asked, sourceTimeout)).slots,
        },
        { name: 'payouts', read: async () => (await callRpc(bus, getPayoutCallHistory, asked, sourceTimeout)).slots },
      ]);
      return { status: 200, body: { data: presentCallTimes(found), incomplete } };
    },
  }),
];
