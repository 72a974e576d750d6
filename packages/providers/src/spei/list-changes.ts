import { shapeOf } from '#src/http/body-shape.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';
import { ListUnavailableError } from '#src/payment-provider.ts';
import type { SpeiConnection } from '#src/spei/connection.ts';
import { eventOfPayment } from '#src/spei/events.ts';
import { paymentPageSchema, paymentSchema } from '#src/spei/wire.ts';

const itemsPerPage = 100;

/** Payments on charges of a period, oldest first. Transfers out are looked up singly. */
export async function* listChanges(
  connection: SpeiConnection,
  { from, to }: { readonly from: Date; readonly to: Date },
  options?: CallOptions,
): AsyncGenerator<ProviderEvent> {
  for (let offset = 0, more = true; more;) {
    const window = { from: from.toISOString(), to: to.toISOString() };
    const query = new URLSearchParams({ ...window, offset: String(offset), limit: String(itemsPerPage) });
    const call = { method: 'GET', path: `/payments?${query.toString()}`, schema: paymentPageSchema } as const;
    const found = lookedUp(await connection.call(call, options));
    if (found.status === 'UNAVAILABLE') throw new ListUnavailableError(found.cause);
    if (found.status === 'NOT_FOUND') throw new ListUnavailableError('the provider answered 404');
    const { payments, has_more: hasMore } = found.value;
    for (const item of payments) {
      const payment = paymentSchema.safeParse(item);
      if (!payment.success) throw new ListUnavailableError(`an item is ${shapeOf(item)}`);
      yield eventOfPayment(connection.config.id, payment.data, item);
    }
    if (hasMore && payments.length === 0) throw new ListUnavailableError('an empty page says that more follows');
    offset += payments.length;
    more = hasMore;
  }
}
