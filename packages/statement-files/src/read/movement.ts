import type { Currency } from '@gateway/money';
import type { StatementMovement } from '#src/statement.ts';

/** A movement as a file has it. `entryId` is the bank's own number of the document, and empty where the file has none. */
export interface ReadMovement extends StatementMovement {
  /** The line of the file in which it begins, from 1. */
  readonly line: number;
  /** The local day on which it was booked, `2026-11-20`. */
  readonly day: string;
  readonly valueDay: string | null;
  /** The bank's words for it. */
  readonly text: string;
  /** As it stands in the file, or the fields that were read of it. */
  readonly raw: string;
}

/** What a file says about all of its movements. */
export interface ReadSummary {
  /** The number of the account at the bank; null where the file has none. */
  readonly account: string | null;
  readonly currency: Currency;
  /** The first and the last local day; null in a file without movements that names no period. */
  readonly fromDay: string | null;
  readonly toDay: string | null;
  /** In minor units; null where the file has none. */
  readonly opening: number | null;
  readonly closing: number | null;
  readonly movements: number;
  /** Lines that move nothing and are left out. */
  readonly withoutAmount: number;
}

export interface ReadSettings {
  /** IANA name; of the times in the file that have no offset, and of its days. */
  readonly zone: string;
  readonly currency: Currency;
}

/** Why a file was refused, whole: the place in it, and what is wrong there. */
export class UnreadableStatement extends Error {
  override readonly name = 'UnreadableStatement';
  readonly line: number;
  readonly field: string;
  readonly reason: string;

  constructor(line: number, field: string, reason: string) {
    super(`line ${line}, ${field}: ${reason}`);
    this.line = line;
    this.field = field;
    this.reason = reason;
  }
}

/** More than any bank writes into one field; what is longer is no statement. */
const fieldCharactersMax = 4_096;

/** @throws UnreadableStatement for text that PostgreSQL or JSON could not take, or that no bank writes */
export function readText(text: string, line: number, field: string): string {
  if (text.length > fieldCharactersMax) {
    throw new UnreadableStatement(line, field, `has more than ${fieldCharactersMax} characters`);
  }
  if (text.includes('\0')) throw new UnreadableStatement(line, field, 'holds a NUL character');
  if (!text.isWellFormed()) throw new UnreadableStatement(line, field, 'holds half of a surrogate pair');
  return text.trim();
}

/** The number of a transfer in Pix, or of its return, anywhere in a text. */
const pixTransfer = /\b[ED]\d{20}[A-Za-z0-9]{11}\b/;

/** The first of the texts that is or holds the number of a Pix transfer. */
export function pixTransferIn(...texts: readonly (string | null | undefined)[]): string | null {
  for (const text of texts) {
    const [found] = pixTransfer.exec(text ?? '') ?? [];
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * What names one transfer among all: with a digit that is not 0, and neither as short nor as long as no bank writes it. Many
 * banks have the same word or zeros in this field of every line.
 */
const transferReference = /^(?=.*[1-9])[A-Za-z0-9][\w./-]{5,63}$/;

/** The text, where it can be the number of a transfer in any rail. */
export function transferReferenceIn(text: string | null | undefined): string | null {
  return transferReference.test(text ?? '') ? (text ?? null) : null;
}

/** More than a bank books in a day on one account; what has more belongs in parts. */
const movementsMax = 500_000;
const amountMax = BigInt(Number.MAX_SAFE_INTEGER);

/** Adds up what a file moves and holds it against its own balances. */
export class Totals {
  credits = 0n;
  debits = 0n;
  movements = 0;
  withoutAmount = 0;
  #fromDay: string | null = null;
  #toDay: string | null = null;

  add({ net, day, line }: Pick<ReadMovement, 'net' | 'day' | 'line'>): void {
    if (this.movements >= movementsMax) {
      throw new UnreadableStatement(line, 'file', `has more than ${movementsMax} movements`);
    }
    if (net > 0) this.credits += BigInt(net);
    else this.debits -= BigInt(net);
    // Sums of days are kept in 64 bits and computed with as numbers.
    if (this.credits > amountMax || this.debits > amountMax) {
      throw new UnreadableStatement(line, 'amount', 'makes the file move more than 2^53 minor units');
    }
    this.movements += 1;
    if (this.#fromDay === null || day < this.#fromDay) this.#fromDay = day;
    if (this.#toDay === null || day > this.#toDay) this.#toDay = day;
  }

  /** The days of the movements, or those that the file names. */
  days(fromDay: string | null = null, toDay: string | null = null): Pick<ReadSummary, 'fromDay' | 'toDay'> {
    return {
      fromDay: least(fromDay, this.#fromDay),
      toDay: least(toDay, this.#toDay, -1),
    };
  }

  /** @throws UnreadableStatement unless opening and movements are the closing balance */
  requireClosing(opening: number | null, closing: number | null, line: number, field: string): void {
    if (opening === null || closing === null) return;
    const expected = BigInt(opening) + this.credits - this.debits;
    if (expected === BigInt(closing)) return;
    throw new UnreadableStatement(line, field, `is ${closing}, but opening and movements are ${expected}`);
  }
}

function least(one: string | null, other: string | null, sign = 1): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other === sign > 0 ? one : other;
}
