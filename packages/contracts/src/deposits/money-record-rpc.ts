import { z } from 'zod';
import { amountSchema, currencySchema } from '@gateway/money';
import {
  moneyRecordKindSchema,
  moneyRecordsByIdSchema,
  moneyRecordsPageSchema,
  moneyRecordsReplySchema,
} from '#src/ledger/money-record.ts';
import { defineRpc } from '#src/messages/define.ts';
import { environmentSchema } from '#src/values/environment.ts';

/** Payments (by the id of their deposit), refunds, orphan receipts and disputes of some ids. */
export const getDepositMoneyRecords = defineRpc({
  subject: 'rpc.deposits.get-money-records.v1',
  owner: 'deposits',
  callers: ['reconciler'],
  request: moneyRecordsByIdSchema,
  reply: moneyRecordsReplySchema.pick({ records: true }),
});

/** A page of all payments, refunds, orphan receipts or disputes. */
export const listDepositMoneyRecords = defineRpc({
  subject: 'rpc.deposits.list-money-records.v1',
  owner: 'deposits',
  callers: ['reconciler'],
  request: z.object({ ...moneyRecordsPageSchema.shape, kind: moneyRecordKindSchema.exclude(['payout']) }),
  reply: moneyRecordsReplySchema,
});

export const gatheredReferencesMax = 200;

/** What has arrived on charges that wait for the rest, by their references: it is at the provider, and not booked yet. */
export const getGatheredTransfers = defineRpc({
  subject: 'rpc.deposits.get-gathered-transfers.v1',
  owner: 'deposits',
  callers: ['reconciler'],
  request: z.object({ environment: environmentSchema, references: z.array(z.string()).max(gatheredReferencesMax) }),
  reply: z.object({
    transfers: z.array(
      z.object({
        reference: z.string(),
        provider: z.string(),
        currency: currencySchema,
        e2eId: z.string(),
        amount: amountSchema,
        /** When the charge expires, and what has arrived is its payment; Unix milliseconds. */
        waitsUntilMs: z.int(),
      }),
    ),
  }),
});
