import type { Currency } from '@gateway/money';
import { readAmount } from '#src/read/fields.ts';
import { pixTransferIn, type ReadMovement, transferReferenceIn, UnreadableStatement } from '#src/read/movement.ts';

const valuesMax = 500;

/** Values of an element by their path within it; of those that may repeat, the texts one after the other. */
export class Values {
  readonly #byPath = new Map<string, string>();

  add(path: string, value: string, line: number): void {
    const known = this.#byPath.get(path);
    if (known === undefined && this.#byPath.size >= valuesMax) {
      throw new UnreadableStatement(line, path, `is one of more than ${valuesMax} values of one element`);
    }
    this.#byPath.set(path, known === undefined ? value : `${known} ${value}`.slice(0, 4_096));
  }

  /** The first of the paths that has a text. */
  first(...paths: readonly string[]): string | null {
    for (const path of paths) {
      const value = this.#byPath.get(path);
      if (value !== undefined && value !== '') return value;
    }
    return null;
  }

  toJSON(): object {
    return Object.fromEntries(this.#byPath);
  }
}

interface Entry {
  readonly entry: Values;
  readonly details: Values | null;
  /** Of a batch, which of its transfers. */
  readonly index: number | null;
  readonly net: number;
}

/** All but where it stands and when it was booked. */
type Described = Omit<ReadMovement, 'line' | 'day' | 'valueDay' | 'bookedAtMs'>;

/** What an entry or one of its transfers says. */
export function movementOf(currency: Currency, { entry, details, index, net }: Entry): Described {
  const own = details ?? new Values();
  const provided = (path: string) => {
    const value = own.first(path);
    return value === 'NOTPROVIDED' ? null : value;
  };
  const reference = entry.first('AcctSvcrRef', 'NtryRef') ?? '';
  const text = own.first('AddtlTxInf', 'RmtInf/Ustrd') ?? entry.first('AddtlNtryInf') ?? '';
  const endToEnd = provided('Refs/EndToEndId');
  const party = net > 0 ? 'Dbtr' : 'Cdtr';
  const name = own.first(`RltdPties/${party}/Nm`, `RltdPties/${party}/Pty/Nm`);
  const ids = ['OrgId', 'PrvtId'].flatMap((kind) => [`Id/${kind}/Othr/Id`, `Pty/Id/${kind}/Othr/Id`]);
  return {
    entryId: index === null ? reference : (own.first('Refs/AcctSvcrRef') ?? `${reference}#${index}`),
    type: entry.first('BkTxCd/Prtry/Cd') ?? domainOf(entry),
    recordId: index === null ? own.first('Refs/AcctSvcrRef') : null,
    externalId: endToEnd,
    e2eId:
      pixTransferIn(provided('Refs/TxId'), endToEnd, own.first('Refs/InstrId'), text) ??
      transferReferenceIn(provided('Refs/TxId')),
    ...grossOf(currency, own, net),
    net,
    balanceAfter: null,
    counterparty: name === null ? null : { name, document: own.first(...ids.map((id) => `RltdPties/${party}/${id}`)) },
    text,
    raw: JSON.stringify(index === null ? { ...entry.toJSON(), TxDtls: own } : own),
  };
}

function domainOf(entry: Values): string {
  const family = ['Domn/Cd', 'Domn/Fmly/Cd', 'Domn/Fmly/SubFmlyCd'].map((path) => entry.first(`BkTxCd/${path}`));
  return family.filter((code) => code !== null).join('/');
}

/** What was instructed and its charges, where both are there and are the amount. */
function grossOf(currency: Currency, details: Values, net: number): { gross: number | null; fee: number | null } {
  const amountOf = (path: string, otherwise: string | null) => {
    const text = details.first(path) ?? otherwise;
    return text === null ? null : readAmount(text, currency, { decimal: '.' }, { line: 0, field: path });
  };
  const isOwn = [null, currency].includes(details.first('AmtDtls/InstdAmt/Amt@Ccy') as Currency | null);
  const instructed = isOwn ? amountOf('AmtDtls/InstdAmt/Amt', null) : null;
  if (instructed === null) return { gross: null, fee: null };
  const fee = amountOf('Chrgs/TtlChrgsAndTaxAmt', '0') ?? 0;
  const gross = net > 0 ? instructed : -instructed;
  return gross - fee === net ? { gross, fee } : { gross: null, fee: null };
}
