import { hashBytes, hashFromBase64, ProofError, sizeFromText } from '#src/hash.ts';
import { openNote, signNote, splitNote, type NoteSigner, type NoteVerifier } from '#src/note.ts';
import type { TreeHead } from '#src/verify.ts';

/** What a log states of itself (C2SP tlog-checkpoint): its tree, and lines of its own. */
export interface Checkpoint extends TreeHead {
  /** The name of the log, for all time. */
  readonly origin: string;
  readonly extensions: readonly string[];
}

/** The text that is signed. */
function checkpointText({ origin, size, root, extensions }: Checkpoint): string {
  if (root.length !== hashBytes || !Number.isSafeInteger(size) || size < 0) throw new ProofError('not a tree');
  const lines = [origin, `${size}`, Buffer.from(root).toString('base64'), ...extensions];
  if (lines.some((line) => line === '' || line.includes('\n'))) throw new ProofError('a line has text of its own');
  return `${lines.join('\n')}\n`;
}

export function signCheckpoint(checkpoint: Checkpoint, signers: readonly NoteSigner[]): string {
  return signNote(checkpointText(checkpoint), signers);
}

/** Verifies the signed note of a checkpoint by the keys that are known. */
export function openCheckpoint(note: string, verifiers: readonly NoteVerifier[]): Checkpoint {
  return parseText(openNote(note, verifiers).text);
}

/** Reads a checkpoint without a look at its signatures: for what is one's own. */
export function parseCheckpoint(note: string): Checkpoint {
  return parseText(splitNote(note).text);
}

function parseText(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n');
  if (origin === '') throw new ProofError('a checkpoint has an origin');
  if (extensions.includes('')) throw new ProofError('a checkpoint has no empty lines');
  return { origin, size: sizeFromText(size), root: hashFromBase64(root), extensions };
}
