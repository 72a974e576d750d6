import { expect, test } from 'vitest';
import {
  consistencyProof,
  emptyRoot,
  hashOf,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  type Stretch,
  type TreeNode,
} from '#src/index.ts';
import { nodeHash } from '#src/hash.ts';

// The eight records, roots and proofs with which the implementations of Certificate Transparency test themselves.
const records = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => Buffer.from(hex, 'hex'));

const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const recordAt = (index: number) => records[index] ?? Buffer.alloc(0);

function nodeOf({ level, index }: TreeNode): Uint8Array {
  if (level === 0) return leafHash(recordAt(index));
  return nodeHash(nodeOf({ level: level - 1, index: 2 * index }), nodeOf({ level: level - 1, index: 2 * index + 1 }));
}

const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');
const hashesOf = (proof: readonly Stretch[]) => proof.map((stretch) => hashOf(stretch, nodeOf));
const treeOf = (size: number) => ({ size, root: Buffer.from(roots[size] ?? '', 'hex') });

test('the trees of Certificate Transparency have their published roots', () => {
  expect(roots.map((_, size) => hex(hashOf({ start: 0, end: size }, nodeOf)))).toEqual(roots);
  expect(hex(emptyRoot)).toBe(roots[0]);
});

test.each([
  [0, 1, []],
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
])('record %i of %i has its published proof', (index, size, published) => {
  const hashes = hashesOf(inclusionProof(index, size));
  expect(hashes.map(hex)).toEqual(published);
  expect(isIncluded({ leaf: leafHash(recordAt(index)), index, tree: treeOf(size), hashes })).toBe(true);
});

test.each([
  [1, 1, []],
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
])('the tree of %i and the tree of %i have their published proof of consistency', (from, to, published) => {
  const hashes = hashesOf(consistencyProof(from, to));
  expect(hashes.map(hex)).toEqual(published);
  expect(isConsistent(treeOf(from), treeOf(to), hashes)).toBe(true);
});
