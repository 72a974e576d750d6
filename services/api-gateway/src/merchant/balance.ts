import { NotFoundError } from '@gateway/contracts/errors';
import { getPending } from '@gateway/contracts/ledger';
import { callRpc } from '@gateway/messaging';
import {
  appliedAdjustmentSchema,
  balanceQuerySchema,
  pendingQuerySchema,
  pendingResourceSchema,
  presentAppliedAdjustment,
  presentPending,
  shownSchemas,
} from '@gateway/public-api';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { AdjustmentEntity, presentAdjustment } from '#src/proposals/adjustment.ts';
import { answerBalance } from '#src/statements/balance-answer.ts';

export const balanceEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/balance',
    operation: 'getBalance',
    summary: 'Read the balances, or with `at` the available balances as they stood then',
    description:
      'Answers with what can be spent (`available`), what is retained for some days (`pending`), what disputes ' +
      'hold (`blocked`) and their sum. With `at` it answers with the available balance as it stood at that time; ' +
      'the other members are null then.',
    query: balanceQuerySchema,
    answers: { 200: shownSchemas.balance },
    handle: async (call, { bus }) => await answerBalance(call, ownerOf(call), bus),
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/balance/pending',
    operation: 'getPendingBalance',
    summary: 'Read what is pending, by the day on which it becomes available',
    description: 'Answers with one row for each day and currency; its amounts add up to `pending` of the balance.',
    query: pendingQuerySchema,
    answers: { 200: pendingResourceSchema },
    handle: async (call, { bus }) => {
      const pending = await callRpc(bus, getPending, { ...ownerOf(call), ...call.query });
      return { status: 200, body: presentPending(pending) };
    },
  }),
];

export const adjustmentEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/adjustments/:id',
    operation: 'getAdjustment',
    summary: 'Read a correction of the balance that was carried out',
    description:
      'Answers with a correction that two operators made, to which an entry of type `ADJUSTMENT` refers. One ' +
      'that was not carried out is 404.',
    answers: { 200: appliedAdjustmentSchema },
    handle: async (call, { database }) => {
      const applied = { ...ownerOf(call), id: idIn(call, 'adjustment'), status: 'APPLIED' as const };
      const adjustment = await database.reader().findOne(AdjustmentEntity, applied);
      if (!adjustment) throw new NotFoundError('adjustment');
      return { status: 200, body: presentAppliedAdjustment(presentAdjustment(adjustment), call.apiVersion) };
    },
  }),
];
