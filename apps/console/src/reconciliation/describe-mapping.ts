import { linesIn, oneOf, textIn } from '#src/changes/typed.ts';
import type { CsvMapping, Currency } from '#src/generated/types.gen.ts';

export const encodings = ['utf-8', 'latin-1'] as const;
export const delimiters = [',', ';', '|', 'tab'] as const;
export const decimals = [',', '.'] as const;
/** As the description has them: a format that it does not know does not compile. */
export const dateFormats: readonly CsvMapping['date']['format'][] = [
  ...(['DD/MM/YYYY', 'DD/MM/YYYY HH:mm', 'DD/MM/YYYY HH:mm:ss'] as const),
  ...(['YYYY-MM-DD', 'YYYY-MM-DD HH:mm', 'YYYY-MM-DD HH:mm:ss', 'ISO'] as const),
  ...(['DD-MM-YYYY', 'DD.MM.YYYY', 'YYYYMMDD'] as const),
];

/** The mapping that a form says: a column that is left empty is none. */
export function mappingIn(typed: FormData, currencies: readonly Currency[]): CsvMapping {
  const columnOrNone = (name: string) => (textIn(typed, name) === '' ? null : textIn(typed, name));
  const delimiter = oneOf(typed, 'delimiter', delimiters);
  const e2e = columnOrNone('e2e');
  return {
    encoding: oneOf(typed, 'encoding', encodings),
    delimiter: delimiter === 'tab' ? '\t' : delimiter,
    header_line: Number(textIn(typed, 'header_line')),
    date: {
      column: textIn(typed, 'date'),
      format: oneOf(typed, 'date_format', dateFormats),
      zone: textIn(typed, 'zone'),
    },
    amount: {
      column: textIn(typed, 'amount'),
      decimal: oneOf(typed, 'decimal', decimals),
      sign:
        textIn(typed, 'sign') === ''
          ? 'amount'
          : { column: textIn(typed, 'sign'), credit: linesIn(typed, 'credit'), debit: linesIn(typed, 'debit') },
    },
    currency: oneOf(typed, 'currency', currencies),
    id: columnOrNone('id'),
    type: columnOrNone('type'),
    text: columnOrNone('text'),
    e2e: e2e === null ? null : { column: e2e },
    balance: columnOrNone('balance'),
  };
}
