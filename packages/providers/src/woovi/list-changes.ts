import type { z } from 'zod';
import { shapeOf } from '#src/http/body-shape.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { ListUnavailableError } from '#src/payment-provider.ts';
import { wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { eventOfDispute } from '#src/woovi/disputes.ts';
import { eventOfTransaction } from '#src/woovi/events.ts';
import { disputePageSchema, disputeSchema, transactionPageSchema, transactionSchema } from '#src/woovi/wire.ts';

const itemsPerPage = 100;

/** Payments on charges and disputes of a period. Woovi's list of payouts takes no period, so payouts are looked up singly. */
export async function* listChanges(
  connection: WooviConnection,
  period: { readonly from: Date; readonly to: Date },
  options?: CallOptions,
): AsyncGenerator<ProviderEvent> {
  const { id } = connection.config;
  const query = { start: period.from.toISOString(), end: period.to.toISOString() };
  const payments = { path: '/api/v1/transaction', query: { ...query, type: 'PAYMENT' }, schema: transactionPageSchema };
  for await (const page of pages(connection, payments, options)) {
    for (const item of page.transactions) {
      const event = eventOfTransaction(id, { transaction: itemOf(transactionSchema, item), raw: item });
      if (event) yield event;
    }
  }
  const disputes = { path: '/api/v1/dispute', query, schema: disputePageSchema };
  for await (const page of pages(connection, disputes, options)) {
    for (const item of page.disputes) {
      yield eventOfDispute(id, { dispute: itemOf(disputeSchema, item), raw: item, now: connection.now() });
    }
  }
}

interface ListQuery<Page> {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly schema: z.ZodType<Page>;
}

async function* pages<Page extends { pageInfo: { hasNextPage: boolean } }>(
  connection: WooviConnection,
  { path, query, schema }: ListQuery<Page>,
  options: CallOptions | undefined,
): AsyncGenerator<Page> {
  for (let skip = 0, more = true; more; skip += itemsPerPage) {
    const search = new URLSearchParams({ ...query, skip: String(skip), limit: String(itemsPerPage) });
    const call = { method: 'GET', path: `${path}?${search.toString()}`, schema } as const;
    const found = wooviLookedUp(await connection.call(call, options));
    if (found.status === 'UNAVAILABLE') throw new ListUnavailableError(found.cause);
    if (found.status === 'NOT_FOUND') throw new ListUnavailableError('the provider answered 404');
    more = found.value.pageInfo.hasNextPage;
    yield found.value;
  }
}

function itemOf<T>(schema: z.ZodType<T>, item: unknown): T {
  const parsed = schema.safeParse(item);
  if (!parsed.success) throw new ListUnavailableError(`an item is ${shapeOf(item)}`);
  return parsed.data;
}
