import { createConversion } from '@gateway/contracts/conversions';
import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { callRpc, NoAnswerError, type Askable } from '@gateway/messaging';

/**
 * Creates a conversion, and answers 503 only when none was created: money moves once, whoever is told what.
 *
 * @throws DomainError PROVIDER_TIMEOUT naming the quote, if any, when nobody can tell; the same call again finds out,
 *   and makes no second conversion
 */
export async function createConversionSurely(
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
