import { expect, test } from 'vitest';
import { aboutOf, explanationsOf, resolutionOf } from '#src/exceptions/describe-exception.ts';
import type { ExceptionDetail } from '#src/generated/types.gen.ts';

const detail = (members: Partial<Record<'lines' | 'sides' | 'candidates', number>>) =>
  Object.fromEntries(
    ['lines', 'sides', 'candidates'].map((name) => [
      name,
      Array.from({ length: { ...members }[name as 'lines'] ?? 0 }),
    ]),
  ) as unknown as ExceptionDetail;

test.each([
  [{ lines: 1 }, ['foreign', 'own_transfer', 'provider_fee']],
  [{ lines: 1, candidates: 2 }, ['match', 'foreign', 'own_transfer', 'provider_fee']],
  [{ sides: 1, candidates: 1 }, ['match']],
  [{ lines: 1, sides: 1 }, []],
  [{ sides: 2 }, []],
])('with %o it can be proposed to be %o', (members, expected) => {
  expect(explanationsOf(detail(members))).toEqual(expected);
});

test('what is chosen is proposed as the interface names it', () => {
  expect(resolutionOf('match', 'seen', 'payment:dep_1')).toEqual({
    action: 'match',
    note: 'seen',
    with: 'payment:dep_1',
  });
  expect(resolutionOf('foreign', 'theirs', undefined)).toEqual({ action: 'foreign', note: 'theirs' });
  expect(resolutionOf('own_transfer', 'ours', undefined)).toEqual({
    action: 'declare',
    note: 'ours',
    with: 'own_transfer',
  });
});

test('what an exception is about is a kind with words, and what names it; a subject of another form is shown as it is', () => {
  const words = { payment: 'Payment', own_transfer: 'Own transfer' };
  expect(aboutOf('payment:dep_1', words)).toEqual({ kind: 'payment', key: 'dep_1' });
  expect(aboutOf('line:own_transfer:efi:E1', words)).toEqual({ kind: 'own_transfer', key: 'efi:E1' });
  expect(aboutOf('toString:x', words)).toBeUndefined();
  expect(aboutOf('dep_1', words)).toBeUndefined();
});
