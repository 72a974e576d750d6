import { expect, test } from 'vitest';
import { disagreementWith, type ChainAtLink } from '#src/witnesses/witness.ts';

const hash = 'a'.repeat(64);
const seen = { shard: 0, incarnation: 0, sequence: 10, hash };
const chain: ChainAtLink = { incarnation: 0, head: 10, kept: null, hash };

test.each([
  ['the chain ends at it', {}, null],
  ['the chain has gone on', { head: 900 }, null],
  ['the chain does not reach it', { head: 9, hash: null }, 'ahead'],
  ['the chain has another link there', { head: 900, hash: 'b'.repeat(64) }, 'differs'],
  ['its partition was taken away long ago', { head: 900, hash: null }, null],
  [
    'it was lost, and operators have let the chain go on from before',
    { incarnation: 1, kept: 9, hash: 'c'.repeat(64) },
    null,
  ],
  ['it was kept when operators let the chain go on', { incarnation: 1, kept: 10 }, null],
  ['it was kept then, and is another one now', { incarnation: 1, kept: 10, hash: 'c'.repeat(64) }, 'differs'],
] as const)('a link that a witness has seen, where %s', (_where, differently, disagreement) => {
  expect(disagreementWith(seen, { ...chain, ...differently })).toBe(disagreement);
});

test('a link of an incarnation that the ledger does not know is beyond its chain, whatever its number', () => {
  expect(disagreementWith({ ...seen, incarnation: 1, sequence: 1 }, chain)).toBe('ahead');
});
