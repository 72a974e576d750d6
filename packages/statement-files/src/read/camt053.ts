import { movementOf, Values } from '#src/read/camt053-entry.ts';
import { LocalDays, readAmount, readIsoTime, requireCurrency, type When } from '#src/read/fields.ts';
import { type MarkupEvents, XmlReader } from '#src/read/markup.ts';
import {
  type ReadMovement,
  type ReadSettings,
  type ReadSummary,
  readText,
  Totals,
  UnreadableStatement,
} from '#src/read/movement.ts';

/** camt.053 in the versions .001.01 to .001.14: what they share, under the names each of them has for it. */
export async function* readCamt053(
  texts: AsyncIterable<string>,
  settings: ReadSettings,
): AsyncGenerator<readonly ReadMovement[], ReadSummary> {
  const document = new CamtDocument(settings);
  const markup = new XmlReader(document, 'Document');
  for await (const text of texts) {
    markup.write(text);
    yield document.taken();
  }
  markup.end();
  return document.summary();
}

const versions = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(?:0[1-9]|1[0-4])$/;

/** A batch of more transfers than these is no booking of one day. */
const detailsMax = 10_000;

/** An element that is being read, with the depth at which it was opened. */
interface Part {
  readonly kind: 'Stmt' | 'Bal' | 'Ntry' | 'TxDtls';
  readonly depth: number;
  readonly line: number;
  readonly values: Values;
}

const partNames = new Set<string>(['Stmt', 'Bal', 'Ntry', 'TxDtls']);

class CamtDocument implements MarkupEvents {
  readonly #settings: ReadSettings;
  readonly #days: LocalDays;
  readonly #all = new Totals();
  #totals = new Totals();
  readonly #path: string[] = [];
  readonly #parts: Part[] = [];
  readonly #currencies: (string | undefined)[] = [];
  #details: Part[] = [];
  #movements: ReadMovement[] = [];
  #account: string | null = null;
  #statements = 0;
  #opening: number | null = null;
  #openingOfStatement: number | null = null;
  #closing: number | null = null;
  #closingLine = 1;
  #fromDay: string | null = null;
  #toDay: string | null = null;

  constructor(settings: ReadSettings) {
    this.#settings = settings;
    this.#days = new LocalDays(settings.zone);
  }

  readonly open = (name: string, attributes: Readonly<Record<string, string>>, line: number): void => {
    if (this.#path.length === 0) requireVersion(attributes, line);
    this.#path.push(name);
    this.#currencies.push(attributes['Ccy']);
    if (partNames.has(name)) {
      const kind = name as Part['kind'];
      this.#parts.push({ kind, depth: this.#path.length, line, values: new Values() });
      if (kind === 'Ntry') this.#details = [];
      if (kind === 'Stmt') this.#beginStatement();
    }
  };

  readonly close = (name: string, value: string | null, line: number): void => {
    const part = this.#parts.at(-1);
    if (part?.depth === this.#path.length) this.#endPart(part, line);
    else if (part && value !== null) {
      const path = this.#path.slice(part.depth).join('/');
      part.values.add(path, readText(value, line, name), line);
      const currency = this.#currencies.at(-1);
      if (currency !== undefined) part.values.add(`${path}@Ccy`, currency, line);
    }
    this.#path.pop();
    this.#currencies.pop();
  };

  #endPart(part: Part, line: number): void {
    this.#parts.pop();
    if (part.kind === 'Stmt') this.#endStatement(part, line);
    else if (part.kind === 'Bal') this.#balance(part);
    else if (part.kind === 'Ntry') this.#entry(part);
    else if (this.#details.push(part) > detailsMax) {
      throw new UnreadableStatement(part.line, 'TxDtls', `are more than ${detailsMax} of one entry`);
    }
  }

  #beginStatement(): void {
    this.#statements += 1;
    this.#totals = new Totals();
    this.#openingOfStatement = null;
  }

