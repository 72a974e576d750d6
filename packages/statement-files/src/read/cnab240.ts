import { LocalDays, type Place, requireCurrency, safeAmount, type When } from '#src/read/fields.ts';
import {
  pixTransferIn,
  type ReadMovement,
  type ReadSettings,
  type ReadSummary,
  Totals,
  UnreadableStatement,
} from '#src/read/movement.ts';
import { linesOf } from '#src/read/text.ts';

/**
 * CNAB 240 of FEBRABAN, the statement for reconciliation: service 04, form 40, segment E. Banks differ in what they leave
 * blank and in where within 202-240 they put the number of the document; the sums of the trailers hold for all of them.
 */
export async function* readCnab240(
  texts: AsyncIterable<string>,
  settings: ReadSettings,
): AsyncGenerator<readonly ReadMovement[], ReadSummary> {
  const file = new CnabFile(settings);
  for await (const lines of linesOf(texts, recordCharacters)) {
    const movements = lines.flatMap((line) => file.read(line) ?? []);
    if (movements.length > 0) yield movements;
  }
  return file.summary();
}

const recordCharacters = 240;

/** First and last position, from 1, as the manual counts. */
type Positions = readonly [first: number, last: number];

const fileTrailer = { batches: [18, 23], records: [24, 29] } as const satisfies Record<string, Positions>;
const batchHeader = {
  operation: [9, 9],
  service: [10, 11],
  form: [12, 13],
  branch: [53, 57],
  account: [59, 70],
  accountDigit: [71, 71],
  day: [143, 150],
  opening: [151, 168],
  openingSign: [169, 169],
  currency: [171, 173],
} as const satisfies Record<string, Positions>;
const segmentE = {
  segment: [14, 14],
  complement: [114, 133],
  valueDay: [135, 142],
  day: [143, 150],
  amount: [151, 168],
  sign: [169, 169],
  category: [170, 172],
  code: [173, 176],
  text: [177, 201],
  document: [202, 240],
} as const satisfies Record<string, Positions>;
const batchTrailer = {
  day: [143, 150],
  closing: [151, 168],
  closingSign: [169, 169],
  records: [171, 176],
  debits: [177, 194],
  credits: [195, 212],
} as const satisfies Record<string, Positions>;

/** One record, by its positions. */
class CnabRecord {
  readonly line: number;
  readonly text: string;

  constructor(text: string, line: number) {
    this.text = text;
    this.line = line;
  }

  get([first, last]: Positions): string {
    return this.text.slice(first - 1, last);
  }

  place([first, last]: Positions, name: string): Place {
    return { line: this.line, field: `${name} (${first}-${last})` };
  }

  /** @throws UnreadableStatement for anything but digits; blanks are the number 0 where `blank` is permitted */
  digits(positions: Positions, name: string, blank = false): string {
    const digits = this.get(positions);
    if (/^\d+$/.test(digits)) return digits;
    if (blank && digits.trim() === '') return '0';
    const { line, field } = this.place(positions, name);
    throw new UnreadableStatement(line, field, 'has something else than digits');
  }

  amount(positions: Positions, name: string, sign: string): number {
    const place = this.place(positions, name);
    const amount = safeAmount(this.digits(positions, name), place);
    if (sign === 'C') return amount;
    if (sign === 'D') return amount === 0 ? 0 : -amount;
    if (sign.trim() === '' && amount === 0) return 0;
    throw new UnreadableStatement(this.line, `sign of ${place.field}`, 'is neither C nor D');
  }
}

/** The order of records: 0, then batches of 1, 3 … and 5, then 9. */
class CnabFile {
  readonly #settings: ReadSettings;
  readonly #days: LocalDays;
  readonly #all = new Totals();
  #line = 0;
  #state: 'begin' | 'in file' | 'in batch' | 'end' = 'begin';
  #batches = 0;
  #account: string | null = null;
  #totals = new Totals();
  #details = 0;
  #openingOfBatch = 0;
  #opening: number | null = null;
  #closing: number | null = null;
  #fromDay: string | null = null;
  #toDay: string | null = null;

  constructor(settings: ReadSettings) {
    this.#settings = settings;
    this.#days = new LocalDays(settings.zone);
  }

