import { moneyRecordsByIdSchema, moneyRecordsPageSchema, moneyRecordsReplySchema } from '#src/ledger/money-record.ts';
import { defineRpc } from '#src/messages/define.ts';

/** Payouts of some ids, whatever their state. */
export const getPayoutMoneyRecords = defineRpc({
  subject: 'rpc.payouts.get-money-records.v1',
  owner: 'payouts',
  callers: ['reconciler'],
  request: moneyRecordsByIdSchema,
  reply: moneyRecordsReplySchema.pick({ records: true }),
});

/** A page of all payouts, whatever their state. */
export const listPayoutMoneyRecords = defineRpc({
  subject: 'rpc.payouts.list-money-records.v1',
  owner: 'payouts',
  callers: ['reconciler'],
  request: moneyRecordsPageSchema,
  reply: moneyRecordsReplySchema,
});