  #balance({ values, line }: Part): void {
    const code = values.first('Tp/CdOrPrtry/Cd', 'Tp/Cd');
    if (code !== 'OPBD' && code !== 'PRCD' && code !== 'CLBD') return;
    const amount = this.#amount(values, 'Amt', line) * this.#sign(values, line);
    if (code === 'CLBD') {
      this.#closing = amount;
      this.#closingLine = line;
      return;
    }
    if (this.#openingOfStatement !== null) return;
    this.#openingOfStatement = amount;
    if (this.#statements === 1) this.#opening = amount;
    else if (this.#closing !== null && this.#closing !== amount) {
      throw new UnreadableStatement(line, code, `is ${amount}, but the statement before closed with ${this.#closing}`);
    }
  }

  #endStatement({ values }: Part, line: number): void {
    const account = values.first('Acct/Id/IBAN', 'Acct/Id/Othr/Id', 'Acct/Id/PrtryAcct/Id');
    if (account === null) throw new UnreadableStatement(line, 'Acct/Id', 'is missing');
    if (this.#account !== null && this.#account !== account) {
      throw new UnreadableStatement(line, 'Acct/Id', 'is another account: a file has the statement of one');
    }
    this.#account = account;
    const currency = values.first('Acct/Ccy');
    if (currency !== null) requireCurrency(currency, this.#settings.currency, { line, field: 'Acct/Ccy' });
    this.#totals.requireClosing(this.#openingOfStatement, this.#closing, this.#closingLine, 'CLBD');
    this.#requireCounted(values, line);
    const dayOf = (path: string) => {
      const text = values.first(path);
      return text === null ? null : this.#when(text, line, path);
    };
    this.#fromDay ??= dayOf('FrToDt/FrDtTm')?.day ?? null;
    const to = dayOf('FrToDt/ToDtTm');
    // The moment at which a day begins ends the period before it.
    if (to) this.#toDay = this.#when(new Date(to.atMs - 1).toISOString(), line, 'FrToDt').day;
  }

  /** What the statement says about all of its entries. */
  #requireCounted(values: Values, line: number): void {
    const { currency } = this.#settings;
    const sums = { TtlCdtNtries: this.#totals.credits, TtlDbtNtries: this.#totals.debits };
    for (const [name, counted] of Object.entries(sums)) {
      const stated = values.first(`TxsSummry/${name}/Sum`);
      if (stated === null) continue;
      const sum = readAmount(stated, currency, { decimal: '.' }, { line, field: name });
      if (BigInt(sum) !== counted) throw new UnreadableStatement(line, name, `is ${sum}, but entries are ${counted}`);
    }
  }

  #entry({ values, line }: Part): void {
    const status = values.first('Sts/Cd', 'Sts');
    if (status !== null && status !== 'BOOK') return;
    const amount = this.#amount(values, 'Amt', line);
    const sign = this.#sign(values, line);
    const booked = values.first('BookgDt/DtTm', 'BookgDt/Dt', 'ValDt/DtTm', 'ValDt/Dt');
    if (booked === null) throw new UnreadableStatement(line, 'BookgDt', 'is missing');
    const when = this.#when(booked, line, 'BookgDt');
    const value = values.first('ValDt/DtTm', 'ValDt/Dt');
    const valueDay = value === null ? null : this.#when(value, line, 'ValDt').day;
    if (amount === 0) {
      this.#totals.withoutAmount += 1;
      return;
    }
    const parts = this.#partsOf(amount, line);
    for (const [index, part] of parts.entries()) {
      const movement = movementOf(this.#settings.currency, {
        entry: values,
        details: part.details,
        index: parts.length > 1 ? index + 1 : null,
        net: part.amount * sign,
      });
      this.#add({ ...movement, line: part.line, day: when.day, valueDay, bookedAtMs: when.atMs });
    }
  }

  #add(movement: ReadMovement): void {
    this.#totals.add(movement);
    this.#all.add(movement);
    this.#movements.push(movement);
  }

  /** A batch is as many movements as it has transfers with an amount, which have to add up. */
  #partsOf(amount: number, line: number): { line: number; details: Values | null; amount: number }[] {
    const [only, second] = this.#details;
    const first = { line, details: only?.values ?? null, amount };
    if (!second) return [first];
    const parts = this.#details.map((part) => {
      const path = part.values.first('Amt') === null ? 'AmtDtls/TxAmt/Amt' : 'Amt';
      const known = part.values.first(path) !== null;
      return { line: part.line, details: part.values, amount: known ? this.#amount(part.values, path, part.line) : 0 };
    });
    if (parts.every((part) => part.amount === 0)) return [{ ...first, details: null }];
    const sum = parts.reduce((total, part) => total + BigInt(part.amount), 0n);
    if (sum === BigInt(amount)) return parts.filter((part) => part.amount !== 0);
    throw new UnreadableStatement(line, 'NtryDtls', `add up to ${sum}, and the entry is ${amount}`);
  }

  #amount(values: Values, path: string, line: number): number {
    const text = values.first(path);
    if (text === null) throw new UnreadableStatement(line, path, 'is missing');
    const currency = values.first(`${path}@Ccy`);
    if (currency !== null) requireCurrency(currency, this.#settings.currency, { line, field: `${path}/@Ccy` });
    const amount = readAmount(text, this.#settings.currency, { decimal: '.' }, { line, field: path });
    if (amount < 0) throw new UnreadableStatement(line, path, 'has a sign; CdtDbtInd is where it belongs');
    return amount;
  }

  #sign(values: Values, line: number): 1 | -1 {
    const indicator = values.first('CdtDbtInd');
    if (indicator === 'CRDT') return 1;
    if (indicator === 'DBIT') return -1;
    throw new UnreadableStatement(line, 'CdtDbtInd', 'is neither CRDT nor DBIT');
  }

  #when(text: string, line: number, field: string): When {
    return readIsoTime(text, this.#days, { line, field });
  }

  taken(): readonly ReadMovement[] {
    const taken = this.#movements;
    this.#movements = [];
    return taken;
  }

  summary(): ReadSummary {
    if (this.#statements === 0) throw new UnreadableStatement(1, 'Stmt', 'is missing');
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

function requireVersion(attributes: Readonly<Record<string, string>>, line: number): void {
  const namespaces = Object.entries(attributes).filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (namespaces.some(([, value]) => versions.test(value))) return;
  throw new UnreadableStatement(line, 'Document', 'is no camt.053 of the versions .001.01 to .001.14');
}
