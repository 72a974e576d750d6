import { expect, test, vi } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { drawQr } from '#src/pages/draw-qr.ts';
import { KeptPictures, type PictureOf } from '#src/pages/kept-pictures.ts';

const of: PictureOf = { environment: 'live', accountId: 'acc_1', id: 'dep_1', format: 'png' };
const emv = '00020126580014br.gov.bcb.pix';

test('a picture is drawn once, and found by its owner alone', async () => {
  const draw = vi.fn(drawQr);
  const pictures = new KeptPictures(draw);
  expect(pictures.find(of)).toBeUndefined();
  const [first, second] = await Promise.all([pictures.draw(of, emv), pictures.draw(of, emv)]);
  expect(second).toBe(first);
  expect(pictures.find(of)).toBe(first);
  expect(draw).toHaveBeenCalledTimes(1);
  for (const other of [{ accountId: 'acc_2' }, { environment: 'test' as const }, { format: 'svg' as const }]) {
    expect(pictures.find({ ...of, ...other })).toBeUndefined();
  }
});

test('of more pictures than are kept, the one not asked for the longest is drawn again', async () => {
  const pictures = new KeptPictures(async () => Buffer.from('picture'));
  const nth = (index: number) => ({ ...of, id: `dep_${index}` });
  for (let index = 0; index < 2_000; index += 1) await pictures.draw(nth(index), emv);
  expect(pictures.find(nth(0))).toBeDefined();
  await pictures.draw(nth(2_000), emv);
  expect([pictures.find(nth(0)), pictures.find(nth(1))]).toEqual([expect.anything(), undefined]);
});

test('more drawings at once than the limit are refused with 503 and a time to come back', async () => {
  const ending = Promise.withResolvers<Buffer>();
  const pictures = new KeptPictures(() => ending.promise);
  const drawings = Array.from({ length: 32 }, (_, index) => pictures.draw({ ...of, id: `dep_${index}` }, emv));
  const refusal = await pictures.draw({ ...of, id: 'dep_one_more' }, emv).catch((error: unknown) => error);
  // One that is under way already costs nothing more.
  const joined = pictures.draw({ ...of, id: 'dep_0' }, emv);
  expect(refusal).toBeInstanceOf(DomainError);
  expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1 });
  ending.resolve(Buffer.from('picture'));
  expect(await Promise.all([...drawings, joined])).toHaveLength(33);
});
