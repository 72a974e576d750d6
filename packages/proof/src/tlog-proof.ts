import { parseCheckpoint } from '#src/checkpoint.ts';
import { fromBase64, hashFromBase64, ProofError, sizeFromText } from '#src/hash.ts';

/** That a record is in the tree of a checkpoint, in one text that is verified offline (C2SP tlog-proof). */
export interface TlogProof {
  /** What the reader needs beside the record; without meaning to the proof. */
  readonly extra?: Uint8Array;
  readonly index: number;
  /** From the leaf's sibling to the root's child. */
  readonly hashes: readonly Uint8Array[];
  /** The signed note, as it was signed. */
  readonly checkpoint: string;
}

const firstLine = 'c2sp.org/tlog-proof@v1';

export function tlogProofText({ extra, index, hashes, checkpoint }: TlogProof): string {
  const lines = [
    firstLine,
    ...(extra ? [`extra ${Buffer.from(extra).toString('base64')}`] : []),
    `index ${index}`,
    ...hashes.map((hash) => Buffer.from(hash).toString('base64')),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** Reads a proof. It proves nothing yet: the checkpoint's signature and the inclusion are to be verified. */
export function parseTlogProof(text: string): TlogProof {
  const end = text.indexOf('\n\n');
  if (end < 0) throw new ProofError('a proof ends with a checkpoint');
  const [first, ...lines] = text.slice(0, end).split('\n');
  if (first !== firstLine) throw new ProofError(`a proof begins with ${firstLine}`);
  const extra = lines[0]?.startsWith('extra ') ? fromBase64(lines.shift()?.slice('extra '.length) ?? '') : undefined;
  const [indexLine = '', ...hashLines] = lines;
  if (!indexLine.startsWith('index ')) throw new ProofError('a proof has an index');
  const checkpoint = text.slice(end + 2);
  parseCheckpoint(checkpoint);
  return {
    ...(extra && { extra }),
    index: sizeFromText(indexLine.slice('index '.length)),
    hashes: hashLines.map(hashFromBase64),
    checkpoint,
  };
}
