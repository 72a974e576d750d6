import { exponents, formatMoney } from '#src/money/format-money.ts';
import { formatTime } from '#src/texts/time.ts';

const currencies = Object.keys(exponents).join('|');
const currencyNamed = new RegExp(`(?<![A-Z])(${currencies})(?![A-Z])`, 'g');
/** What a finding says before an amount, and behind one. */
const amounts = new RegExp(
  [
    `(?<![\\w-])-?\\d+ (?:${currencies})(?![A-Z])`,
    '(?<=\\b(?:balance|postings|available|entries|holds|up to) )-?\\d+',
    '-?\\d+(?= (?:is booked|is owed|is remembered|follows|by conversions|more than|less than))',
  ].join('|'),
  'g',
);

/**
 * A finding as people read it: its amounts, which the ledger writes in the smallest unit, as money, and its times with their
 * zone. One that names no currency, or several, stays as it is.
 */
export function writtenFinding(text: string, language: string): string {
  const timed = text.replaceAll(/(?<=\bsince )\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => formatTime(new Date(at), language));
  const [currency, ...others] = new Set([...text.matchAll(currencyNamed)].map(([, named = '']) => named));
  if (currency === undefined || others.length > 0) return timed;
  return timed.replaceAll(amounts, (amount) => {
    const minorUnits = Number.parseInt(amount, 10);
    return Number.isSafeInteger(minorUnits) ? formatMoney(minorUnits, currency, language) : amount;
  });
}
