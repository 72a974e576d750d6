import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  consistencyProof,
  edgeOf,
  emptyRoot,
  GrowingRoot,
  growTiles,
  hashOf,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  nodeOfTile,
  nodesOf,
  ProofError,
  rootOf,
  tileOf,
  type InclusionClaim,
  type NodeLookup,
  type Tile,
  type TreeHead,
} from '#src/index.ts';

const sizeMax = 300;
const records = Array.from({ length: sizeMax }, (_, index) => Buffer.alloc(32, `record ${index}`));

/** The tiles of a tree that got its records in portions, as a store keeps them. */
function tilesOf(size: number, portion: number): Tile[] {
  const stored = new Map<string, Tile>();
  for (let at = 0; at < size; at += portion) {
    const edge = edgeOf(at).flatMap(({ level, index }) => stored.get(`${level}/${index}`) ?? []);
    const grown = growTiles(at, edge, Buffer.concat(records.slice(at, Math.min(size, at + portion))));
    for (const tile of grown) stored.set(`${tile.level}/${tile.index}`, tile);
  }
  return [...stored.values()];
}

/** Nodes out of tiles, each computed once. */
function lookupIn(tiles: readonly Tile[]): NodeLookup {
  const known = new Map<string, Uint8Array>();
  return (node) => {
    const key = `${node.level}/${node.index}`;
    const { level, index } = tileOf(node);
    const tile = tiles.find((candidate) => candidate.level === level && candidate.index === index);
    if (!tile) throw new Error(`no tile ${level}/${index}`);
    const hash = known.get(key) ?? nodeOfTile(tile, node);
    known.set(key, hash);
    return hash;
  };
}

const lookup = lookupIn(tilesOf(sizeMax, sizeMax));
const treeOf = (size: number): TreeHead => ({ size, root: rootOf(size, lookup) });
const trees = Array.from({ length: sizeMax + 1 }, (_, size) => treeOf(size));
const leaves = records.map(leafHash);

const provenIncluded = (index: number, tree: TreeHead): InclusionClaim => {
  const hashes = inclusionProof(index, tree.size).map((stretch) => hashOf(stretch, lookup));
  return { leaf: leaves[index] ?? emptyRoot, index, tree, hashes };
};
const provenConsistent = (earlier: TreeHead, later: TreeHead) =>
  consistencyProof(earlier.size, later.size).map((stretch) => hashOf(stretch, lookup));

const flipped = (hash: Uint8Array, at: number) => {
  const other = Buffer.from(hash);
  other.writeUInt8(other.readUInt8(at % 32) ^ 1, at % 32);
  return other;
};
/** The proofs that differ in a byte of one hash. */
const flippedProofs = (hashes: readonly Uint8Array[]) =>
  hashes.map((_, at) => hashes.map((hash, place) => (place === at ? flipped(hash, 7 * at) : hash)));

test('every record is proven in every tree of up to 300', () => {
  const unproven = trees.flatMap((tree) =>
    leaves
      .slice(0, tree.size)
      .flatMap((_, index) => (isIncluded(provenIncluded(index, tree)) ? [] : [[index, tree.size]])),
  );
  expect(unproven).toEqual([]);
});

test('any two trees of up to 300 are proven consistent', () => {
  const unproven = trees.flatMap((later) =>
    trees
      .slice(0, later.size + 1)
      .flatMap((earlier) =>
        isConsistent(earlier, later, provenConsistent(earlier, later)) ? [] : [[earlier.size, later.size]],
      ),
  );
  expect(unproven).toEqual([]);
});

/** Powers of two, their neighbours, and others. */
const sizes = fc.oneof(
  fc.constantFrom(1, 2, 3, 127, 128, 129, 255, 256, 257, 300),
  fc.integer({ min: 1, max: sizeMax }),
);

