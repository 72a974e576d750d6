import { z } from 'zod';
import { apiVersionSchema, environmentSchema, requestText } from '@gateway/contracts/values';
import { idSchema } from '@gateway/money';
import { objectName, recordId, text, unixSeconds } from '#src/shared/members.ts';
import { pageLimit, pageQuery } from '#src/shared/page-query.ts';
import { secondsPeriodQuery } from '#src/shared/time-query.ts';

const statusMessage = 'must be a status such as 422, or a class of them such as 4xx';

const filters = {
  key: requestText(1, 120).optional().describe('Only requests with this public key.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional().describe('Only requests with this method.'),
  path: requestText(1, 200).optional().describe('Only requests to exactly this path, without a query.'),
  status: z
    .string(statusMessage)
    .regex(/^[1-5](\d\d|xx)$/, statusMessage)
    .optional()
    .describe('Only requests that were answered with this status (`422`), or with one of this class (`4xx`).'),
  code: requestText(1, 64).optional().describe('Only requests that were refused with this error code.'),
  request_id: requestText(1, 64).optional().describe('Only requests with this `X-Request-Id`.'),
  ...secondsPeriodQuery,
};

/** Query of `GET /v1/requests`. */
export const requestsQuerySchema = z.strictObject({
  limit: pageLimit,
  cursor: idSchema('request').optional().describe('The id of the last record received: the page after it.'),
  ...filters,
});

/** Query of `GET /ops/requests`. */
export const operatorRequestsQuerySchema = z
  .strictObject({
    ...pageQuery('request'),
    account_id: idSchema('account').optional().describe('Only requests of this account.'),
    environment: environmentSchema.optional().describe('Only requests in this environment.'),
    ...filters,
  })
  .refine(({ account_id: accountId, request_id: requestId }) => (accountId ?? requestId) !== undefined, {
    path: ['account_id'],
    message: 'is required where request_id is not given',
  });

/** A request in a list of the log. */
export const loggedRequestSchema = z
  .object({
    id: recordId('request', 'The id of the request in the log.'),
    object: objectName('request'),
    request_id: text('Its `X-Request-Id`: ours, or the one it came with.', 'req_01k9z3m4v6t8x0a2c4e6g8jk01'),
    account_id: recordId('account', 'The account of its key.'),
    environment: environmentSchema.describe('The environment of its key.'),
    key: text('The public key it came with.', 'pk_test_01k9z3m4v6t8x0a2c4e6g8jk01'),
    method: text('Its HTTP method.', 'POST'),
    path: text('Its path, without the query.', '/v1/deposits'),
    query: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Its query, with personal data masked; null without one.', examples: [{ limit: '50' }] })
      .nullable(),
    status: z.int().meta({ description: 'The HTTP status of its answer.', examples: [422] }),
    code: text('The code of its refusal; null where it was not refused.', 'INSUFFICIENT_FUNDS').nullable(),
    latency_ms: z.number().meta({ description: 'How long it took, in milliseconds.', examples: [41.2] }),
    address: text('The address it came from.', '203.0.113.7'),
    api_version: apiVersionSchema.nullable().describe('The contract that it was answered in, as far as it is known.'),
    user_agent: text('The program that sent it, as far as it says so.', 'gateway-ts/0.1.0').nullable(),
    created_at: unixSeconds('When it was answered.'),
  })
  .meta({ id: 'LoggedRequest', description: 'A request of a key, and how it was answered.' });
export type LoggedRequest = z.infer<typeof loggedRequestSchema>;

const body = (what: string) =>
  z.unknown().meta({ description: `${what} Null where there was none, or where it had more than 8 KiB.` });

/** A request with what was sent and answered. */
export const loggedRequestDetailSchema = loggedRequestSchema
  .extend({
    request: body('Its body, without secrets and with personal data masked.'),
    response: body('The body of its answer, without secrets and with personal data masked.'),
  })
  .meta({ id: 'LoggedRequestDetail', description: 'A request of a key with its body and its answer.' });
