import type { Logger } from '@gateway/runtime';
import type { Config } from '#src/config.ts';
import { HttpRates } from '#src/rates/http-rates.ts';
import { fixedRates, noRates, switchedOff, type RateSource, type RateSources } from '#src/rates/rate-source.ts';

interface RateDependencies {
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Test mode has fixed rates; live has the source of the configuration. */
export function rateSourcesOf(config: Config, dependencies: RateDependencies): RateSources {
  return { test: fixedRates, live: liveRates(config, dependencies) };
}

function liveRates(config: Config, dependencies: RateDependencies): RateSource {
  const {
    RATE_SOURCE: url,
    RATE_MAX_AGE_SEC: maxAgeSec,
    RATE_SPREAD_BPS: spreadBps,
    RATE_STEP_MAX_BPS: stepMaxBps,
  } = config;
  if (config.LIVE_CONVERSIONS !== 'on') return switchedOff;
  if (url === undefined) return noRates;
  if (url === 'fixed') return fixedRates;
  return new HttpRates({ url, maxAgeMs: maxAgeSec * 1_000, spreadBps, stepMaxBps, ...dependencies });
}
