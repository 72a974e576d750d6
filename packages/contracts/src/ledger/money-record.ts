import { z } from 'zod';
import { amountSchema, currencySchema, idSchema, minorUnitsSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';

/** The records that move money at a provider. */
export const moneyRecordKindSchema = z.enum(['payment', 'refund', 'orphan_receipt', 'dispute', 'payout']);
export type MoneyRecordKind = z.infer<typeof moneyRecordKindSchema>;

/** A part of a payout that came back. */
const returnedPartSchema = z.object({
  /** The provider's or the rail's id of the return. */
  returnId: z.string(),
  /** What it is called in the id of the command that credits it. */
  name: z.string(),
  amount: amountSchema,
  /** Whether the record says that it is in the balance. */
  isCredited: z.boolean(),
});

/** One of the transfers that make up a payment. */
const transferPartSchema = z.object({ e2eId: z.string(), amount: amountSchema });

/** What a service has on record of money that moved at a provider; compared with the ledger and with the provider. */
export const moneyRecordSchema = z.object({
  kind: moneyRecordKindSchema,
  /** Id of the deposit, for a payment; else of the record itself. */
  id: z.string(),
  accountId: idSchema('account'),
  provider: z.string(),
  currency: currencySchema,
  amount: amountSchema,
  fee: minorUnitsSchema,
  /** As the service stores it; `MISSING` where a deposit says that it was paid, and no payment is on record. */
  state: z.string(),
  /** Of a payment the state of its deposit. */
  depositState: z.string().nullable(),
  /** Of a payment: what its deposit says was paid, 0 while it says that nothing was; null where it is not stated. */
  deposited: minorUnitsSchema.nullable().default(null),
  /** Of a payment that came in several transfers: those before the last, whose own id is `e2eId`. */
  transfers: z.array(transferPartSchema).default([]),
  /** Our reference at the provider, where there is one. */
  reference: z.string().nullable(),
  /** Of the payment, or of the payout; of a refund and a dispute that of the payment they are about. */
  e2eId: z.string().nullable(),
  /** Of what went back to a payer. */
  returnId: z.string().nullable(),
  /** Of a payment: what its deposit says has gone back. */
  refunded: minorUnitsSchema,
  /** Of a refund, and of a payment of which something has gone back: the deposit. */
  depositId: idSchema('deposit').nullable().default(null),
  /** What the row of that deposit says has gone back by refunds, with what is under way; null where it is not stated. */
  backByRefunds: minorUnitsSchema.nullable().default(null),
  /** Of a payout: what came back. Of a dispute: what went back to the payer. */
  returned: minorUnitsSchema,
  /** Of a lost dispute that was won after all: what came back of it. Null for every other, and where it is not known. */
  overturned: minorUnitsSchema.nullable().default(null),
  returns: z.array(returnedPartSchema),
  /** When the money moved, by the provider's clock, as far as it is known; Unix milliseconds. */
  atMs: z.int(),
});
export type MoneyRecord = z.infer<typeof moneyRecordSchema>;

/** A record is found by its account and id. */
export const moneyRecordPlaceSchema = z.object({ accountId: z.string(), id: z.string() });
export type MoneyRecordPlace = z.infer<typeof moneyRecordPlaceSchema>;

export const moneyRecordsMax = 500;

/** The records of some ids. What is not there, or belongs to another account, is left out. */
export const moneyRecordsByIdSchema = z.object({
  environment: environmentSchema,
  records: z.array(moneyRecordPlaceSchema).max(moneyRecordsMax),
});

/**
 * Those records alone whose ids lie within; a bound that is left out is none. An id begins with the moment at which its
 * record was made, so that these are the records of a period.
 */
export const idBoundsSchema = z.object({
  from: z.string().optional(),
  /** Itself not among them. */
  below: z.string().optional(),
});
export type IdBounds = z.infer<typeof idBoundsSchema>;

/**
 * A page of all records of a kind, in the order of account and id. A reading of all of them has every record that was
 * committed before it began; what is committed while it goes on may be missing. A service of an earlier version does not
 * know the bounds, and answers with more.
 */
export const moneyRecordsPageSchema = z.object({
  environment: environmentSchema,
  /** The last one that the caller has; null for the beginning. */
  after: moneyRecordPlaceSchema.nullable(),
  limit: z.int().min(1).max(moneyRecordsMax),
  ids: idBoundsSchema.optional(),
});

/** Without `next` there are no more. */
export const moneyRecordsReplySchema = z.object({
  records: z.array(moneyRecordSchema),
  next: moneyRecordPlaceSchema.nullable(),
});
