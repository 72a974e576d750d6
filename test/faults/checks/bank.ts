import type { Json } from '../../support/merchant-client.ts';
import type { BankBooks } from '../load/simulated-bank.ts';
import { isInFlight, type Shown } from './records.ts';

/** The bank's own books against the records, line by line: what moved there, and nothing else, moved here. */
export function bankProblems(shown: Shown, bank: BankBooks, transfers: ReadonlyMap<string, number>): string[] {
  return [
    ...shown.deposits.flatMap((deposit) => depositProblems(deposit, shown, bank)),
    ...shown.payouts.flatMap((payout) => (isInFlight(payout, transfers) ? [] : payoutProblems(payout, bank))),
  ];
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

function depositProblems(deposit: Json, shown: Shown, { charges }: BankBooks): string[] {
  const charge = charges.find(({ reference }) => reference === String(deposit.id).slice('dep_'.length));
  const payments = charge?.payments ?? [];
  const isPaid = deposit.status === 'PAID' || deposit.status === 'REFUNDED';
  const ofDeposit = (records: readonly Json[]) => records.filter(({ deposit_id: id }) => id === deposit.id);
  const refunded = ofDeposit(shown.refunds).filter(({ status }) => status === 'DONE');
  return differences(deposit.id, {
    paid: [isPaid ? deposit.amount_cents : 0, sumOf(payments.map(({ amount }) => amount))],
    payments: [isPaid ? 1 : 0, payments.length],
    refunded: [
      sumOf(refunded.map(({ amount_cents: amount }) => amount)),
      sumOf(payments.map((payment) => payment.refunded)),
    ],
    'taken back': [
      sumOf(ofDeposit(shown.disputes).map(({ returned_cents: amount }) => amount)),
      sumOf(payments.map(({ taken }) => taken)),
    ],
  });
}

function payoutProblems(payout: Json, { transfers }: BankBooks): string[] {
  const transfer = transfers.find(({ reference }) => reference === String(payout.id).slice('pyt_'.length));
  const isPaid = payout.status === 'PAID';
  return differences(payout.id, {
    sent: [isPaid ? payout.amount_cents : 0, transfer?.status === 'PAID' ? transfer.amount : 0],
    returned: [payout.returned_cents, sumOf(transfer?.returns ?? [])],
  });
}

function differences(
  id: string,
  compared: Readonly<Record<string, readonly [here: number, atBank: number]>>,
): string[] {
  return Object.entries(compared)
    .filter(([, [here, atBank]]) => here !== atBank)
    .map(([what, [here, atBank]]) => `${id}: ${what} ${here} here, ${atBank} at the bank`);
}
