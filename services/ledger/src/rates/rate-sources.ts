import type { Logger } from '@gateway/service-kit';
import type { Config } from '#src/config.ts';
import { HttpRates } from '#src/rates/http-rates.ts';
import { fixedRates, noRates, type RateSource, type RateSources } from '#src/rates/rate-source.ts';

interface Surroundings {
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Test mode never asks anybody; live asks whom the configuration names. */
export function rateSourcesOf(config: Config, surroundings: Surroundings): RateSources {
  return { test: fixedRates, live: liveRates(config, surroundings) };
}

function liveRates(config: Config, surroundings: Surroundings): RateSource {
  const {
    RATE_SOURCE: url,
    RATE_MAX_AGE_SEC: maxAgeSec,
    RATE_SPREAD_BPS: spreadBps,
    RATE_STEP_MAX_BPS: stepMaxBps,
  } = config;
  if (url === undefined) return noRates;
  if (url === 'fixed') return fixedRates;
  return new HttpRates({ url, maxAgeMs: maxAgeSec * 1_000, spreadBps, stepMaxBps, ...surroundings });
}
