import type { Json } from '../../support/merchant-client.ts';
import type { Merchant } from '../load/merchant.ts';
import type { BankBooks } from '../load/simulated-bank.ts';
import { isGivenBack, type Shown } from './records.ts';

/** Each record has moved its money exactly once, and the balance is their sum. */
export function moneyProblems({ book }: Merchant, shown: Shown, bank: BankBooks): string[] {
  const expected = expectedEntries(book, shown, bank);
  const found = new Map<string, string[]>();
  for (const entry of shown.entries) {
    const line = `${entry.type} ${entry.amount_cents} ${entry.currency}`;
    found.set(entry.ref_id, [...(found.get(entry.ref_id) ?? []), line].sort());
  }
  const problems: string[] = [];
  for (const id of new Set([...expected.keys(), ...found.keys()])) {
    const [wanted, got] = [expected.get(id) ?? [], found.get(id) ?? []].map((lines) => lines.join(', '));
    if (wanted !== got)
      problems.push(`${shown.environment} entries of ${id}: ${got || 'none'} instead of ${wanted || 'none'}`);
  }
  for (const currency of ['brl', 'usdt']) {
    const sum = shown.entries
      .filter((entry) => entry.currency === currency.toUpperCase())
      .reduce((total: number, entry) => total + Number(entry.amount_cents), 0);
    const { available_cents: available, pending_cents: pending, blocked_cents: blocked } = shown.balance[currency];
    if (available !== sum || pending !== 0 || blocked !== 0) {
      problems.push(`${shown.environment} ${currency}: ${available}, ${pending}, ${blocked} instead of ${sum}, 0, 0`);
    }
  }
  return problems;
}

function expectedEntries(book: Merchant['book'], shown: Shown, bank: BankBooks): Map<string, string[]> {
  const expected = new Map<string, string[]>();
  const expect = (id: string, ...lines: string[]) => expected.set(id, lines.sort());
  const here = <T extends { environment: string }>(records: Iterable<T>): T[] =>
    [...records].filter(({ environment }) => environment === shown.environment);
  for (const { id, amount, isPaid, currency = 'BRL' } of here(book.deposits.values())) {
    if (isPaid) expect(id, `DEPOSIT_NET ${amount} ${currency}`);
  }
  const returnsOf = new Map(bank.transfers.map(({ reference, returns }) => [reference, returns]));
  for (const { id, amount, currency = 'BRL' } of here(book.payouts.values())) {
    const returns = shown.environment === 'live' ? (returnsOf.get(id.slice('pyt_'.length)) ?? []) : [];
    expect(id, `PAYOUT ${-amount} ${currency}`, ...returns.map((part) => `PAYOUT_RETURN ${part} ${currency}`));
  }
  for (const { id, deposit_id: depositId } of shown.disputes) {
    const contested = book.contested.get(depositId);
    if (!contested) continue;
    const released = contested.result === 'REJECTED' ? [`MED_RELEASE ${contested.amount} BRL`] : [];
    expect(id, `MED_BLOCK ${-contested.amount} BRL`, ...released);
  }
  for (const { id, amount } of here(book.refunds.values())) expect(id, `DEPOSIT_REFUND ${-amount} BRL`);
  for (const { id, amount, gave } of here(book.conversions.values())) {
    expect(id, `CONVERSION ${-amount} BRL`, `CONVERSION ${gave} USDT`);
  }
  for (const { id, amount_cents: amount, pix_key_type: type } of shown.payouts.filter(isGivenBack)) {
    const currency = type === 'clabe' ? 'MXN' : 'BRL';
    expect(id, `PAYOUT ${-amount} ${currency}`, `PAYOUT_REVERSAL ${amount} ${currency}`);
  }
  return expected;
}

/** The simulator carried out each transfer at most once, and none for a payout that is not PAID. */
export function transferProblems(payouts: readonly Json[], transfers: ReadonlyMap<string, number>): string[] {
  const problems = [...transfers]
    .filter(([, times]) => times > 1)
    .map(([reference, times]) => `${reference} was transferred ${times} times`);
  for (const { id, status, environment } of payouts) {
    if (environment !== 'live') continue;
    const times = transfers.get(String(id).slice('pyt_'.length)) ?? 0;
    if ((status === 'PAID') !== (times === 1)) problems.push(`${id} is ${status} and was transferred ${times} times`);
  }
  return problems;
}
