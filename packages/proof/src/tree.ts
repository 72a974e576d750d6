import { emptyRoot, nodeHash, ProofError } from '#src/hash.ts';

/**
 * A subtree that is complete: node `index` of `level` has the records from `index * 2^level` on, 2^level of them. Its
 * hash is the same in every tree that has these records.
 */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
}

/** Records from `start` to before `end`. Proofs consist of the hashes of such stretches. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export type NodeLookup = (node: TreeNode) => Uint8Array;

/** The largest power of two below a size of two or more: where a tree divides (RFC 9162, 2.1.1). */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The complete subtrees of a stretch, from left to right. It begins where a subtree of its length may begin. */
export function nodesOf({ start, end }: Stretch): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let at = start; at < end;) {
    let [level, width] = [0, 1];
    while (width * 2 <= end - at && at % (width * 2) === 0) {
      level += 1;
      width *= 2;
    }
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
}

export function hashOf(stretch: Stretch, lookup: NodeLookup): Uint8Array {
  const hashes = nodesOf(stretch).map(lookup);
  return (
    hashes.reduceRight<Uint8Array | undefined>((right, left) => (right ? nodeHash(left, right) : left), undefined) ??
    emptyRoot
  );
}

/** The root of the tree of the first `size` records. */
export function rootOf(size: number, lookup: NodeLookup): Uint8Array {
  return hashOf({ start: 0, end: size }, lookup);
}

/** What proves that a record is in a tree, from the leaf's sibling to the root's child (RFC 9162, 2.1.3.1). */
export function inclusionProof(index: number, size: number): Stretch[] {
  if (!(index >= 0 && index < size)) throw new ProofError(`no record ${index} in a tree of ${size}`);
  const proof: Stretch[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      proof.push({ start: middle, end });
      end = middle;
    } else {
      proof.push({ start, end: middle });
      start = middle;
    }
  }
  return proof.reverse();
}

/** What proves that a tree only grew from one size to another (RFC 9162, 2.1.4.1). */
export function consistencyProof(from: number, to: number): Stretch[] {
  if (!(from >= 0 && from <= to)) throw new ProofError(`a tree does not grow from ${from} to ${to}`);
  if (from === 0 || from === to) return [];
  const proof: Stretch[] = [];
  let [start, end] = [0, to];
  while (from !== end) {
    const middle = start + splitOf(end - start);
    if (from <= middle) {
      proof.push({ start: middle, end });
      end = middle;
    } else {
      proof.push({ start, end: middle });
      start = middle;
    }
  }
  // The verifier has the old root already where it is a subtree of the new tree.
  if (start > 0) proof.push({ start, end });
  return proof.reverse();
}
