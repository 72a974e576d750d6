import { causeOf, refusalCodeOf, type BitsoConnection, type BitsoFailure } from '#src/bitso/connection.ts';
import { bookOf, ordersSchema, placedSchema, tradesSchema, type BitsoOrder, type BitsoTrade } from '#src/bitso/wire.ts';
import { exactMagnitude, exactText } from '#src/exact-decimal.ts';
import type { BuyOrder, Execution, OrderState, PlacedOrder } from '#src/exchange-venue.ts';
import type { NotSent, Unavailable, Unknown } from '#src/outcomes.ts';

/** `POST /v3/orders`: a limit order that buys at once what it can, and leaves nothing in the book. */
export async function placeOrder(
  connection: BitsoConnection,
  { clientId, currency, amount, priceMax }: BuyOrder,
): Promise<PlacedOrder> {
  const body = {
    book: bookOf(currency),
    side: 'buy',
    type: 'limit',
    major: amount,
    price: priceMax,
    time_in_force: 'immediateorcancel',
    origin_id: clientId,
  };
  const outcome = await connection.call({ method: 'POST', path: '/v3/orders', body, schema: placedSchema });
  if (outcome.kind === 'answered') return { kind: 'placed', venueOrderId: outcome.value.oid };
  if (outcome.kind !== 'failure') return outcome;
  const code = refusalCodeOf(outcome.code);
  if (code === null) return { kind: 'unknown', cause: causeOf(outcome) };
  return { kind: 'refused', code, message: outcome.message, raw: { code: outcome.code, message: outcome.message } };
}

/** "Incorrect origin id", "incorrect OID" and "has not been matched yet": there is nothing under the id. */
const nothingThere = new Set(['0357', '0312', '0378']);

/**
 * `GET /v3/orders?origin_ids=` shows an order while it is open, `GET /v3/order_trades?origin_id=` what it has bought. In
 * this order: an order that ends between the two calls shows its trades in the second.
 */
export async function getOrder(
  connection: BitsoConnection,
  { clientId, currency }: Pick<BuyOrder, 'clientId' | 'currency'>,
): Promise<OrderState> {
  const id = encodeURIComponent(clientId);
  const listed = await connection.call({ method: 'GET', path: `/v3/orders?origin_ids=${id}`, schema: ordersSchema });
  if (listed.kind !== 'answered' && !isNothing(listed)) return unavailable(listed);
  const traded = await connection.call({
    method: 'GET',
    path: `/v3/order_trades?origin_id=${id}`,
    schema: tradesSchema,
  });
  if (traded.kind !== 'answered' && !isNothing(traded)) return unavailable(traded);
  const book = bookOf(currency);
  const orders = listed.kind === 'answered' ? listed.value.filter(({ origin_id: origin }) => origin === clientId) : [];
  const shown = traded.kind === 'answered' ? traded.value : [];
  const trades = [...new Map(shown.map((each) => [each.tid, each])).values()];
  const foreign = [...orders, ...trades].some((found) => found.book !== book) || trades.some(isForeign(clientId));
  if (foreign) return { status: 'UNAVAILABLE', cause: 'what is found under the id is another order' };
  if (orders.length === 0 && trades.length === 0) return { status: 'NOT_FOUND' };
  if (orders.some((order) => isMissingTrades(order, trades))) {
    return { status: 'UNAVAILABLE', cause: 'more of the order is executed than its trades show' };
  }
  const isOpen = orders.some(({ status }) => !ended.has(status));
  return { status: 'FOUND', value: executionOf(trades, isOpen, orders[0]?.oid ?? trades[0]?.oid ?? null, currency) };
}

const ended = new Set(['completed', 'cancelled']);

/** An order says how much of it is left; what is executed beyond its trades will be shown among them later. */
function isMissingTrades(
  { original_amount: original, unfilled_amount: unfilled }: BitsoOrder,
  trades: readonly BitsoTrade[],
): boolean {
  if (typeof original !== 'bigint' || typeof unfilled !== 'bigint') return false;
  const traded = trades.reduce((sum, { major }) => sum + exactMagnitude(major), 0n);
  return traded < original - unfilled;
}

const isForeign = (clientId: string) => (trade: BitsoTrade) => trade.origin_id !== clientId || trade.side !== 'buy';

function executionOf(
  trades: readonly BitsoTrade[],
  isOpen: boolean,
  venueOrderId: string | null,
  currency: string,
): Execution {
  let [spent, bought] = [0n, 0n];
  const fees = new Map<string, bigint>();
  for (const { minor, major, fees_currency: paidIn, fees_amount: fee } of trades) {
    spent += exactMagnitude(minor);
    bought += exactMagnitude(major);
    fees.set(paidIn.toLowerCase(), (fees.get(paidIn.toLowerCase()) ?? 0n) + exactMagnitude(fee));
  }
  const local = currency.toLowerCase();
  const others = [...fees].filter(([paidIn, amount]) => paidIn !== local && paidIn !== 'usdt' && amount > 0n);
  const otherFee = others.map(([paidIn, amount]) => `${exactText(amount)} ${paidIn.slice(0, 20)}`).join(' and ');
  return {
    ...{ isOpen, venueOrderId, bought: exactText(bought) },
    // A buyer's fee is taken from what is bought; one in local currency costs more of that.
    spent: exactText(spent + (fees.get(local) ?? 0n)),
    fee: exactText(fees.get('usdt') ?? 0n),
    ...(otherFee === '' ? {} : { otherFee }),
  };
}

function isNothing(outcome: BitsoFailure | NotSent | Unknown): boolean {
  return outcome.kind === 'failure' && nothingThere.has(outcome.code);
}

function unavailable(outcome: BitsoFailure | NotSent | Unknown): Unavailable {
  return { status: 'UNAVAILABLE', cause: causeOf(outcome) };
}
