import type { StoredFile } from '@gateway/contracts/deposits';
import { checkJpeg } from '#src/files/check-jpeg.ts';
import { checkPdf } from '#src/files/check-pdf.ts';
import { checkPng } from '#src/files/check-png.ts';
import { refusedFile } from '#src/files/refused-file.ts';

interface FileType {
  readonly mediaType: StoredFile['mediaType'];
  readonly extension: string;
  readonly begins: Buffer;
  readonly check: (file: Buffer) => void;
}

/** What evidence can be, by its first bytes. */
const fileTypes: readonly FileType[] = [
  { mediaType: 'application/pdf', extension: 'pdf', begins: Buffer.from('%PDF-'), check: checkPdf },
  { mediaType: 'image/png', extension: 'png', begins: Buffer.from('89504e470d0a1a0a', 'hex'), check: checkPng },
  { mediaType: 'image/jpeg', extension: 'jpg', begins: Buffer.from('ffd8ff', 'hex'), check: checkJpeg },
];

/** Without its dot; a file is served under this one, whatever its name says. */
export function extensionOf(mediaType: StoredFile['mediaType']): string {
  return fileTypes.find((type) => type.mediaType === mediaType)?.extension ?? 'bin';
}

/**
 * What a file is by its content. Nothing of it is decoded, here or later: what would be something else to another program
 * (an archive, a page), is cut off, or would take too much room to show, is refused.
 *
 * @throws ValidationError naming `file`
 */
export function mediaTypeOf(file: Buffer): StoredFile['mediaType'] {
  const type = fileTypes.find(({ begins }) => file.subarray(0, begins.length).equals(begins));
  if (!type) throw refusedFile('must be a PDF, PNG or JPEG file by its content');
  if (isArchive(file)) throw refusedFile('must not be a ZIP archive as well');
  if (isMarkup(file)) throw refusedFile('must not contain a page or a program');
  type.check(file);
  return type.mediaType;
}

const endOfDirectory = Buffer.from('504b0506', 'hex');
const directoryEndBytes = 22;
const commentBytesMax = 65_535;

/** A ZIP is read from its end: its directory's end may have a comment, which reaches to the end of the file. */
function isArchive(file: Buffer): boolean {
  const from = Math.max(0, file.length - directoryEndBytes - commentBytesMax);
  for (let at = file.indexOf(endOfDirectory, from); at !== -1; at = file.indexOf(endOfDirectory, at + 1)) {
    if (at + directoryEndBytes > file.length) return false;
    if (at + directoryEndBytes + file.readUInt16LE(at + 20) === file.length) return true;
  }
  return false;
}

/** As far as browsers look for it (WHATWG MIME Sniffing, 7.1). */
const sniffedBytes = 1_445;

function isMarkup(file: Buffer): boolean {
  return /<(!doctype|html|script|svg|\?php|iframe)/i.test(file.toString('latin1', 0, sniffedBytes));
}