test('no other leaf, index, size, root or hash is proven with the proof of a record', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(), (size, record, byte) => {
      const claim = provenIncluded(record % size, treeOf(size));
      const { leaf, index, tree, hashes } = claim;
      const wrong = [
        { ...claim, leaf: flipped(leaf, byte) },
        { ...claim, tree: { ...tree, root: flipped(tree.root, byte) } },
        ...flippedProofs(hashes).map((other) => ({ ...claim, hashes: other })),
        { ...claim, hashes: [...hashes, tree.root] },
        { ...claim, index: size },
        { ...claim, index: -1 },
        ...(size > 1
          ? [
              { ...claim, hashes: hashes.slice(0, -1) },
              { ...claim, index: (index + 1) % size },
            ]
          : []),
      ];
      expect(wrong.filter(isIncluded)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('no other root, size or hash is proven with the proof that a tree grew', () => {
  fc.assert(
    fc.property(sizes, sizes, fc.nat(), (one, other, byte) => {
      const [earlier, later] = [treeOf(Math.min(one, other)), treeOf(Math.max(one, other))];
      const hashes = provenConsistent(earlier, later);
      expect(isConsistent({ ...earlier, root: flipped(earlier.root, byte) }, later, hashes)).toBe(false);
      expect(isConsistent(earlier, { ...later, root: flipped(later.root, byte) }, hashes)).toBe(false);
      expect(isConsistent(earlier, later, [...hashes, later.root])).toBe(false);
      expect(isConsistent({ ...earlier, size: earlier.size - 1 }, later, hashes)).toBe(false);
      for (const wrong of flippedProofs(hashes)) expect(isConsistent(earlier, later, wrong)).toBe(false);
      if (hashes.length > 0) expect(isConsistent(earlier, later, hashes.slice(0, -1))).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test('a root that grows by one record at a time, from any size on, is the root of each tree', () => {
  for (const from of [0, 1, 5, 256, 299]) {
    const growing = from === 0 ? GrowingRoot.empty() : new GrowingRoot(from, lookup);
    for (const record of records.slice(from)) {
      expect(Buffer.compare(growing.root, trees[growing.size]?.root ?? emptyRoot)).toBe(0);
      growing.append(record);
    }
    expect(Buffer.from(growing.root)).toEqual(Buffer.from(treeOf(sizeMax).root));
  }
});

test('a tree that grows in portions of any size has the same tiles', () => {
  const texts = (tiles: readonly Tile[]) =>
    tiles.map(({ level, index, hashes }) => `${level}/${index} ${Buffer.from(hashes).toString('hex')}`).sort();
  fc.assert(
    fc.property(sizes, sizes, (size, portion) => {
      const grown = tilesOf(size, portion);
      expect(texts(grown)).toEqual(texts(tilesOf(size, size)));
      expect(Buffer.from(rootOf(size, lookupIn(grown)))).toEqual(Buffer.from(treeOf(size).root));
    }),
    { numRuns: 60 },
  );
});

describe('tiles', () => {
  test('of a tree of 70,000 stand on three levels, the last of each as wide as the tree has it', () => {
    const grown = growTiles(0, [], Buffer.alloc(70_000 * 32));
    const last = (level: number) =>
      grown.filter((tile) => tile.level === level).map(({ index, hashes }) => [index, hashes.length / 32]);
    expect(last(0)).toHaveLength(274);
    expect(last(0).at(-1)).toEqual([273, 112]);
    expect(last(1)).toEqual([
      [0, 256],
      [1, 17],
    ]);
    expect(last(2)).toEqual([[0, 1]]);
    expect(edgeOf(70_000)).toEqual([
      { level: 0, index: 273, width: 112 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]);
  });

  test('a proof over a tree larger than 32 bits asks for few hashes, of tiles that are there', () => {
    const size = 2 ** 40 + 12_345;
    const proof = inclusionProof(2 ** 39 + 5, size);
    expect(proof).toHaveLength(41);
    for (const node of proof.flatMap(nodesOf)) {
      const { level, index } = tileOf(node);
      expect(index).toBeLessThanOrEqual(Math.floor(size / 256 ** (level + 1)));
    }
  });

  test('that do not belong to the size are refused, and so is half a record', () => {
    expect(() => growTiles(3, [], Buffer.alloc(32))).toThrow(ProofError);
    expect(() => growTiles(3, [{ level: 0, index: 0, hashes: Buffer.alloc(64) }], Buffer.alloc(32))).toThrow(
      ProofError,
    );
    expect(() => growTiles(0, [], Buffer.alloc(33))).toThrow(ProofError);
    expect(() => nodeOfTile({ level: 0, index: 0, hashes: Buffer.alloc(64) }, { level: 1, index: 1 })).toThrow(
      ProofError,
    );
  });
});

test('a record outside of the tree and a tree that shrank have no proof', () => {
  expect(() => inclusionProof(3, 3)).toThrow(ProofError);
  expect(() => inclusionProof(-1, 3)).toThrow(ProofError);
  expect(() => consistencyProof(4, 3)).toThrow(ProofError);
  const [empty, three, four] = [treeOf(0), treeOf(3), treeOf(4)];
  expect(empty.root).toEqual(emptyRoot);
  expect(isConsistent(four, three, [])).toBe(false);
  expect(isConsistent(empty, empty, [])).toBe(true);
  expect(isConsistent({ ...empty, size: 0.5 }, three, [])).toBe(false);
});
