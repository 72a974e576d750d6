export * from '#src/checkpoint.ts';
export { cosignatureOf, readWitnessKey, type WitnessKey } from '#src/cosignature.ts';
export { GrowingRoot } from '#src/growing-root.ts';
export { emptyRoot, hashBytes, leafHash, ProofError } from '#src/hash.ts';
export {
  noteSigner,
  openNote,
  readTextVerifier,
  readVerifier,
  signNote,
  textSigner,
  type NoteSigner,
  type NoteVerifier,
} from '#src/note.ts';
export * from '#src/tiles.ts';
export * from '#src/tlog-proof.ts';
export {
  consistencyProof,
  hashOf,
  inclusionProof,
  nodesOf,
  rootOf,
  type NodeLookup,
  type Stretch,
  type TreeNode,
} from '#src/tree.ts';
export * from '#src/verify.ts';
