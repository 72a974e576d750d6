import type { Currency } from '@gateway/money';
import {
  exact,
  exactText,
  type BuyOrder,
  type Execution,
  type ExchangeVenue,
  type Market,
  type OrderState,
} from '@gateway/providers/venues';

/** What goes wrong with the next order. */
export type Trick =
  | 'none'
  | 'lost_answer'
  | 'never_arrived'
  | 'refused'
  | 'refused_and_made'
  | 'not_sent'
  | 'not_sent_and_made'
  | 'dies_before'
  | 'dies_after'
  | 'part';

/** Of the configuration's defaults. */
export const testBounds = { slippageBps: 100, surplusMax: 5_000, lossMaxBps: 500 } as const;

/** An exchange in memory: buys at 5.38, with a fee of a thousandth. */
export class MemoryVenue implements ExchangeVenue {
  readonly id: string = 'bitso';
  readonly sent: string[] = [];
  readonly orders = new Map<string, Execution>();
  trick: Trick = 'none';
  canLookUp = true;
  /** How long after an order it is shown. */
  shownAfterMs = 0;
  readonly #placedAtMs = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async placeOrder({ clientId, amount }: BuyOrder): Promise<Awaited<ReturnType<ExchangeVenue['placeOrder']>>> {
    const trick = this.trick;
    this.trick = 'none';
    if (trick === 'dies_before') throw new Error('the process dies');
    if (trick === 'not_sent') return { kind: 'not_sent', reason: 'unreachable', cause: 'no connection' };
    this.sent.push(clientId);
    if (trick === 'refused') return { kind: 'refused', code: 'provider_balance', message: 'no funds', raw: null };
    if (trick === 'never_arrived') return { kind: 'unknown', cause: 'no answer' };
    if (this.orders.has(clientId)) throw new Error('a second order under one id');
    const bought = trick === 'part' ? exact(amount) / 3n : exact(amount);
    this.orders.set(clientId, {
      ...{ isOpen: false, venueOrderId: `oid-${clientId}` },
      ...{ bought: exactText(bought), spent: exactText((bought * 538n) / 100n), fee: exactText(bought / 1_000n) },
    });
    this.#placedAtMs.set(clientId, this.#now());
    if (trick === 'dies_after') throw new Error('the process dies');
    if (trick === 'refused_and_made')
      return { kind: 'refused', code: 'provider_restricted', message: 'closed', raw: null };
    if (trick === 'not_sent_and_made') return { kind: 'not_sent', reason: 'throttled', cause: 'too many calls' };
    if (trick === 'lost_answer') return { kind: 'unknown', cause: 'no answer' };
    return { kind: 'placed', venueOrderId: `oid-${clientId}` };
  }

  async getOrder({ clientId }: { readonly clientId: string }): Promise<OrderState> {
    if (!this.canLookUp) return { status: 'UNAVAILABLE', cause: 'no answer' };
    const isShown = this.#now() >= (this.#placedAtMs.get(clientId) ?? 0) + this.shownAfterMs;
    const value = isShown ? this.orders.get(clientId) : undefined;
    return value ? { status: 'FOUND', value } : { status: 'NOT_FOUND' };
  }

  /** What it says of its market. */
  quoted: Market = { amountMin: '0.1', valueMin: '1', ask: '5.38', tickSize: '0.01', takerFee: '0.001' };

  async market(_currency?: Currency) {
    return { ok: true, market: this.quoted } as const;
  }

  /** On top of what its orders have bought and spent. */
  held = { BRL: exact('1000000'), USDT: 0n };

  async balances() {
    let { BRL: brl, USDT: usdt } = this.held;
    for (const { spent, bought, fee } of this.orders.values()) {
      brl -= exact(spent);
      usdt += exact(bought) - exact(fee);
    }
    const balances = [
      { currency: 'BRL', total: exactText(brl) },
      { currency: 'USDT', total: exactText(usdt) },
    ] as const;
    return { ok: true, balances } as const;
  }

  async [Symbol.asyncDispose]() {}
}
