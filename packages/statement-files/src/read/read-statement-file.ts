import type { CsvMapping } from '@gateway/contracts/reconciler';
import { readCamt053 } from '#src/read/camt053.ts';
import { readCnab240 } from '#src/read/cnab240.ts';
import { readCsv } from '#src/read/csv.ts';
import type { ReadMovement, ReadSettings, ReadSummary } from '#src/read/movement.ts';
import { ofxEncoding, readOfx, xmlEncoding } from '#src/read/ofx.ts';
import { decoded } from '#src/read/text.ts';

/** A file of a bank, and what is known about how to read it. */
export type StatementFile =
  | ({ readonly format: 'cnab240' | 'ofx' | 'camt053' } & ReadSettings)
  | { readonly format: 'csv'; readonly mapping: CsvMapping };

/**
 * Reads a statement of any size up to 50 MiB in constant memory. Movements are given on as they are read; what they are
 * worth is known at the end, when the sums of the file hold.
 *
 * @param take gets movements in the order of the file, and is waited for
 * @throws UnreadableStatement naming the line and the field: then the whole file is refused
 */
export async function readStatementFile(
  chunks: AsyncIterable<Uint8Array>,
  file: StatementFile,
  take: (movements: readonly ReadMovement[]) => Promise<void> | void,
): Promise<ReadSummary> {
  const movements = readerOf(chunks, file);
  for (;;) {
    const step = await movements.next();
    if (step.done === true) return step.value;
    if (step.value.length > 0) await take(step.value);
  }
}

function readerOf(
  chunks: AsyncIterable<Uint8Array>,
  file: StatementFile,
): AsyncGenerator<readonly ReadMovement[], ReadSummary> {
  switch (file.format) {
    case 'cnab240':
      return readCnab240(
        decoded(chunks, () => 'windows-1252'),
        file,
      );
    case 'ofx':
      return readOfx(decoded(chunks, ofxEncoding), file);
    case 'camt053':
      return readCamt053(decoded(chunks, xmlEncoding), file);
    case 'csv':
      return readCsv(
        decoded(chunks, () => (file.mapping.encoding === 'latin-1' ? 'windows-1252' : 'utf-8')),
        file.mapping,
      );
  }
}
