import type { Balance, Currency, OperatorPayout, Total } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';
import type { OperatorTexts } from '#src/texts/operators-en.ts';

type Permissions = Readonly<Record<string, string>>;
export type PayoutStatus = OperatorPayout['status'];
export type PayoutAction = 'approve' | 'refuse' | 'look-up' | 'resolve';

/** What a payout's state means for its reader. */
export const toneOf: Readonly<Record<PayoutStatus, Tone>> = {
  PENDING: 'wait',
  PROCESSING: 'wait',
  PAID: 'good',
  FAILED: 'bad',
  REJECTED: 'bad',
};

/** The permission that each action takes; the server asks for the same. */
const permissionOf: Readonly<Record<PayoutAction, string>> = {
  approve: 'payouts:approve',
  refuse: 'payouts:approve',
  'look-up': 'operations:write',
  resolve: 'money:propose',
};

/** What can be done in each state, what is done most often first. The server refuses whatever is not. */
const actionsIn: Readonly<Record<PayoutStatus, readonly PayoutAction[]>> = {
  PENDING: ['approve', 'refuse'],
  PROCESSING: ['look-up', 'resolve'],
  PAID: [],
  FAILED: [],
  REJECTED: [],
};

export function actionsOf({ status }: Pick<OperatorPayout, 'status'>, permissions: Permissions): PayoutAction[] {
  return actionsIn[status].filter((action) => Object.hasOwn(permissions, permissionOf[action]));
}

/** Why it takes an operator, in a sentence; undefined where it goes on by itself. */
export function attentionOf(
  { attention_at: since, attention_reason: reason }: Pick<OperatorPayout, 'attention_at' | 'attention_reason'>,
  { payouts: { attention } }: OperatorTexts,
): string | undefined {
  if (since === null) return undefined;
  return reason !== null && isKnown(reason, attention) ? attention[reason] : attention.other;
}

function isKnown<Table extends object>(key: string, table: Table): key is Extract<keyof Table, string> {
  return Object.hasOwn(table, key);
}

/** The member of a balance that a currency is in. */
export function balanceMemberOf(currency: Currency): keyof Balance {
  return ({ BRL: 'brl', MXN: 'mxn', USDT: 'usdt' } as const)[currency];
}

const dayMs = 86_400_000;
const event = 'payout.paid' as const;

/** What was paid out on the day by which limits count, which is one of UTC. */
export function dayOfLimits(now: Date) {
  const from = String((Math.floor(now.getTime() / dayMs) * dayMs) / 1_000);
  return { from, by: 'day' as const, zone: 'UTC', event: [event] };
}

/** What those payouts add up to. */
export function paidIn(totals: readonly Pick<Total, 'event' | 'amount_cents'>[]): number {
  return totals.filter((total) => total.event === event).reduce((sum, { amount_cents: amount }) => sum + amount, 0);
}
