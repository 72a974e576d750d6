import { emptyRoot, nodeHash } from '#src/hash.ts';

/** A tree by its size and root, as a checkpoint names it. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

export interface InclusionClaim {
  /** The hash of the record as a leaf. */
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly tree: TreeHead;
  readonly hashes: readonly Uint8Array[];
}

/** Whether the hashes prove that the leaf is in the tree at this index (RFC 9162, 2.1.3.2). */
export function isIncluded({ leaf, index, tree, hashes }: InclusionClaim): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(tree.size) || index < 0 || index >= tree.size) return false;
  let [position, last] = [index, tree.size - 1];
  let root = leaf;
  for (const hash of hashes) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      root = nodeHash(hash, root);
      while (position % 2 === 0 && position > 0) [position, last] = [half(position), half(last)];
    } else {
      root = nodeHash(root, hash);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && areEqual(root, tree.root);
}

/** Whether the hashes prove that the later tree begins with the records of the earlier one (RFC 9162, 2.1.4.2). */
export function isConsistent(earlier: TreeHead, later: TreeHead, hashes: readonly Uint8Array[]): boolean {
  if (!Number.isSafeInteger(earlier.size) || !Number.isSafeInteger(later.size)) return false;
  if (earlier.size < 0 || earlier.size > later.size) return false;
  if (earlier.size === later.size) return hashes.length === 0 && areEqual(earlier.root, later.root);
  if (earlier.size === 0) return hashes.length === 0 && areEqual(earlier.root, emptyRoot);
  let [position, last] = [earlier.size - 1, later.size - 1];
  while (position % 2 === 1) [position, last] = [half(position), half(last)];
  const isSubtree = position === 0;
  const [first, ...rest] = isSubtree ? [earlier.root, ...hashes] : hashes;
  if (!first) return false;
  let [oldRoot, newRoot] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      [oldRoot, newRoot] = [nodeHash(hash, oldRoot), nodeHash(hash, newRoot)];
      while (position % 2 === 0 && position > 0) [position, last] = [half(position), half(last)];
    } else {
      newRoot = nodeHash(newRoot, hash);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && areEqual(oldRoot, earlier.root) && areEqual(newRoot, later.root);
}

/** Sizes may exceed the 32 bits of JavaScript's shifts. */
function half(number: number): number {
  return Math.floor(number / 2);
}

/** Hashes are public, so the time of the comparison gives nothing away. */
function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
