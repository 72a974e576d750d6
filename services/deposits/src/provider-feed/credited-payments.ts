import type { FeedRow } from '@gateway/contracts/providers';
import { RowArrays, type Tx } from '@gateway/persistence';
import type { StoreRows } from '@gateway/provider-feeds';
import { recordedName } from '#src/deposit/receipt-name.ts';
import { routeOf, type ChargeRoutes } from '#src/routing/charge-routes.ts';

const arrays = new RowArrays<'key' | 'e2eId' | 'reference'>([
  ['key', 'text'],
  ['e2eId', 'text'],
  ['reference', 'text'],
]);

/**
 * What a page of a provider's list asks for: without rows that report nothing, and of its payments without those that are credited to the deposit whose charge they name. Those
 * are nearly all, since a payment is mostly known from its notification by the time that it is listed, and none of them
 * waits in the inbox: then listing costs little where much is paid, and does not ask twice where notifications are late.
 */
export async function withoutCredited(
  tx: Tx,
  { environment, provider, feed }: Parameters<StoreRows>[1],
  rows: readonly FeedRow[],
  chargeRoutes: ChargeRoutes,
): Promise<readonly FeedRow[]> {
  const list = routeOf(chargeRoutes, environment, provider)?.provider.feeds?.find(({ name }) => name === feed);
  const read = rows.map((row) => ({ row, item: list?.read(row) }));
  const reporting = read.filter(({ item }) => item?.kind !== 'pointer' || item.events.length > 0);
  const reported = reporting.map(({ row }) => row);
  if (feed !== 'payments') return reported;
  const named = reporting.flatMap(({ row, item }) => {
    const events = item?.kind === 'pointer' ? item.events : [];
    const [event] = events;
    if (events.length !== 1 || event?.type !== 'charge.paid') return [];
    return [{ key: row.key, e2eId: recordedName(event).e2eId, reference: event.ref }];
  });
  if (named.length === 0) return reported;
  const credited = await tx.sql<{ key: string }>(
    `select named.key from ${arrays.from(3, 'named')} join payment on payment.environment = $1
       and payment.provider = $2 and payment.e2e_id = named."e2eId" and payment.state = 'CREDITED'
     join deposit on deposit.environment = $1 and deposit.account_id = payment.account_id
       and deposit.id = payment.deposit_id and deposit.provider = $2 and deposit.reference = named.reference`,
    [environment, provider, ...arrays.parametersOf(named)],
  );
  const keys = new Set(credited.map(({ key }) => key));
  return reported.filter(({ key }) => !keys.has(key));
}
