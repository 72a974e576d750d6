/** What totals need of an event, as columns of the log; all null of one that cannot be read so, or has no amount. */
export interface NotedAmount {
  /** Null: the payload has to be read. */
  readonly occurred_at: Date | null;
  readonly provider: string | null;
  readonly currency: string | null;
  /** Minor units of the currency; null of an event that is in no total. */
  readonly amount: number | null;
}

const unread: NotedAmount = { occurred_at: null, provider: null, currency: null, amount: null };

/** Where an event has its record, by the part of its name before the dot; others are in no total. */
const recordMembers: Readonly<Record<string, string>> = {
  deposit: 'deposit',
  payout: 'payout',
  refund: 'refund',
  med: 'dispute',
};

/** The same as `recordSql` says, which reads events of earlier versions, and those that this cannot read. */
export function notedAmountOf(name: string, data: unknown): NotedAmount {
  const { occurredAt, provider, [recordMember(name) ?? '']: record } = data as Readonly<Record<string, unknown>>;
  if (typeof occurredAt !== 'number' || !/^\d{1,12}$/.test(String(occurredAt))) return unread;
  const at = {
    occurred_at: new Date(occurredAt * 1_000),
    provider: typeof provider === 'string' && /^\w[\w.-]{0,63}$/.test(provider) ? provider : null,
  };
  if (record === undefined || record === null) return { ...at, currency: null, amount: null };
  const { amount, currency } = record as Readonly<Record<string, unknown>>;
  if (typeof currency !== 'string' || !/^\w{1,16}$/.test(currency)) return unread;
  return Number.isSafeInteger(amount) && Number(amount) >= 0 ? { ...at, currency, amount: Number(amount) } : unread;
}

/** Of a return it is the part that came back; what an account was paid partially is in the event of the payment. */
function recordMember(name: string): string | undefined {
  if (name === 'deposit.partially_paid') return undefined;
  if (name === 'payout.returned') return 'return';
  return recordMembers[name.slice(0, name.indexOf('.'))];
}
