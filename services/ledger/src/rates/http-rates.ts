import { z } from 'zod';
import type { Logger } from '@gateway/runtime';
import { RateUnavailableError, type RateSource } from '#src/rates/rate-source.ts';
import { rateText, readRate, withSpread, type Pair, type Rate } from '#src/rates/rate.ts';

export interface HttpRatesOptions {
  /** A ticker in the form of Bitso's `GET /v3/ticker`; asked with `?book=usdt_brl`. */
  readonly url: string;
  /** A rate older than this is not used. */
  readonly maxAgeMs: number;
  /** Our share, in basis points of the market's rate. */
  readonly spreadBps: number;
  /** A rate that differs by more from the last one accepted is not accepted at first, in basis points. */
  readonly stepMaxBps: number;
  readonly now: () => number;
  readonly logger: Logger;
}

const timeoutMs = 2_000;
/** A rate of this age is used again: many quotes make one call. */
const reuseMs = 1_000;
/** How long a rate is compared with the last one. A market that has really moved so far is followed after this time. */
const stepWindowMs = 900_000;
const bpsScale = 10_000n;

const tickerSchema = z.object({
  success: z.literal(true),
  payload: z.object({
    book: z.string(),
    /** What the market asks for one unit. */
    ask: z.string(),
    created_at: z.iso.datetime({ offset: true }),
  }),
});

interface MarketRate {
  readonly rate: Rate;
  /** When the source says that it was so, Unix milliseconds; never later than when it was asked. */
  readonly atMs: number;
}

/** The market's rate by HTTP. A known rate is used while it is fresh, even when the source fails. */
export class HttpRates implements RateSource {
  readonly #options: HttpRatesOptions;
  readonly #known = new Map<string, MarketRate & { readonly askedAtMs: number }>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(options: HttpRatesOptions) {
    this.#options = options;
  }

  async rateOf(pair: Pair): Promise<Rate> {
    const { now, maxAgeMs, spreadBps, logger } = this.#options;
    const book = `${pair.to}_${pair.from}`.toLowerCase();
    const known = this.#known.get(book);
    let cause: unknown;
    if (!known || now() - known.askedAtMs >= reuseMs) {
      await this.#refresh(book).catch((error: unknown) => {
        cause = error;
        logger.warn({ err: error, book }, 'the rate source does not answer');
      });
    }
    const latest = this.#known.get(book);
    if (!latest || now() - latest.atMs > maxAgeMs) throw new RateUnavailableError(cause);
    return withSpread(latest.rate, spreadBps);
  }

  /** Callers that ask during the call wait for the same answer. */
  async #refresh(book: string): Promise<void> {
    const asking = this.#asking.get(book) ?? this.#ask(book).finally(() => this.#asking.delete(book));
    this.#asking.set(book, asking);
    await asking;
  }

  async #ask(book: string): Promise<void> {
    const askedAtMs = this.#options.now();
    const url = new URL(this.#options.url);
    url.searchParams.set('book', book);
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    if (!response.ok) throw new Error(`the rate source answered ${response.status}`);
    const { payload } = tickerSchema.parse(await response.json());
    if (payload.book !== book) throw new Error(`asked for ${book}, the rate source answered ${payload.book}`);
    const atMs = Math.min(Date.parse(payload.created_at), askedAtMs);
    const rate = readRate(payload.ask);
    this.#requireNear(book, rate, askedAtMs);
    this.#known.set(book, { rate, atMs, askedAtMs });
  }

  /** A misplaced decimal point must not cost a merchant money: nothing is converted until the rate is confirmed. */
  #requireNear(book: string, rate: Rate, nowMs: number): void {
    const last = this.#known.get(book);
    if (!last || nowMs - last.askedAtMs > stepWindowMs) return;
    const step = rate > last.rate ? rate - last.rate : last.rate - rate;
    if (step * bpsScale <= last.rate * BigInt(this.#options.stepMaxBps)) return;
    throw new Error(`${book} went from ${rateText(last.rate)} to ${rateText(rate)} at once`);
  }
}
