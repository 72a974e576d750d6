import { UsageError } from '../faults/errors.ts';

type Row = Readonly<Record<string, unknown>>;

/** Every currency of the gateway has two decimals. */
const centsPerUnit = 100;
const fractionDigits = 2;
const symbols: Readonly<Record<string, string>> = { BRL: 'R$', MXN: 'MX$', USDT: 'USDT' };

/** Members that are amounts of contract 1.0; those of 0.1 end in `_cents`. */
const amountNames: ReadonlySet<string> = new Set([
  ...['amount', 'fee', 'net', 'refunded', 'amount_received', 'from_amount', 'to_amount', 'available', 'pending'],
  ...['blocked', 'total', 'balance_after', 'returned'],
]);

/** `R$ 100,50`: for tables alone; JSON has integers. */
export function money(minorUnits: number, currency: string): string {
  const absolute = Math.abs(minorUnits);
  const [units, cents] = [Math.trunc(absolute / centsPerUnit), absolute % centsPerUnit];
  const grouped = String(units).replaceAll(/\B(?=(?:\d{3})+$)/g, '.');
  const sign = minorUnits < 0 ? '-' : '';
  return `${sign}${symbols[currency] ?? currency} ${grouped},${String(cents).padStart(fractionDigits, '0')}`;
}

/** A record with its amounts as people write them and its times by the clock of the person. */
export function amountsShown(record: Row, currency = 'BRL'): Row {
  const own = typeof record['currency'] === 'string' ? record['currency'] : currency;
  return Object.fromEntries(
    Object.entries(record).map(([name, value]): [string, unknown] => {
      return [name.replace(/_cents$/, ''), shown(name, value, own, record)];
    }),
  );
}

function shown(name: string, value: unknown, currency: string, record: Row): unknown {
  if (typeof value === 'number') {
    if (name.endsWith('_at')) return localTime(value);
    if (name.endsWith('_cents')) return money(value, currency);
    return amountNames.has(name) ? money(value, currencyOf(name, currency, record)) : value;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // A balance has its amounts by currency.
  const named = name.toUpperCase();
  return amountsShown(value as Row, named in symbols ? named : currency);
}

/** Of a conversion each amount has a currency of its own. */
function currencyOf(name: string, currency: string, record: Row): string {
  const named = { from_amount: record['from'], to_amount: record['to'] }[name];
  return typeof named === 'string' ? named : currency;
}

function localTime(seconds: number): string {
  const at = new Date(seconds * 1_000);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/**
 * Minor units of what a person types: `100.50`, `100,50` or `100`.
 *
 * @throws UsageError for anything else, thousands separators among it: 1.000 would be a thousand or one
 */
export function minorUnitsOf(text: string): number {
  const parts = /^(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (parts === null) throw new UsageError(`${JSON.stringify(text)} is not an amount such as 100.50`);
  const [, units = '0', cents = ''] = parts;
  return Number(units) * centsPerUnit + Number(cents.padEnd(fractionDigits, '0'));
}
