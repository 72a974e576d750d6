import { refusedFile, requireShowable } from '#src/files/refused-file.ts';

const signatureBytes = 8;
/** Length, type and checksum of a chunk, without its content. */
const chunkBytes = 12;
const headerBytes = 13;

/**
 * Walks through the chunks without decoding one (ISO/IEC 15948, 5.3): one header, first; nothing after the end.
 *
 * @throws ValidationError naming `file`
 */
export function checkPng(file: Buffer): void {
  for (let at = signatureBytes; at + chunkBytes <= file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const end = at + chunkBytes + length;
    if (end > file.length) break;
    if ((type === 'IHDR') !== (at === signatureBytes)) throw refusedFile('must be a PNG picture with one header');
    if (type === 'IHDR') {
      if (length !== headerBytes) throw refusedFile('must be a PNG picture with one header');
      requireShowable(file.readUInt32BE(at + 8), file.readUInt32BE(at + 12));
    }
    if (type === 'IEND') {
      if (end === file.length) return;
      throw refusedFile('must end where its picture ends: save it again');
    }
    at = end;
  }
  throw refusedFile('must be a whole PNG picture');
}
