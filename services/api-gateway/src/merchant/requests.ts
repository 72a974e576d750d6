import {
  loggedRequestDetailSchema,
  loggedRequestSchema,
  pageOf,
  requestsQuerySchema,
  secondsOfPeriod,
} from '@gateway/public-api';
import { merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { findRequest, listRequests } from '#src/request-log/read-requests.ts';

/** What the keys of an account asked and were answered (api.md 8). */
export const requestEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/requests',
    operation: 'listRequests',
    summary: 'List what the keys of the account asked and were answered, newest first',
    description:
      'Answers with the requests of test keys of the last 30 days, and with those of live keys of the last 7 days that were ' +
      'refused. A request is here within seconds of its answer. It is a log: what the gateway is too busy to write is left out.',
    query: requestsQuerySchema,
    answers: { 200: pageOf(loggedRequestSchema) },
    handle: async (call, { database }) => {
      const { request_id: requestId, from, to, zone, ...asked } = call.query;
      const filter = { ...asked, ...secondsOfPeriod({ from, to, zone }), ...ownerOf(call), requestId };
      const { requests, nextCursor } = await listRequests(database, filter);
      return { status: 200, body: { data: requests, next_cursor: nextCursor }, written: { records: requests.length } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/requests/:id',
    operation: 'getRequest',
    summary: 'Read a request of the log with its body and its answer',
    description:
      'By its id in the log, or by its `X-Request-Id`; of several with one `X-Request-Id` it is the last. Secrets are left ' +
      'out, and documents, keys, names and addresses masked.',
    answers: { 200: loggedRequestDetailSchema },
    handle: async (call, { database }) => ({
      status: 200,
      body: await findRequest(database, ownerOf(call), call.params['id'] ?? ''),
    }),
  }),
];
