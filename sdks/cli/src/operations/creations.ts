import type { Gateway, Version } from '@gateway/sdk';

interface Creation {
  /** The member of the answer that has the record. */
  readonly wrapped?: string;
  readonly send: (gateway: Gateway<Version>, ids: readonly string[], body: never) => PromiseLike<object>;
}

/**
 * Creations with an `external_id` go through the methods of the SDK, which send the same one again after a lost answer, and
 * notice an `external_id` that belongs to another record.
 */
export const creations: Readonly<Record<string, Creation>> = {
  createDeposit: { send: ({ deposits }, _, body) => deposits.create(body) },
  createRefund: { wrapped: 'refund', send: ({ deposits }, [id = ''], body) => deposits.refunds.create(id, body) },
  createPayout: { wrapped: 'payout', send: ({ payouts }, _, body) => payouts.create(body) },
  createConversion: { wrapped: 'conversion', send: ({ conversions }, _, body) => conversions.create(body) },
  createExport: { send: ({ exports }, _, body) => exports.create(body) },
};
