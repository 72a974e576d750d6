import { createHash, createPrivateKey } from 'node:crypto';
import {
  consistencyProof,
  growTiles,
  hashOf,
  inclusionProof,
  nodeOfTile,
  noteSigner,
  rootOf,
  signCheckpoint,
  tileOf,
  tlogProofText,
  type NoteSigner,
  type Stretch,
  type TreeNode,
} from '@gateway/proof';

/** A key that is the same in every run. */
function signerOf(origin: string, seed: number): NoteSigner {
  const key = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]);
  return noteSigner(origin, createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
}

/** A movement as it stands in a link. */
export type EntryTuple = [string, string, string, number, string, number, string, string, number];

/** A ledger of links that are made up, with its tree: what receipts are made of, without a gateway. */
export class SampleLedger {
  readonly origin: string;
  readonly signer: NoteSigner;
  readonly #tiles = new Map<string, Uint8Array>();
  readonly #texts: string[];
  /** By the size. */
  readonly #checkpoints = new Map<number, string>();

  constructor(texts: string[], { origin = 'pay.example.com/ledger/live.0', seed = 1 } = {}) {
    this.origin = origin;
    this.signer = signerOf(origin, seed);
    this.#texts = texts;
    const records = Buffer.concat(texts.map((text) => createHash('sha256').update(text).digest()));
    for (const { level, index, hashes } of growTiles(0, [], records)) this.#tiles.set(`${level} ${index}`, hashes);
  }

  /** Deposits of one account, each a link: numbers, balances and references without a gap. */
  static ofDeposits(links: number, options: { origin?: string; seed?: number; amount?: number } = {}): SampleLedger {
    const { amount = 9_850 } = options;
    return new SampleLedger(
      Array.from({ length: links }, (_, index) => depositLink(index + 1, amount)),
      options,
    );
  }

  checkpoint(size = this.#texts.length): string {
    const known = this.#checkpoints.get(size);
    if (known !== undefined) return known;
    const root = rootOf(size, this.#hash);
    const checkpoint = signCheckpoint({ origin: this.origin, size, root, extensions: [] }, [this.signer]);
    this.#checkpoints.set(size, checkpoint);
    return checkpoint;
  }

  /** A checkpoint, or what ends with it, with a second signature under it as the ledger makes one. */
  signedTwice(file: string, second: NoteSigner, size = this.#texts.length): string {
    const root = rootOf(size, this.#hash);
    const note = signCheckpoint({ origin: this.origin, size, root, extensions: [] }, [second]);
    return file + note.slice(note.indexOf('\n\n') + 2);
  }

  receipt(sequence: number, size = this.#texts.length): string {
    const hashes = this.#hashesOf(inclusionProof(sequence - 1, size));
    const extra = Buffer.from(this.#texts[sequence - 1] ?? '');
    return tlogProofText({ extra, index: sequence - 1, hashes, checkpoint: this.checkpoint(size) });
  }

  consistency(from: number, to = this.#texts.length): string {
    const hashes = this.#hashesOf(consistencyProof(from, to)).map((hash) => Buffer.from(hash).toString('base64'));
    return [`old ${from}`, ...hashes, '', this.checkpoint(to)].join('\n');
  }

  readonly #hash = (node: TreeNode): Uint8Array => {
    const place = tileOf(node);
    const hashes = this.#tiles.get(`${place.level} ${place.index}`) ?? new Uint8Array();
    return nodeOfTile({ ...place, hashes }, node);
  };

  #hashesOf(stretches: readonly Stretch[]): Uint8Array[] {
    return stretches.map((stretch) => hashOf(stretch, this.#hash));
  }
}

export function depositEntry(number: number, amount: number): EntryTuple {
  return [`led_${number}`, 'acc_x', 'BRL', number, 'DEPOSIT_NET', amount, 'deposit', `dep_${number}`, amount * number];
}

function depositLink(number: number, amount: number): string {
  return linkText(number, [depositEntry(number, amount)]);
}

/** A link as the ledger writes it. */
export function linkText(sequence: number, entries: readonly EntryTuple[]): string {
  const postings = entries.map(([, account, currency, , , amount]) => [account, 'available', currency, amount]);
  const time = 1_795_176_000_000 + sequence;
  const command = [`command-${sequence}`, 'ab'.repeat(32), 'applied', null, [], []];
  return JSON.stringify(['0'.repeat(64), 'live', 0, sequence, time, ...command, postings, entries]);
}
