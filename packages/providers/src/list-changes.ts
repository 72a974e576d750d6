import { ListUnavailableError } from '#src/payment-provider.ts';
import type { Feed } from '#src/feeds.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';

/** Everything the lists say of a period, one list after the other. */
export async function* listChanges(
  feeds: readonly Feed[],
  { from, to }: { readonly from: Date; readonly to: Date },
  options?: CallOptions,
): AsyncGenerator<ProviderEvent> {
  for (const feed of feeds) {
    for (let place: string | undefined, more = true; more;) {
      const page = await feed.readPage({ from, to, ...(place === undefined ? {} : { place }) }, options);
      if (page.kind !== 'page') throw new ListUnavailableError(page.cause);
      for (const row of page.rows) {
        const item = feed.read(row);
        if (item.kind === 'asked' || (item.kind === 'pointer' && feed.name !== 'returns')) yield* item.events;
      }
      place = page.next ?? undefined;
      more = page.next !== null;
    }
  }
}
