import type { z } from 'zod';
import { shapeOf } from '#src/http/body-shape.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { ListUnavailableError } from '#src/payment-provider.ts';
import { wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { eventOfDispute } from '#src/woovi/disputes.ts';
import { eventOfReversal, eventOfTransaction } from '#src/woovi/events.ts';
import {
  disputePageSchema,
  disputeSchema,
  paymentReversalSchema,
  transactionPageSchema,
  transactionSchema,
} from '#src/woovi/wire.ts';

const itemsPerPage = 100;

interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** Payments on charges, disputes, and what came back of payouts, of a period. Woovi's list of payouts takes no period, so payouts are looked up singly. */
export async function* listChanges(
  connection: WooviConnection,
  period: Period,
  options?: CallOptions,
): AsyncGenerator<ProviderEvent> {
  const { id } = connection.config;
  const payments = { path: '/api/v1/transaction', filter: { type: 'PAYMENT' }, period, schema: transactionListSchema };
  for await (const item of items(connection, payments, options)) {
    const event = eventOfTransaction(id, { transaction: itemOf(transactionSchema, item), raw: item });
    if (event) yield event;
  }
  const disputes = { path: '/api/v1/dispute', filter: {}, period, schema: disputeListSchema };
  for await (const item of items(connection, disputes, options)) {
    yield eventOfDispute(id, { dispute: itemOf(disputeSchema, item), raw: item, now: connection.now() });
  }
  const reversals = {
    path: '/api/v1/transaction',
    filter: { type: 'REVERSAL' },
    period,
    schema: transactionListSchema,
  };
  for await (const item of items(connection, reversals, options)) {
    // Not every reversal need be of a payment: one that names none is none of ours.
    const reversal = paymentReversalSchema.safeParse(item);
    if (reversal.success) yield eventOfReversal(id, { reversal: reversal.data, raw: item });
  }
}

interface ListPage {
  readonly items: readonly unknown[];
  readonly hasNextPage: boolean;
}

const transactionListSchema: z.ZodType<ListPage> = transactionPageSchema.transform(({ transactions, pageInfo }) => ({
  items: transactions,
  hasNextPage: pageInfo.hasNextPage,
}));
const disputeListSchema: z.ZodType<ListPage> = disputePageSchema.transform(({ disputes, pageInfo }) => ({
  items: disputes,
  hasNextPage: pageInfo.hasNextPage,
}));

interface ListQuery {
  readonly path: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly period: Period;
  readonly schema: z.ZodType<ListPage>;
}

/** `skip` and `limit` show in the answers and not among the described parameters: one that ignores them must not go on for ever. */
async function* items(
  connection: WooviConnection,
  { path, filter, period, schema }: ListQuery,
  options: CallOptions | undefined,
): AsyncGenerator {
  let previous = '';
  for (let skip = 0, more = true; more;) {
    const window = { start: period.from.toISOString(), end: period.to.toISOString() };
    const query = new URLSearchParams({ ...window, ...filter, skip: String(skip), limit: String(itemsPerPage) });
    const call = { method: 'GET', path: `${path}?${query.toString()}`, schema } as const;
    const found = wooviLookedUp(await connection.call(call, options));
    if (found.status === 'UNAVAILABLE') throw new ListUnavailableError(found.cause);
    if (found.status === 'NOT_FOUND') throw new ListUnavailableError('the provider answered 404');
    const page = JSON.stringify(found.value.items);
    if (page === previous) throw new ListUnavailableError('the list repeats itself');
    yield* found.value.items;
    more = found.value.hasNextPage;
    skip += found.value.items.length;
    previous = page;
  }
}

function itemOf<T>(schema: z.ZodType<T>, item: unknown): T {
  const parsed = schema.safeParse(item);
  if (!parsed.success) throw new ListUnavailableError(`an item is ${shapeOf(item)}`);
  return parsed.data;
}
