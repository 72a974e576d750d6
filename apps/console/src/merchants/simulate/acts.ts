import type { Deposit, Dispute, Webhook } from '#src/generated/merchants/types.gen.ts';
import type { OwnPayout } from '#src/merchants/payouts/describe-own-payout.ts';
import type { TestCall } from '#src/merchants/simulate/describe-call.ts';

/** What the world does to a record of test mode. */
export type ActName =
  | 'pay'
  | 'expire'
  | 'dispute'
  | 'won'
  | 'lost'
  | 'approve'
  | 'paid'
  | 'failed'
  | 'returned'
  | 'failing'
  | 'disabled'
  | 'release';

/** One of them, and the call that makes it happen. */
export interface Act extends TestCall {
  readonly name: ActName;
  /** Whether a part of the amount may be meant. */
  readonly takesAmount?: boolean;
}

/** What can happen to a payment as it is now. */
export function actsOnDeposit({ id, status }: Pick<Deposit, 'id' | 'status'>): readonly Act[] {
  const act = (name: ActName, more: Partial<Act> = {}) =>
    ({ name, path: `/v1/test/deposits/${id}/${name}`, method: `deposits.${name}`, id, body: {}, ...more }) as const;
  switch (status) {
    case 'PENDING':
      return [act('pay'), act('expire')];
    case 'EXPIRED':
      return [act('pay')];
    case 'PAID':
      return [act('dispute', { takesAmount: true })];
    case 'REFUNDED':
    case 'FAILED':
      return [];
  }
}

/** How a dispute that is not decided can be decided. */
export function actsOnDispute({ id, status }: Pick<Dispute, 'id' | 'status'>): readonly Act[] {
  if (status === 'WON' || status === 'LOST') return [];
  return (['won', 'lost'] as const).map((name) => ({
    ...{ name, path: `/v1/test/disputes/${id}/resolve`, method: 'disputes.resolve', id, body: { result: name } },
  }));
}

/** What can become of a payout as it is now. */
export function actsOnPayout({ id, status }: Pick<OwnPayout, 'id' | 'status'>): readonly Act[] {
  const settle = (name: 'paid' | 'failed' | 'returned', more: Partial<Act> = {}) =>
    ({
      name,
      path: `/v1/test/payouts/${id}/settle`,
      method: 'payouts.settle',
      id,
      body: { result: name },
      ...more,
    }) as const;
  switch (status) {
    case 'PENDING':
      return [{ name: 'approve', path: `/v1/test/payouts/${id}/approve`, method: 'payouts.approve', id, body: {} }];
    case 'PROCESSING':
      return [settle('paid'), settle('failed')];
    case 'PAID':
      return [settle('returned', { takesAmount: true })];
    case 'FAILED':
    case 'REJECTED':
      return [];
  }
}

/** What hours of failing calls do to an endpoint. */
export function actsOnEndpoint({ id, status }: Pick<Webhook, 'id' | 'status'>): readonly Act[] {
  if (status !== 'enabled') return [];
  return (['failing', 'disabled'] as const).map((name) => ({
    ...{ name, path: `/v1/test/webhooks/${id}/fail`, method: 'webhooks.fail', id, body: { result: name } },
  }));
}

export const release: Act = {
  ...{ name: 'release', path: '/v1/test/balance/release', method: 'balance.release', id: undefined, body: {} },
};
