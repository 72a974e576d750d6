import {
  createConversion,
  createQuote,
  getConversion,
  getQuote,
  listConversions,
} from '@gateway/contracts/conversions';
import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import {
  conversionRequestSchema,
  conversionsQuerySchema,
  pageOf,
  presenters,
  presentQuote,
  quoteRequestSchema,
  quoteResourceSchema,
  readConversionRequest,
  readQuoteRequest,
  shownSchemas,
  wrapped,
} from '@gateway/public-api';
import { callRpc, NoAnswerError, type Askable } from '@gateway/messaging';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { answerRecords, csvMedia } from '#src/statements/list-answer.ts';

/** The answer waits for the entries, so that a reader of COMPLETED finds the balances. */
const convertTimeoutMs = 12_000;

const conversionRefusals = [
  'QUOTE_EXPIRED',
  'QUOTE_ALREADY_USED',
  'INSUFFICIENT_FUNDS',
  'CURRENCY_NOT_SUPPORTED',
  'PROVIDER_TIMEOUT',
] as const;

const wrappedConversion = wrapped({ conversion: shownSchemas.conversion });

export const conversionEndpoints = [
  merchantEndpoint({
    method: 'POST',
    path: '/v1/quotes',
    operation: 'createQuote',
    summary: 'Hold the current rate for 30 seconds',
    description:
      'Holds the current rate for 30 seconds, for an amount that is given or for one that is to be reached. ' +
      'Nothing is taken from the balance. Use the quote in `POST /v1/conversions` before `expires_at`.',
    refusals: ['CURRENCY_NOT_SUPPORTED'],
    body: quoteRequestSchema,
    example: { from: 'BRL', to: 'USDT', amount: 100_000 },
    answers: { 201: quoteResourceSchema },
    leadsTo: { getQuote: '/id' },
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), ...readQuoteRequest(call.body) };
      const { quote } = await callRpc(bus, createQuote, request);
      return { status: 201, body: presentQuote(quote) };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/quotes/:id',
    operation: 'getQuote',
    summary: 'Read a quote',
    description:
      'Answers with a quote, and whether it can still be used. A quote is kept for a week after it was made; ' +
      'then it is 404.',
    answers: { 200: quoteResourceSchema },
    handle: async (call, { bus }) => {
      const { quote } = await callRpc(bus, getQuote, { ...ownerOf(call), id: idIn(call, 'quote') });
      return { status: 200, body: presentQuote(quote) };
    },
  }),
  merchantEndpoint({
    method: 'POST',
    path: '/v1/conversions',
    operation: 'createConversion',
    summary: 'Exchange money into USDT, at a quote or at the current rate',
    description:
      'Exchanges money of the available balance, at a quote or at the rate of the moment, in two entries that ' +
      'are written together. A second call with the same `external_id` answers 200 with the existing conversion. ' +
      'After 504 `PROVIDER_TIMEOUT` repeat the same call: the conversion happens once.',
    timeoutMs: convertTimeoutMs,
    body: conversionRequestSchema,
    example: { from: 'BRL', to: 'USDT', amount: 100_000, external_id: 'conversion-1001' },
    answers: { 201: wrappedConversion, 200: wrappedConversion },
    leadsTo: { getConversion: '/conversion/id' },
    // The body names the quote.
    refusals: ['NOT_FOUND', ...conversionRefusals],
    handle: async (call, { bus }) => {
      const request = { ...ownerOf(call), ...readConversionRequest(call.body) };
      const { created, conversion } = await createConversionOnce(bus, request);
      const shown = presenters[call.apiVersion].conversion(conversion);
      return { status: created ? 201 : 200, body: { conversion: shown } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/conversions/:id',
    operation: 'getConversion',
    summary: 'Read a conversion',
    description: 'Answers with a conversion, its amounts and its rate.',
    answers: { 200: wrappedConversion },
    handle: async (call, { bus }) => {
      const { conversion } = await callRpc(bus, getConversion, { ...ownerOf(call), id: idIn(call, 'conversion') });
      return { status: 200, body: { conversion: presenters[call.apiVersion].conversion(conversion) } };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/conversions',
    operation: 'listConversions',
    summary: 'List conversions, newest first',
    description: 'Answers with the conversions of the account in the environment of the key, newest first.',
    query: conversionsQuerySchema,
    answers: { 200: pageOf(shownSchemas.conversion) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const { external_id: externalId, currency } = call.query;
      const present = presenters[call.apiVersion].conversion;
      return await answerRecords(call, bus, {
        name: 'conversions',
        schema: shownSchemas.conversion,
        page: async (asked, page) => {
          const request = { ...ownerOf(call), ...page, externalId, currency };
          const { conversions, nextCursor } = await callRpc(asked, listConversions, request);
          return { data: conversions.map(present), nextCursor };
        },
      });
    },
  }),
];

/**
 * Creates a conversion; 503 is answered only when none was created.
 *
 * @throws DomainError PROVIDER_TIMEOUT, with the id of the quote if there is one, when it is not known whether one was
 *   created; the same call again finds out, and makes no second conversion
 */
export async function createConversionOnce(
  bus: Askable,
  request: RequestOf<typeof createConversion>,
): Promise<ReplyOf<typeof createConversion>> {
  try {
    return await callRpc(bus, createConversion, request);
  } catch (error) {
    if (!(error instanceof NoAnswerError) || error.received === 'no') throw error;
    const { order } = request;
    throw new DomainError('PROVIDER_TIMEOUT', 'the outcome is not known; repeat the call with the same external_id', {
      extra: order.kind === 'quoted' ? { quote_id: order.quoteId } : {},
      cause: error,
    });
  }
}
