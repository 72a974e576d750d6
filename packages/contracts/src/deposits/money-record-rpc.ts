import { z } from 'zod';
import {
  moneyRecordKindSchema,
  moneyRecordsByIdSchema,
  moneyRecordsPageSchema,
  moneyRecordsReplySchema,
} from '#src/ledger/money-record.ts';
import { defineRpc } from '#src/messages/define.ts';

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
