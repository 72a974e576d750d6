import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { DomainError } from '@gateway/contracts/errors';
import { mediaTypeOf } from '#src/files/check-file.ts';
import { jpegOf, pdfOf, pngOf } from '../harness/evidence-files.ts';

const refusalOf = (file: Buffer): string | undefined => {
  try {
    mediaTypeOf(file);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.details?.map(({ path, message }) => `${path} ${message}`).join();
  }
};
const after = (file: Buffer, more: string) => Buffer.concat([file, Buffer.from(more, 'latin1')]);
const inside = (file: Buffer, at: number, hex: string) =>
  Buffer.concat([file.subarray(0, at), Buffer.from(hex, 'hex'), file.subarray(at)]);
const archive = `PK\u0005\u0006${'\0'.repeat(18)}`;

test('a file is what its content says', () => {
  expect([pdfOf(), pngOf(), jpegOf()].map(mediaTypeOf)).toEqual(['application/pdf', 'image/png', 'image/jpeg']);
});

describe('a file is refused by name', () => {
  test.each([
    ['that is of another kind', Buffer.from('GIF89a'), 'must be a PDF, PNG or JPEG file'],
    ['whose kind is not at its beginning', after(Buffer.from('x'), pdfOf().toString('latin1')), 'must be a PDF'],
    ['that is empty', Buffer.alloc(0), 'must be a PDF'],
    ['that is a page too', pdfOf('<< /Title (<ScRiPt>alert(1)</script>) >>'), 'a page or a program'],
    ['that is an archive too', after(pngOf(), archive), 'a ZIP archive'],
    ['that is an archive with a document as its comment', archiveAround(pdfOf()), 'a ZIP archive'],
  ])('%s', (_what, file, words) => {
    expect(refusalOf(file)).toContain(`file must`);
    expect(refusalOf(file)).toContain(words);
  });

  test.each([
    ['that is cut off', pngOf().subarray(0, -6), 'whole PNG'],
    ['with more behind its end', after(pngOf(), 'more'), 'must end where its picture ends'],
    ['with two headers', inside(pngOf(), 33, pngOf().subarray(8, 33).toString('hex')), 'one header'],
    ['without one', Buffer.concat([pngOf().subarray(0, 8), pngOf().subarray(33)]), 'one header'],
    ['that says it is endless in width', pngOf({ width: 4_000_000_000 }), 'at most 12000 by 12000'],
    ['that says it is endless in height', pngOf({ height: 12_001 }), 'at most 12000 by 12000'],
    ['with too many pixels on allowed sides', pngOf({ width: 12_000, height: 12_000 }), '50000000 pixels'],
    ['with no pixels', pngOf({ width: 0 }), 'a width and a height'],
  ])('as a PNG picture %s', (_what, file, words) => expect(refusalOf(file)).toContain(words));

  test.each([
    ['that is cut off', jpegOf().subarray(0, -2), 'whole JPEG'],
    ['with more behind its end', after(jpegOf(), 'PK'), 'must end where its picture ends'],
    ['that is too large', jpegOf({ width: 65_000, height: 65_000 }), 'at most 12000'],
    ['without a frame', Buffer.from('ffd8ffd9', 'hex'), 'whole JPEG'],
    ['whose segment has no length', Buffer.from('ffd8ffe00001ffd9', 'hex'), 'whole JPEG'],
  ])('as a JPEG picture %s', (_what, file, words) => expect(refusalOf(file)).toContain(words));

  test.each([
    ['that is cut off', pdfOf().subarray(0, -8), 'whole PDF'],
    ['with more behind its end', after(pdfOf(), 'MZ more'), 'whole PDF'],
    ['that runs a script', pdfOf('<< /OpenAction << /S /JavaScript /JS (x) >> >>'), '/JavaScript'],
    ['that hides the name of one', pdfOf('<< /OpenAction << /S /J#61va#53cript /JS (x) >> >>'), '/JavaScript'],
    ['that starts a program', pdfOf('<< /S /Launch /F (cmd.exe) >>'), '/Launch'],
    ['that carries a file', pdfOf('<< /Names << /EmbeddedFiles 3 0 R >> >>'), '/EmbeddedFile'],
    ['that is encrypted', pdfOf('<< /Encrypt 4 0 R >>'), '/Encrypt'],
  ])('as a document %s', (_what, file, words) => expect(refusalOf(file)).toContain(words));
});

test('the data of a scan may have anything but the end of the picture', () => {
  expect(mediaTypeOf(jpegOf({ scan: 'ff00ffd0aaff00ffd7bb' }))).toBe('image/jpeg');
  expect(refusalOf(jpegOf({ scan: 'aaffd9bb' }))).toContain('must end where its picture ends');
});

test('whatever bytes follow a known beginning, the answer is a type or a refusal, and never a fault', () => {
  const beginnings = fc.constantFrom(
    ...['25504446 2d', '89504e470d0a1a0a', 'ffd8ff'].map((hex) => hex.replace(' ', '')),
  );
  fc.assert(
    fc.property(beginnings, fc.uint8Array({ maxLength: 200 }), (begins, bytes) => {
      const file = Buffer.concat([Buffer.from(begins, 'hex'), bytes]);
      expect(refusalOf(file) ?? mediaTypeOf(file)).toBeTypeOf('string');
    }),
    { numRuns: 2_000 },
  );
});

/** The directory's end has the document's end as its comment. */
function archiveAround(file: Buffer): Buffer {
  const end = Buffer.from('%%EOF\n');
  const directory = Buffer.from(archive, 'latin1');
  directory.writeUInt16LE(end.length, 20);
  return Buffer.concat([file, directory, end]);
}
