import type { LedgerEntryType } from '@gateway/contracts/ledger';
import { ZoneClock } from '@gateway/public-api';
import type { StatementFormat, StatementTotals, WrittenHeader, WrittenMovement } from '#src/write/format.ts';

/** Of a program for tests and of those that have no number of their own (FEBRABAN). */
const bankCode = '999';
const batch = `${bankCode}0001`;
const lineCharacters = 240;
/** The running number of a movement has five digits. */
const rowsMax = 99_999;

/** Category (positions 170–172) by direction, and our history code (173–176). */
const categories: Readonly<Record<LedgerEntryType, { readonly debit: string; readonly credit: string; code: string }>> =
  {
    DEPOSIT_NET: { debit: '120', credit: '209', code: '0001' },
    PAYOUT: { debit: '120', credit: '209', code: '0002' },
    PAYOUT_FEE: { debit: '105', credit: '204', code: '0003' },
    DEPOSIT_REFUND: { debit: '120', credit: '204', code: '0004' },
    MED_BLOCK: { debit: '106', credit: '206', code: '0005' },
    MED_RELEASE: { debit: '106', credit: '206', code: '0006' },
    PAYOUT_REVERSAL: { debit: '103', credit: '204', code: '0007' },
    PAYOUT_FEE_REVERSAL: { debit: '103', credit: '204', code: '0008' },
    PAYOUT_RETURN: { debit: '120', credit: '209', code: '0009' },
    CONVERSION: { debit: '108', credit: '208', code: '0010' },
    ADJUSTMENT: { debit: '104', credit: '205', code: '0011' },
  };

/** FEBRABAN's statement for reconciliation: service 04, form 40, segment E, one batch, amounts in centavos. */
export const cnab240: StatementFormat = {
  mediaType: 'text/plain; charset=us-ascii',
  extension: 'ret',
  rowsMax,
  begin: (header) => fileHeader(header) + batchHeader(header),
  movements: (header, page, before) => {
    const clock = new ZoneClock(header.period.zone);
    return page.map((movement, place) => segmentE(header, movement, before.rows + place + 1, clock)).join('');
  },
  end: (header, totals) => batchTrailer(header, totals) + fileTrailer(totals),
};

function fileHeader(header: WrittenHeader): string {
  const local = new ZoneClock(header.period.zone).isoTime(header.createdAtMs);
  const time = local.slice(11, 19).replaceAll(':', '');
  return line([
    `${bankCode}00000${blanks(9)}`,
    holder(header),
    text('GATEWAY', 30),
    blanks(10),
    `2${dayOf(local)}${time}`,
    digits(header.number, 6),
    '050',
    digits(0, 5),
    blanks(69),
  ]);
}

function batchHeader(header: WrittenHeader): string {
  const { period, opening } = header;
  const day = dayOf(new ZoneClock(period.zone).dateOf(period.fromMs));
  return line([
    `${batch}1E0440033 `,
    holder(header),
    blanks(40),
    day,
    balance(opening),
    'BRL',
    digits(1, 5),
    blanks(62),
  ]);
}

function segmentE(header: WrittenHeader, movement: WrittenMovement, place: number, clock: ZoneClock): string {
  const { type, net, recordId, e2eId, bookedAtMs } = movement;
  const day = dayOf(clock.dateOf(bookedAtMs));
  const { debit, credit, code } = categories[type];
  return line([
    `${batch}3${digits(place, 5)}E   `,
    holder(header),
    blanks(6),
    'DPV00',
    text((recordId ?? '').slice(-20), 20),
    `N${day}${day}`,
    digits(Math.abs(net), 18),
    net < 0 ? `D${debit}` : `C${credit}`,
    code,
    text(type, 25),
    text(e2eId ?? '', 39),
  ]);
}

function batchTrailer(header: WrittenHeader, { rows, debits, credits }: StatementTotals): string {
  const { period, closing } = header;
  const day = dayOf(new ZoneClock(period.zone).dateOf(period.toMs - 1));
  return line([
    `${batch}5${blanks(9)}`,
    holder(header).slice(0, -30),
    blanks(16),
    digits(0, 54),
    day,
    balance(closing),
    digits(rows + 2, 6),
    digits(debits, 18),
    digits(credits, 18),
    blanks(28),
  ]);
}

function fileTrailer({ rows }: StatementTotals): string {
  return line([`${bankCode}99999${blanks(9)}`, digits(1, 6), digits(rows + 4, 6), digits(1, 6), blanks(205)]);
}

/** Positions 18–102 of most lines: document, agreement, branch and account, name. */
function holder({ account }: WrittenHeader): string {
  const document = account.document ?? '';
  const kind = document.length === 11 ? '1' : document.length === 14 ? '2' : '9';
  const number = `${digits(0, 5)} ${accountNumber(account.id)}  `;
  return `${kind}${document.padStart(14, '0')}${blanks(20)}${number}${text(account.name ?? '', 30)}`;
}

/** Twelve digits of the last forty bits of the id, which are random. */
function accountNumber(accountId: string): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const number = Array.from(accountId.slice(-8)).reduce((sum, character) => sum * 32 + alphabet.indexOf(character), 0);
  return digits(number % 1e12, 12);
}

/** The amount, its direction, and that the day is over. */
function balance(amount: number): string {
  return `${digits(Math.abs(amount), 18)}${amount < 0 ? 'D' : 'C'}F`;
}

/** `2026-11-20` as `20112026`. */
function dayOf(isoDate: string): string {
  return `${isoDate.slice(8, 10)}${isoDate.slice(5, 7)}${isoDate.slice(0, 4)}`;
}

/** @throws RangeError where a number does not fit: nothing may be cut off an amount */
function digits(value: number, characters: number): string {
  const written = String(value).padStart(characters, '0');
  if (!Number.isSafeInteger(value) || value < 0 || written.length > characters) {
    throw new RangeError(`${value} does not fit into ${characters} digits`);
  }
  return written;
}

/** Without accents; whatever is no character of ASCII then is a question mark, so that characters are bytes. */
function text(value: string, characters: number): string {
  const plain = value.normalize('NFD').replace(/\p{M}/gu, '');
  const ascii = Array.from(plain, (character) => (/[ -~]/.test(character) ? character : '?')).join('');
  return ascii.slice(0, characters).padEnd(characters);
}

function blanks(characters: number): string {
  return ' '.repeat(characters);
}

function line(fields: readonly string[]): string {
  const written = fields.join('');
  if (written.length !== lineCharacters) throw new RangeError(`a line of ${written.length} characters`);
  return `${written}\r\n`;
}
