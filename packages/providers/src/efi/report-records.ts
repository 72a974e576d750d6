import { z } from 'zod';
import { returnKey } from '#src/bacen/statement.ts';
import { instantSchema } from '#src/bacen/wire.ts';
import { lineItem, type StatementItem } from '#src/statement.ts';
import { movedAmountTextSchema } from '#src/wire-amounts.ts';

const currency = 'BRL';

/** A record of the report of a day, as its row keeps it. */
export const recordSchema = z.object({
  record: z.array(z.string()).min(5),
  number: z.int().positive(),
});

type Columns = Readonly<Record<string, string>>;

interface Layout {
  /** Behind the type, as far as they are read. */
  readonly columns: readonly string[];
  /** How many columns stand between the amount and the time. */
  readonly behindAmount: number;
  readonly line: (at: Columns) => Parts;
}

/** By the type of the record. */
const layouts: Readonly<Record<string, Layout>> = {
  PR: { columns: ['', 'e2e', 'txid', '', 'documento'], behindAmount: 3, line: received },
  PEC: { columns: ['', 'e2e', 'envio', '', 'favorecido'], behindAmount: 3, line: sent },
  PEB: { columns: ['', 'e2e', 'envio', '', '', 'favorecido'], behindAmount: 8, line: sent },
  EPE: { columns: ['', 'e2e'], behindAmount: 0, line: putBack },
  PDE: { columns: ['', 'e2e', 'txid', 'devolucao', 'rtr'], behindAmount: 0, line: wentBack },
  PDR: { columns: ['', 'e2e', 'rtr'], behindAmount: 0, line: cameBack },
  TPR: { columns: ['', 'e2e'], behindAmount: 0, line: fee(-1) },
  TPE: { columns: ['', 'e2e'], behindAmount: 0, line: fee(-1) },
  ETPR: { columns: ['', 'e2e'], behindAmount: 0, line: fee(1) },
  ETPE: { columns: ['', 'e2e'], behindAmount: 0, line: fee(1) },
  TTFE: { columns: ['protocolo', 'transferencia'], behindAmount: 0, line: fee(-1) },
  ETTFE: { columns: ['protocolo', 'transferencia'], behindAmount: 0, line: fee(1) },
  // The description of these two has a text behind the amount that the example of one leaves out.
  TFE: { columns: ['protocolo', 'transferencia', 'valor'], behindAmount: 0, line: ownTransfer(-1) },
  TFR: { columns: ['protocolo', 'transferencia', 'valor'], behindAmount: 0, line: ownTransfer(1) },
  ETFE: { columns: ['protocolo', 'transferencia', 'valor'], behindAmount: 0, line: ownTransfer(1) },
};

interface Parts {
  readonly key: string;
  readonly sign: 1 | -1;
  readonly kind: 'payment' | 'payout' | 'return' | 'fee' | 'own_transfer' | 'other';
  readonly names?: { readonly e2eId?: string; readonly returnId?: string; readonly ourRef?: string };
  readonly counterparty?: string;
}

function received({ e2e, txid, documento }: Columns): Parts {
  return {
    key: `pix:${e2e}`,
    sign: 1,
    kind: 'payment',
    names: given({ e2eId: e2e, ourRef: txid }),
    ...(documento ? { counterparty: documento } : {}),
  };
}

function sent({ e2e, envio, favorecido }: Columns): Parts {
  const names = given({ e2eId: e2e, ourRef: envio });
  return {
    // What the operator sends by hand has no reference of ours.
    key: `envio:${envio || e2e}`,
    sign: -1,
    kind: 'payout',
    names,
    ...(favorecido ? { counterparty: favorecido } : {}),
  };
}

/** A payment sent that was not carried out: what was taken for it. */
function putBack({ e2e }: Columns): Parts {
  return { key: `estorno:${e2e}`, sign: 1, kind: 'return', names: given({ e2eId: e2e }) };
}

/** A payment sent that came back, or what was taken back under MED and should not have been: the report has one type for both. */
function cameBack({ e2e, rtr }: Columns): Parts {
  return { key: `retorno:${rtr}`, sign: 1, kind: 'other', names: given({ e2eId: e2e, returnId: rtr }) };
}

/** Also what was taken back under MED: the report has one type for both. */
function wentBack({ e2e = '', devolucao = '', rtr }: Columns): Parts {
  const names = given({ e2eId: e2e, returnId: rtr, ourRef: devolucao });
  return { key: returnKey(e2e, devolucao), sign: -1, kind: 'other', names };
}

function fee(sign: 1 | -1) {
  return ({ tipo, e2e, protocolo, horario }: Columns): Parts => ({
    key: `${tipo}:${e2e || protocolo || horario}`,
    sign,
    kind: 'fee',
    names: given({ e2eId: e2e }),
  });
}

function ownTransfer(sign: 1 | -1) {
  return ({ tipo, protocolo, transferencia }: Columns): Parts => ({
    key: `${tipo}:${protocolo}:${transferencia}`,
    sign,
    kind: 'own_transfer',
  });
}

/** A column that is empty names nothing. */
function given(names: Readonly<Record<string, string | undefined>>): NonNullable<Parts['names']> {
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value));
}

/** By the names of the columns; the amount is the last but one and the time the last in every type. */
function columnsOf(record: readonly string[], names: readonly string[]): Columns {
  const named = names.flatMap((name, place) => (name === '' ? [] : [[name, record[place + 1] ?? ''] as const]));
  return { tipo: record[0] ?? '', horario: record.at(-1) ?? '', ...Object.fromEntries(named) };
}

/** What names the movement of a record; two records of one name are two movements. */
export function nameOfRecord(record: readonly string[]): string {
  const layout = layouts[record[0] ?? ''];
  return layout ? layout.line(columnsOf(record, layout.columns)).key : record.slice(0, 4).join(';');
}

export function lineOfRecord({ record, number }: z.infer<typeof recordSchema>): StatementItem {
  const [tipo = ''] = record;
  const layout = layouts[tipo];
  if (!layout) return { kind: 'unreadable', shape: 'a record of an unknown type' };
  const at = columnsOf(record, layout.columns);
  const amount = movedAmountTextSchema.safeParse(at['valor'] ?? record.at(-2 - layout.behindAmount));
  const bookedAt = instantSchema.safeParse(record.at(-1));
  if (!amount.success || !bookedAt.success) {
    return { kind: 'unreadable', shape: `a record ${tipo} without amount or time` };
  }
  const { key, sign, kind, names, counterparty } = layout.line(at);
  return lineItem({
    lineKey: number === 1 ? key : `${key}.${number}`,
    bookedAt: bookedAt.data,
    amount: sign * amount.data,
    currency,
    kind,
    ...names,
    ...(counterparty === undefined ? {} : { counterparty }),
    text: tipo,
  });
}
