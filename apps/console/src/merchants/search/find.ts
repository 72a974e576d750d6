import {
  getDeposit,
  getDispute,
  getPayout,
  getRefund,
  listDeposits,
  listPayouts,
} from '#src/generated/merchants/sdk.gen.ts';
import type { Deposit, Dispute, Payout, Refund } from '#src/generated/merchants/types.gen.ts';
import { contract } from '#src/merchants/contract.ts';
import { searchQueries } from '#src/merchants/search/search-queries.ts';
import { bodyOf, Refusal } from '#src/records/refusal.ts';

const headers = contract;

/** A record that was found, as the list or the page of its kind has it. */
export type Found =
  | { readonly kind: 'payment'; readonly record: Deposit }
  | { readonly kind: 'payout'; readonly record: Payout }
  | { readonly kind: 'refund'; readonly record: Refund }
  | { readonly kind: 'dispute'; readonly record: Dispute };

type Read = (id: string, signal: AbortSignal) => Promise<Found>;

/** How a record is read by its id, by what the id begins with. */
const readById: Readonly<Record<string, Read>> = {
  dep: async (id, signal) => ({
    kind: 'payment',
    record: await bodyOf(getDeposit({ path: { id }, headers, signal })),
  }),
  pyt: async (id, signal) => ({
    kind: 'payout',
    record: (await bodyOf(getPayout({ path: { id }, headers, signal }))).payout,
  }),
  rfd: async (id, signal) => ({ kind: 'refund', record: await bodyOf(getRefund({ path: { id }, headers, signal })) }),
  med: async (id, signal) => ({ kind: 'dispute', record: await bodyOf(getDispute({ path: { id }, headers, signal })) }),
};

/** The records with exactly this id, end-to-end id, reference or document, each once. */
export async function find(q: string, signal: AbortSignal): Promise<readonly Found[]> {
  const [prefix = '', rest] = q.split('_');
  const read = rest === undefined || !Object.hasOwn(readById, prefix) ? undefined : readById[prefix];
  if (read) return await orNone(read(q, signal).then((found) => [found]));
  const { payments, payouts } = searchQueries(q);
  const pages = await Promise.all([
    ...payments.map((query) => orNone(paymentsWith(query, signal))),
    ...payouts.map((query) => orNone(payoutsWith(query, signal))),
  ]);
  return [...new Map(pages.flat().map((found) => [found.record.id, found])).values()];
}

async function paymentsWith(
  query: ReturnType<typeof searchQueries>['payments'][number],
  signal: AbortSignal,
): Promise<Found[]> {
  const { data } = await bodyOf(listDeposits({ query, headers, signal }));
  return data.map((record) => ({ kind: 'payment', record }));
}

async function payoutsWith(
  query: ReturnType<typeof searchQueries>['payouts'][number],
  signal: AbortSignal,
): Promise<Found[]> {
  const { data } = await bodyOf(listPayouts({ query, headers, signal }));
  return data.map((record) => ({ kind: 'payout', record }));
}

/** What is no record here, or no document: one with a wrong digit is refused. */
async function orNone(found: Promise<Found[]>): Promise<Found[]> {
  return await found.catch((error: unknown) => {
    if (error instanceof Refusal && (error.status === 404 || error.status === 400)) return [];
    throw error;
  });
}
