import { refusedFile } from '#src/files/refused-file.ts';

/** Readers look for the end mark this far from the end (ISO 32000-1, annex H.3). */
const endBytes = 1_024;
/** What a document does or carries, beside being read; each of them long enough not to occur by chance. */
const activeNames = ['JavaScript', 'Launch', 'EmbeddedFile', 'RichMedia', 'Encrypt'] as const;

/**
 * Reads a document without decoding it: it ends with its end mark, and what can be read of it names nothing that runs,
 * carries another file or is encrypted. What it holds in compressed streams is not looked into.
 *
 * @throws ValidationError naming `file`
 */
export function checkPdf(file: Buffer): void {
  const end = file.toString('latin1', Math.max(0, file.length - endBytes));
  if (!/%%EOF\s*$/.test(end)) throw refusedFile('must be a whole PDF document, with nothing after its end');
  // Any character of a name may be written as its number (ISO 32000-1, 7.3.5).
  const text = file
    .toString('latin1')
    .replaceAll(/#([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  const found = activeNames.find((name) => new RegExp(`/${name}s?(?![A-Za-z])`).test(text));
  if (found) throw refusedFile(`must not contain /${found}: print it to a new PDF`);
}
