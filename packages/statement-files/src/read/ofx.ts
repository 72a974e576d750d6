import { type Clock, LocalDays, type Place, readAmount, requireCurrency, type When } from '#src/read/fields.ts';
import { type MarkupEvents, SgmlReader, XmlReader } from '#src/read/markup.ts';
import {
  pixTransferIn,
  type ReadMovement,
  type ReadSettings,
  type ReadSummary,
  readText,
  Totals,
  transferReferenceIn,
  UnreadableStatement,
} from '#src/read/movement.ts';
import { type Encoding, lineEndsIn } from '#src/read/text.ts';

/** OFX 1 is SGML and names its encoding in the header, OFX 2 is XML. */
export function ofxEncoding(head: string): Encoding {
  if (/^\s*OFXHEADER:/i.test(head)) {
    return /^ENCODING:\s*(?:UTF-?8|UNICODE)\s*$/im.test(head) ? 'utf-8' : 'windows-1252';
  }
  return xmlEncoding(head);
}

export function xmlEncoding(head: string): Encoding {
  const [, declared = 'utf-8'] = /^[^<]*<\?xml[^>]*\sencoding=["']([^"']+)["']/i.exec(head) ?? [];
  return /^utf-?8$/i.test(declared) ? 'utf-8' : 'windows-1252';
}

/**
 * OFX 1.02 and 2: amounts with a point or a comma, times with or without an offset. Without one a time is local, as
 * Brazilian banks write it; midnight stands for the day alone, whatever its offset.
 */
export async function* readOfx(
  texts: AsyncIterable<string>,
  settings: ReadSettings,
): AsyncGenerator<readonly ReadMovement[], ReadSummary> {
  const statement = new OfxStatement(settings);
  let markup: XmlReader | SgmlReader | undefined;
  for await (const text of texts) {
    markup ??= text.trimStart().startsWith('OFXHEADER:') ? undefined : new XmlReader(statement, 'OFX');
    if (markup) markup.write(text);
    else markup = beginSgml(text, statement);
    yield statement.taken();
  }
  markup?.end();
  return statement.summary();
}

/** The header of OFX 1 ends where the first tag begins. */
function beginSgml(text: string, statement: OfxStatement): SgmlReader {
  const begin = text.indexOf('<');
  if (begin < 0) throw new UnreadableStatement(1, 'OFX', 'is missing');
  const header = text.slice(0, begin);
  if (!/^\s*OFXHEADER:\s*100\s*$/im.test(header) || !/^DATA:\s*OFXSGML\s*$/im.test(header)) {
    throw new UnreadableStatement(1, 'OFXHEADER', 'is no header of OFX 1');
  }
  const markup = new SgmlReader(statement, 'OFX', lineEndsIn(header) + 1);
  markup.write(text.slice(begin));
  return markup;
}

/** Elements within a movement that hold elements of their own, whose names mean something else there. */
const holders = new Set(['PAYEE', 'BANKACCTTO', 'CCACCTTO', 'CURRENCY', 'ORIGCURRENCY', 'EXTDNAME']);

/** The fields of a movement, and those of the statement around them. */
class OfxStatement implements MarkupEvents {
  readonly #settings: ReadSettings;
  readonly #days: LocalDays;
  readonly #totals = new Totals();
  readonly #statement = new Map<string, string>();
  #movements: ReadMovement[] = [];
  readonly #around: string[] = [];
  #movement: Map<string, string> | undefined;
  #movementLine = 0;
  #closing: number | null = null;
  #line = 1;

  constructor(settings: ReadSettings) {
    this.#settings = settings;
    this.#days = new LocalDays(settings.zone);
  }

