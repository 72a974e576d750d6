import { loggedRequestSchema, operatorRequestsQuerySchema, secondsOfPeriod } from '@gateway/public-api';
import { operatorList } from '#src/operator/operator-list.ts';
import { listRequests } from '#src/request-log/read-requests.ts';

export const requestEndpoints = [
  operatorList({
    path: '/ops/requests',
    operation: 'listRequests',
    permission: 'webhooks:read',
    summary: 'List what the keys of an account asked and were answered, newest first',
    description:
      'Answers with the log of requests of one account, or of all that had one `X-Request-Id`: of test keys all of the last ' +
      '30 days, of live keys those of the last 7 days that were refused. Bodies are for the merchant alone.',
    query: operatorRequestsQuerySchema,
    name: 'requests',
    schema: loggedRequestSchema,
    page: async ({ query }, { database }, page) => {
      const { account_id: accountId, request_id: requestId, environment, key, method, path, status, code } = query;
      const filter = { accountId, requestId, environment, key, method, path, status, code, ...secondsOfPeriod(query) };
      const { requests, nextCursor } = await listRequests(database, { ...filter, ...page });
      return { data: requests, nextCursor };
    },
  }),
];
