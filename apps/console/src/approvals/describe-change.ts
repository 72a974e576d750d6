import type { Approval } from '#src/generated/types.gen.ts';
import { exponents, formatMoney } from '#src/money/format-money.ts';
import { formatTime } from '#src/texts/time.ts';

/** One member of a change, as it was and as it will be. */
export interface Difference {
  /** The names that lead to it, the outermost first. */
  readonly path: readonly string[];
  /** Of its amount, if it is one. */
  readonly currency: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What members and their values are called. */
interface Words {
  readonly language: string;
  readonly members: Readonly<Record<string, string>>;
  readonly memberValues: Readonly<Record<string, string>>;
}

type Members = Readonly<Record<string, unknown>>;

/** Members whose values are words of the product; those of others are what a person typed, and stay as they are. */
const worded: ReadonlySet<string> = new Set(['environment', 'live', 'outcome', 'realm']);
const usualCurrency = 'BRL';
const bpsOfAll = 10_000;

/** Every member of the request, with what it was before: nothing of what is carried out is left out of what is shown. */
export function differencesOf({ request, before }: Pick<Approval, 'request' | 'before'>): Difference[] {
  return differencesIn(request, before ?? {}, [], usualCurrency);
}

function differencesIn(after: Members, before: Members, above: readonly string[], known: string): Difference[] {
  const given = after['currency'] ?? before['currency'];
  const currency = typeof given === 'string' ? given : known;
  return Object.entries(after).flatMap(([name, value]): Difference[] => {
    const path = [...above, name];
    const was = before[name];
    if (!isMembers(value)) return [{ path, currency, before: was, after: value }];
    return differencesIn(value, isMembers(was) ? was : {}, path, isCurrency(name) ? name : currency);
  });
}

/** Without what stands beside the change already: what it is about, of which account and environment. */
export function differencesBeside(approval: Approval): Difference[] {
  const { target, account_id: accountId, environment } = approval;
  const beside: Members = { account_id: accountId, accountId, environment };
  return differencesOf(approval).filter(({ path, after }) => {
    const [name, ...below] = path;
    return after !== target && (name === undefined || below.length > 0 || beside[name] !== after);
  });
}

/** What the member of a change is called. */
export function nameOf({ path }: Pick<Difference, 'path'>, { members }: Words): string {
  return path.map((name) => members[name] ?? name.replaceAll('_', ' ')).join(' · ');
}

/** A value as it is read; nothing where there is none. */
export function writtenValue(
  value: unknown,
  { path, currency }: Pick<Difference, 'path' | 'currency'>,
  { language, memberValues }: Words,
): string | undefined {
  const name = path.at(-1) ?? '';
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return memberValues[String(value)] ?? String(value);
  if (typeof value === 'string' && moment.test(value)) return formatTime(new Date(value), language);
  if (typeof value === 'string') return (worded.has(name) ? memberValues[value] : undefined) ?? value;
  if (typeof value === 'number') return writtenNumber(value, name, currency, language);
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(', ');
  return JSON.stringify(value);
}

/** A time as requests have it. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z$/;

/** What a covering at an exchange buys: for the currency of its deposits USDT are owed. */
const owedMember = 'owed';

function writtenNumber(value: number, name: string, currency: string, language: string): string {
  if (name.endsWith('_cents') && isCurrency(currency)) return formatMoney(value, currency, language);
  if (name === owedMember) return formatMoney(value, 'USDT', language);
  if (name === 'bps') {
    const digits = { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
    return new Intl.NumberFormat(language, digits).format(value / bpsOfAll);
  }
  return new Intl.NumberFormat(language).format(value);
}

function isCurrency(text: string): boolean {
  return Object.hasOwn(exponents, text);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