  readonly open = (name: string, _attributes: object, line: number): void => {
    if (name === 'STMTTRN') {
      if (this.#movement) throw new UnreadableStatement(line, name, 'stands within another one: the file is damaged');
      this.#movement = new Map();
      this.#movementLine = line;
    } else if (holders.has(name) || name === 'LEDGERBAL' || name === 'AVAILBAL') this.#around.push(name);
  };

  readonly close = (name: string, value: string | null, line: number): void => {
    this.#line = line;
    if (name === this.#around.at(-1)) this.#around.pop();
    else if (name === 'STMTTRN') this.#endMovement();
    else if (value !== null) this.#field(name, value, line);
  };

  #field(name: string, value: string, line: number): void {
    const text = readText(value, line, name);
    const around = this.#around.at(-1);
    if (this.#movement) {
      const key = around === undefined ? name : `${around}.${name}`;
      if (this.#movement.has(key)) throw new UnreadableStatement(line, name, 'stands twice in one movement');
      this.#movement.set(key, text);
      return;
    }
    if (name === 'SEVERITY' && text === 'ERROR') throw new UnreadableStatement(line, name, 'is ERROR: no statement');
    if (name === 'CURDEF') requireCurrency(text, this.#settings.currency, { line, field: name });
    if (name === 'BALAMT' && around === 'LEDGERBAL') {
      this.#closing = readAmount(text, this.#settings.currency, { decimal: 'either' }, { line, field: 'LEDGERBAL' });
    }
    if (name === 'ACCTID' || name === 'DTSTART' || name === 'DTEND') this.#once(name, text, line);
  }

  #once(name: string, text: string, line: number): void {
    const known = this.#statement.get(name);
    if (name === 'ACCTID' && known !== undefined && known !== text) {
      throw new UnreadableStatement(line, name, 'is another account: a file has the statement of one');
    }
    if (known === undefined || name === 'DTEND') this.#statement.set(name, text);
  }

  #endMovement(): void {
    const fields = this.#movement ?? new Map<string, string>();
    const line = this.#movementLine;
    this.#movement = undefined;
    const { currency } = this.#settings;
    const own = fields.get('CURRENCY.CURSYM');
    if (own !== undefined) requireCurrency(own, currency, { line, field: 'CURSYM' });
    const net = readAmount(
      required(fields, 'TRNAMT', line),
      currency,
      { decimal: 'either' },
      { line, field: 'TRNAMT' },
    );
    const type = required(fields, 'TRNTYPE', line);
    if ((type === 'DEBIT' && net > 0) || (type === 'CREDIT' && net < 0)) {
      throw new UnreadableStatement(line, 'TRNAMT', `has the sign of the opposite of ${type}`);
    }
    const when = this.#when(required(fields, 'DTPOSTED', line), { line, field: 'DTPOSTED' });
    const text = fields.get('MEMO') ?? '';
    const name = fields.get('PAYEE.NAME') ?? fields.get('NAME') ?? null;
    if (net === 0) {
      this.#totals.withoutAmount += 1;
      return;
    }
    const movement: ReadMovement = {
      line,
      day: when.day,
      valueDay: fields.has('DTAVAIL') ? this.#when(fields.get('DTAVAIL') ?? '', { line, field: 'DTAVAIL' }).day : null,
      entryId: fields.get('FITID') ?? fields.get('CHECKNUM') ?? '',
      bookedAtMs: when.atMs,
      type,
      recordId: null,
      externalId: name,
      e2eId:
        pixTransferIn(fields.get('REFNUM'), text, name, fields.get('FITID')) ??
        transferReferenceIn(fields.get('REFNUM')),
      gross: null,
      fee: null,
      net,
      balanceAfter: null,
      counterparty: fields.has('PAYEE.NAME') ? { name: fields.get('PAYEE.NAME') ?? '', document: null } : null,
      text,
      raw: JSON.stringify(Object.fromEntries(fields)),
    };
    this.#totals.add(movement);
    this.#movements.push(movement);
  }

  #when(text: string, place: Place): When {
    const match =
      /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?(?:\.(\d{1,3}))?)?\s*(?:\[\s*([+-]?)(\d{1,2})(?:([.:])(\d{1,2}))?(?::[^\]]*)?\])?$/.exec(
        text,
      );
    if (!match) throw new UnreadableStatement(place.line, place.field, 'is no date of OFX');
    const [, year, month, date, hour = '0', minute = '0', second = '0', ms = '0', sign, hours, mark, part = '0'] =
      match;
    const day = `${year}-${month}-${date}`;
    const clock: Clock = {
      hour: Number(hour),
      minute: Number(minute),
      second: Number(second),
      ms: Number(ms.padEnd(3, '0')),
    };
    if (clock.hour + clock.minute + clock.second + clock.ms === 0) return this.#days.local(day, place);
    if (hours === undefined) return this.#days.local(day, place, clock);
    // Behind a point stand hundredths of an hour or its minutes: banks write 5.30 and 5.5 for the same offset.
    const minutes = mark === '.' && part !== '30' && part !== '45' ? Number(part.padEnd(2, '0')) * 0.6 : Number(part);
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Math.round(minutes));
    return this.#days.moment(day, clock, offset, place);
  }

  /** The movements since the last call. */
  taken(): readonly ReadMovement[] {
    const taken = this.#movements;
    this.#movements = [];
    return taken;
  }

  summary(): ReadSummary {
    if (!this.#statement.has('ACCTID')) throw new UnreadableStatement(this.#line, 'ACCTID', 'is missing');
    const place = { line: this.#line, field: 'DTEND' };
    const dayOf = (name: string) => {
      const text = this.#statement.get(name);
      if (text === undefined) return null;
      const { day, atMs } = this.#when(text, { line: this.#line, field: name });
      // A day alone is the last one of the period, a time at midnight is that of the first one behind it.
      const isBehind = name === 'DTEND' && text.length > 8 && this.#when(day.replaceAll('-', ''), place).atMs === atMs;
      return isBehind ? new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10) : day;
    };
    return {
      account: this.#statement.get('ACCTID') ?? null,
      currency: this.#settings.currency,
      ...this.#totals.days(dayOf('DTSTART'), dayOf('DTEND')),
      opening: null,
      closing: this.#closing,
      movements: this.#totals.movements,
      withoutAmount: this.#totals.withoutAmount,
    };
  }
}

function required(fields: ReadonlyMap<string, string>, name: string, line: number): string {
  const value = fields.get(name);
  if (value === undefined || value === '') throw new UnreadableStatement(line, name, 'is missing');
  return value;
}