  read(text: string): ReadMovement | undefined {
    // What ends a file of DOS, and empty lines behind the trailer.
    if (this.#state === 'end' && /^[\x1a\s]*$/.test(text)) return undefined;
    this.#line += 1;
    const record = new CnabRecord(text, this.#line);
    if (text.length !== recordCharacters) {
      const reason = `has ${text.length} characters, and not ${recordCharacters}: the file is cut off or no CNAB 240`;
      throw new UnreadableStatement(this.#line, 'record', reason);
    }
    const type = record.get([8, 8]);
    if (this.#state === 'begin' && type === '0') this.#state = 'in file';
    else if (this.#state === 'in file' && type === '1') this.#beginBatch(record);
    else if (this.#state === 'in batch' && type === '3') return this.#movement(record);
    else if (this.#state === 'in batch' && type === '5') this.#endBatch(record);
    else if (this.#state === 'in file' && type === '9') this.#endFile(record);
    else throw new UnreadableStatement(this.#line, 'record type (8-8)', `is ${JSON.stringify(type)}, out of order`);
    return undefined;
  }

  #beginBatch(record: CnabRecord): void {
    const kind = record.get([9, 13]);
    if (kind !== 'E0440') {
      const { line, field } = record.place([9, 13], 'operation, service, form');
      throw new UnreadableStatement(line, field, `are ${JSON.stringify(kind)}, and not those of a statement, E0440`);
    }
    requireCurrency(record.get(batchHeader.currency), this.#settings.currency, {
      ...record.place(batchHeader.currency, 'currency'),
    });
    const account = ['branch', 'account', 'accountDigit'] as const;
    const number = account.map((name) => record.get(batchHeader[name]).trim()).join('-');
    if (this.#account !== null && this.#account !== number) {
      throw new UnreadableStatement(record.line, 'account (53-71)', 'is another one: a file has the statement of one');
    }
    this.#account = number;
    this.#openingOfBatch = record.amount(batchHeader.opening, 'opening', record.get(batchHeader.openingSign));
    if (this.#closing !== null && this.#closing !== this.#openingOfBatch) {
      const { line, field } = record.place(batchHeader.opening, 'opening');
      throw new UnreadableStatement(line, field, `is not the ${this.#closing} that the batch before closed with`);
    }
    this.#opening ??= this.#openingOfBatch;
    this.#fromDay ??= this.#when(record, batchHeader.day, 'day').day;
    this.#totals = new Totals();
    this.#details = 0;
    this.#batches += 1;
    this.#state = 'in batch';
  }

  #movement(record: CnabRecord): ReadMovement | undefined {
    this.#details += 1;
    if (record.get(segmentE.segment) !== 'E') {
      throw new UnreadableStatement(record.line, 'segment (14-14)', 'is not E');
    }
    const net = record.amount(segmentE.amount, 'amount', record.get(segmentE.sign));
    const when = this.#when(record, segmentE.day, 'day');
    if (net === 0) {
      this.#all.withoutAmount += 1;
      return undefined;
    }
    const document = record.get(segmentE.document).trim();
    const complement = record.get(segmentE.complement).trim();
    const text = record.get(segmentE.text).trim();
    const hasValueDay = /[1-9]/.test(record.get(segmentE.valueDay));
    const movement: ReadMovement = {
      line: record.line,
      day: when.day,
      valueDay: hasValueDay ? this.#when(record, segmentE.valueDay, 'value day').day : null,
      entryId: document === '' && /[^0]/.test(complement) ? complement : document,
      bookedAtMs: when.atMs,
      type: record.get(segmentE.category).trim(),
      recordId: null,
      externalId: null,
      e2eId: pixTransferIn(document, text),
      gross: null,
      fee: null,
      net,
      balanceAfter: null,
      counterparty: null,
      text,
      raw: record.text,
    };
    this.#totals.add(movement);
    this.#all.add(movement);
    return movement;
  }

  #endBatch(record: CnabRecord): void {
    this.#require(record, batchTrailer.debits, 'debits', this.#totals.debits);
    this.#require(record, batchTrailer.credits, 'credits', this.#totals.credits);
    const records = Number(record.digits(batchTrailer.records, 'records'));
    // Most banks count the header and the trailer of the batch, some the movements alone.
    if (records !== this.#details + 2 && records !== this.#details) {
      const { line, field } = record.place(batchTrailer.records, 'records');
      throw new UnreadableStatement(line, field, `are ${records}, and the batch has ${this.#details + 2}`);
    }
    this.#closing = record.amount(batchTrailer.closing, 'closing', record.get(batchTrailer.closingSign));
    const { line, field } = record.place(batchTrailer.closing, 'closing');
    this.#totals.requireClosing(this.#openingOfBatch, this.#closing, line, field);
    this.#toDay = this.#when(record, batchTrailer.day, 'day').day;
    this.#state = 'in file';
  }

  #endFile(record: CnabRecord): void {
    this.#require(record, fileTrailer.batches, 'batches', BigInt(this.#batches));
    this.#require(record, fileTrailer.records, 'records', BigInt(this.#line));
    this.#state = 'end';
  }

  #require(record: CnabRecord, positions: Positions, name: string, counted: bigint): void {
    const stated = BigInt(record.digits(positions, name));
    if (stated === counted) return;
    const { line, field } = record.place(positions, name);
    throw new UnreadableStatement(line, field, `are ${stated} in the trailer, and ${counted} in the file`);
  }

  #when(record: CnabRecord, positions: Positions, name: string): When {
    const digits = record.digits(positions, name);
    const day = `${digits.slice(4)}-${digits.slice(2, 4)}-${digits.slice(0, 2)}`;
    return this.#days.local(day, record.place(positions, name));
  }

  summary(): ReadSummary {
    if (this.#state !== 'end') throw new UnreadableStatement(this.#line, 'trailer', 'is missing: the file is cut off');
    if (this.#batches === 0)
      throw new UnreadableStatement(this.#line, 'batch', 'is missing: the file has no statement');
    return {
      account: this.#account,
      currency: this.#settings.currency,
      ...this.#all.days(this.#fromDay, this.#toDay),
      opening: this.#opening,
      closing: this.#closing,
      movements: this.#all.movements,
      withoutAmount: this.#all.withoutAmount,
    };
  }
}
