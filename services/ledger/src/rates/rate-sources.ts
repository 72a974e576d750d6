import type { Logger } from '@gateway/runtime';
import type { Config } from '#src/config.ts';
import { HttpRates } from '#src/rates/http-rates.ts';
import {
  fixedRates,
  noRates,
  switchedOff,
  whileOn,
  type RateSource,
  type RateSources,
} from '#src/rates/rate-source.ts';

interface RateDependencies {
  /** Whether operators have switched live conversions on. */
  readonly isSwitchedOn: () => Promise<boolean>;
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Test mode has fixed rates; live has the source of the configuration, where that allows it and while operators have it on. */
export function rateSourcesOf(config: Config, dependencies: RateDependencies): RateSources {
  const { isSwitchedOn, ...rest } = dependencies;
  const live = isLiveAllowed(config) ? whileOn(liveRates(config, rest), isSwitchedOn) : switchedOff;
  return { test: fixedRates, live };
}

export function isLiveAllowed(config: Pick<Config, 'LIVE_CONVERSIONS'>): boolean {
  return config.LIVE_CONVERSIONS === 'on';
}

function liveRates(config: Config, dependencies: Omit<RateDependencies, 'isSwitchedOn'>): RateSource {
  const {
    RATE_SOURCE: url,
    RATE_MAX_AGE_SEC: maxAgeSec,
    RATE_SPREAD_BPS: spreadBps,
    RATE_STEP_MAX_BPS: stepMaxBps,
  } = config;
  if (url === undefined) return noRates;
  if (url === 'fixed') return fixedRates;
  return new HttpRates({ url, maxAgeMs: maxAgeSec * 1_000, spreadBps, stepMaxBps, ...dependencies });
}
