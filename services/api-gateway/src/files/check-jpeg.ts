import { refusedFile, requireShowable } from '#src/files/refused-file.ts';

const endOfImage = 0xd9;
const startOfScan = 0xda;
/** Frame headers are C0 to CF, but for these three (ITU-T T.81, table B.1). */
const noFrames: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/**
 * Walks through the segments without decoding one (ITU-T T.81, annex B): a frame with a size, and nothing after the end.
 *
 * @throws ValidationError naming `file`
 */
export function checkJpeg(file: Buffer): void {
  let hasFrame = false;
  for (let at = 2; at + 2 <= file.length;) {
    if (file[at] !== 0xff) break;
    const marker = file[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) {
      if (at + 2 !== file.length) throw refusedFile('must end where its picture ends: save it again');
      if (hasFrame) return;
      break;
    }
    if (isAlone(marker)) {
      at += 2;
      continue;
    }
    if (at + 4 > file.length) break;
    const length = file.readUInt16BE(at + 2);
    if (length < 2) break;
    if (marker >= 0xc0 && marker <= 0xcf && !noFrames.has(marker)) {
      if (at + 9 > file.length) break;
      requireShowable(file.readUInt16BE(at + 7), file.readUInt16BE(at + 5));
      hasFrame = true;
    }
    at += 2 + length;
    if (marker === startOfScan) at = afterScan(file, at);
  }
  throw refusedFile('must be a whole JPEG picture');
}

/** Markers without a length: those that begin the image and restart a scan. */
function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** Where the next segment begins: in the data of a scan, FF is followed by 0 or restarts it. */
function afterScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return file.length;
}
