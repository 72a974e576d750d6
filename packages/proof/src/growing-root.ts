import { emptyRoot, leafHash, nodeHash } from '#src/hash.ts';
import { nodesOf, type NodeLookup } from '#src/tree.ts';

/** The root of a tree to which records are appended, in the memory of one hash per level. */
export class GrowingRoot {
  /** The complete subtrees from left to right, the largest first. */
  readonly #subtrees: { readonly level: number; readonly hash: Uint8Array }[];
  #size: number;

  /** Begins with the tree of the first `size` records, whose complete subtrees the lookup has. */
  constructor(size: number, lookup: NodeLookup) {
    this.#subtrees = nodesOf({ start: 0, end: size }).map((node) => ({ level: node.level, hash: lookup(node) }));
    this.#size = size;
  }

  static empty(): GrowingRoot {
    return new GrowingRoot(0, () => emptyRoot);
  }

  get size(): number {
    return this.#size;
  }

  append(record: Uint8Array): void {
    let subtree = { level: 0, hash: leafHash(record) as Uint8Array };
    for (let last = this.#subtrees.at(-1); last?.level === subtree.level; last = this.#subtrees.at(-1)) {
      this.#subtrees.pop();
      subtree = { level: subtree.level + 1, hash: nodeHash(last.hash, subtree.hash) };
    }
    this.#subtrees.push(subtree);
    this.#size += 1;
  }

  get root(): Uint8Array {
    const hashes = this.#subtrees.map(({ hash }) => hash);
    return (
      hashes.reduceRight<Uint8Array | undefined>((right, left) => (right ? nodeHash(left, right) : left), undefined) ??
      emptyRoot
    );
  }
}
