import { DomainError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import { readRate, type Pair, type Rate } from '#src/rates/rate.ts';

/** Where rates come from. One behaviour for all: a rate that may be used now, or none. */
export interface RateSource {
  /**
   * The caller's rate, our share included.
   * @throws RateUnavailableError when there is none, or none that is fresh
   */
  rateOf(pair: Pair): Promise<Rate>;
}

/** Each environment has its own source (design.md 4). Live without one converts nothing. */
export type RateSources = Readonly<Record<Environment, RateSource>>;

const retryAfterSec = 5;

/** There is no current rate, so nothing is converted (api.md 1). */
export class RateUnavailableError extends DomainError {
  constructor(cause?: unknown) {
    super('SERVICE_UNAVAILABLE', 'no rate is available at the moment', { retryAfterSec, cause });
  }
}

/** Rates that never change, for test mode and a developer's machine. */
export const fixedRates: RateSource = {
  rateOf: async ({ from, to }) => {
    const rate = to === 'USDT' ? fixedTable[from] : undefined;
    if (rate === undefined) throw new RateUnavailableError();
    return readRate(rate);
  },
};

const fixedTable: Readonly<Partial<Record<Pair['from'], string>>> = { BRL: '5.40000000', MXN: '18.50000000' };

/** For an environment whose operators have not switched conversions on. That is no passing failure: nothing is to be repeated. */
export const switchedOff: RateSource = {
  rateOf: async ({ from, to }) => {
    throw new DomainError(
      'CURRENCY_NOT_SUPPORTED',
      `conversions are not enabled in live mode: ${from} is not changed into ${to}`,
    );
  },
};

/** The rates of a source while a switch is on, which is asked each time; when it cannot be read, there is no rate either. */
export function whileOn(source: RateSource, isOn: () => Promise<boolean>): RateSource {
  return { rateOf: async (pair) => await ((await isOn()) ? source : switchedOff).rateOf(pair) };
}

/** For an environment without a source. */
export const noRates: RateSource = {
  rateOf: async () => {
    throw new RateUnavailableError();
  },
};
