import { NotFoundError } from '@gateway/contracts/errors';
import { getBalance, getPending } from '@gateway/contracts/ledger';
import { callRpc } from '@gateway/messaging';
import {
  appliedAdjustmentSchema,
  balanceQuerySchema,
  pendingQuerySchema,
  pendingResourceSchema,
  presentAppliedAdjustment,
  presenters,
  presentPending,
  secondOf,
  shownSchemas,
} from '@gateway/public-api';
import { idIn, merchantEndpoint, ownerOf } from '#src/merchant/merchant-endpoint.ts';
import { AdjustmentEntity, presentAdjustment } from '#src/proposals/adjustment.ts';

export const balanceEndpoints = [
  merchantEndpoint({
    method: 'GET',
    path: '/v1/balance',
    summary: 'Read the balances, or with `at` the available balances as they stood then',
    query: balanceQuerySchema,
    answers: { 200: shownSchemas.balance },
    handle: async (call, { bus }) => {
      const { at, zone, currency } = call.query;
      const second = at === undefined ? undefined : secondOf(at, zone);
      const { balances } = await callRpc(bus, getBalance, { ...ownerOf(call), at: second });
      const wanted = balances.filter((balance) => currency === undefined || balance.currency === currency);
      return { status: 200, body: presenters[call.apiVersion].balance(wanted) };
    },
  }),
  merchantEndpoint({
    method: 'GET',
    path: '/v1/balance/pending',
    summary: 'Read what is pending, by the day on which it becomes available',
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
    summary: 'Read a correction of the balance that was carried out',
    answers: { 200: appliedAdjustmentSchema },
    handle: async (call, { database }) => {
      const applied = { ...ownerOf(call), id: idIn(call, 'adjustment'), status: 'APPLIED' as const };
      const adjustment = await database.reader().findOne(AdjustmentEntity, applied);
      if (!adjustment) throw new NotFoundError('adjustment');
      return { status: 200, body: presentAppliedAdjustment(presentAdjustment(adjustment), call.apiVersion) };
    },
  }),
];
