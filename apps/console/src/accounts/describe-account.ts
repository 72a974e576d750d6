import type { Account, Currency, Fee, Key } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';
import { formatMoney } from '#src/money/format-money.ts';

const hundredth = 2;
const bpsOfAll = 10_000;

/** `R$ 0,50 + 0,99%`: what is kept of a payment. */
export function feeText({ fixed_cents: fixed, bps }: Fee, currency: Currency, language: string): string {
  const digits = { minimumFractionDigits: hundredth, maximumFractionDigits: hundredth };
  const percent = new Intl.NumberFormat(language, { style: 'percent', ...digits }).format(bps / bpsOfAll);
  return `${formatMoney(fixed, currency, language)} + ${percent}`;
}

/** `1 day`, `14 days`. */
export function daysText(days: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days);
}

/** A limit as people read it; null is none. */
export function limitText(cents: number | null, currency: Currency, language: string, none: string): string {
  return cents === null ? none : formatMoney(cents, currency, language);
}

/**
 * Hundredths of a percent as they are typed: `0,99` is 99.
 *
 * @returns undefined for what is no percentage with at most two decimals, from 0 to 100
 */
export function typedBps(text: string): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const bps = Number(whole) * 100 + Number(decimals.padEnd(hundredth, '0'));
  return bps <= bpsOfAll ? bps : undefined;
}

/** Whether a key opens anything. */
export function stateOf({ revoked_at, environment, claimed_at }: Key): 'active' | 'revoked' | 'unclaimed' {
  if (revoked_at !== null) return 'revoked';
  return environment === 'live' && claimed_at === null ? 'unclaimed' : 'active';
}

export const keyToneOf: Readonly<Record<ReturnType<typeof stateOf>, Tone>> = {
  active: 'good',
  unclaimed: 'wait',
  revoked: 'neutral',
};

type Settings = Pick<Account, 'name' | 'document' | 'retention_days' | 'rate_limit'>;

/** What of the settings is not as it is. The document of a person is read masked: left as it is shown, it stays. */
export function changedSettings(now: Settings, wanted: Settings): Partial<Settings> {
  return {
    ...(wanted.name === now.name ? {} : { name: wanted.name }),
    ...(wanted.document === now.document ? {} : { document: wanted.document }),
    ...(wanted.retention_days === now.retention_days ? {} : { retention_days: wanted.retention_days }),
    ...(wanted.rate_limit.per_second === now.rate_limit.per_second && wanted.rate_limit.burst === now.rate_limit.burst
      ? {}
      : { rate_limit: wanted.rate_limit }),
  };
}
