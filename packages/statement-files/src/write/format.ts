import type { LedgerEntryType } from '@gateway/contracts/ledger';
import { currencies, decimalText, type Currency } from '@gateway/money';
import type { StatementHeader, StatementMovement } from '#src/statement.ts';

/** A movement of a merchant's statement. */
export type WrittenMovement = StatementMovement<LedgerEntryType>;
/** Ours always has both balances: several formats have them in front of the movements. */
export type WrittenHeader = StatementHeader<number>;

/** What was written of a statement so far: it takes the place of the movements, so that no writer keeps them. */
export interface StatementTotals {
  readonly rows: number;
  /** Sums of the credits and of the debits, in minor units, neither of them negative. */
  readonly credits: number;
  readonly debits: number;
}

export const noTotals: StatementTotals = { rows: 0, credits: 0, debits: 0 };

/**
 * A file format, written in pieces of any size: the beginning, pages of movements, the end. A piece depends on what it is
 * given alone, so that a file can be continued by another process at the page where one was interrupted.
 */
export interface StatementFormat {
  readonly mediaType: string;
  /** Of the file's name, behind the point. */
  readonly extension: string;
  /** Null where there is no limit. */
  readonly rowsMax: number | null;
  readonly begin: (header: WrittenHeader) => string;
  readonly movements: (header: WrittenHeader, page: readonly WrittenMovement[], before: StatementTotals) => string;
  readonly end: (header: WrittenHeader, totals: StatementTotals) => string;
}

export function totalsAfter(before: StatementTotals, page: readonly StatementMovement[]): StatementTotals {
  let { rows, credits, debits } = before;
  for (const { net } of page) {
    rows += 1;
    if (net > 0) credits += net;
    else debits -= net;
  }
  if (!Number.isSafeInteger(credits) || !Number.isSafeInteger(debits)) {
    throw new RangeError('the sums of a statement are larger than an exact number can be');
  }
  return { rows, credits, debits };
}

/** `-50.00` */
export function signedDecimal(minorUnits: number, currency: Currency): string {
  return `${minorUnits < 0 ? '-' : ''}${unsignedDecimal(minorUnits, currency)}`;
}

/** Of an amount whose direction stands elsewhere. */
export function unsignedDecimal(minorUnits: number, currency: Currency): string {
  return decimalText(Math.abs(minorUnits), currencies[currency]);
}

/** OFX and ISO 20022 take codes of three letters; USDT has none, and is written as the code for no currency. */
export function currencyCode(currency: Currency): string {
  return currency.length === 3 ? currency : 'XXX';
}

/** The first characters of a text, never half of one. */
export function firstCharacters(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : Array.from(text).slice(0, charactersMax).join('');
}

/** What XML 1.0 has no way to write. */
const notXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** Text of an element, in XML as in the SGML of OFX. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(notXml, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
