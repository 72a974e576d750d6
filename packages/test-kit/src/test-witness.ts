import { createHash, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const rawKey = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).subarray(-32);
const keyId = (name: string, typed: Buffer) => sha256(Buffer.from(`${name}\n`), typed).subarray(0, 4);

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly media?: string;
}

/**
 * A witness as C2SP tlog-witness and tlog-cosignature describe it, with nothing of the product: it knows one log by its
 * key, and signs a checkpoint only on the proof that it contains the last one that it has signed.
 */
export class TestWitness implements Disposable {
  readonly name = 'witness.example/w1';
  readonly requests: string[] = [];
  readonly #keys = generateKeyPairSync('ed25519');
  readonly #logKey: string;
  readonly #server: Server;
  signed = { size: 0, root: Buffer.alloc(0) };
  /** Instead of what it should answer. */
  instead: ((answer: Answer) => Answer) | undefined;

  private constructor(logKey: string) {
    this.#logKey = logKey;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const isFor = request.method === 'POST' && request.url === '/w/add-checkpoint';
        if (isFor) this.requests.push(body);
        const answer = isFor ? this.#add(body) : { status: 404, text: '' };
        const { status, text, media = 'text/plain' } = this.instead?.(answer) ?? answer;
        response.writeHead(status, { 'content-type': media }).end(text);
      });
    });
  }

  static async start(logKey: string): Promise<TestWitness> {
    const witness = new TestWitness(logKey);
    await new Promise<void>((resolve) => witness.#server.listen(0, '127.0.0.1', resolve));
    return witness;
  }

  [Symbol.dispose](): void {
    this.#server.close();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/w`;
  }

  get vkey(): string {
    const typed = Buffer.concat([Buffer.of(4), rawKey(this.#keys.publicKey)]);
    return `${this.name}+${keyId(this.name, typed).toString('hex')}+${typed.toString('base64')}`;
  }

  /** A line for a text, signed at a time. */
  lineOf(text: string, second: number): string {
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(second));
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${second}\n${text}`), this.#keys.privateKey);
    const id = keyId(this.name, Buffer.concat([Buffer.of(4), rawKey(this.#keys.publicKey)]));
    return `\u2014 ${this.name} ${Buffer.concat([id, time, signature]).toString('base64')}\n`;
  }

  #add(body: string): Answer {
    const [head = '', ...rest] = body.split('\n\n');
    const note = rest.join('\n\n');
    const [old = '', ...path] = head.split('\n');
    const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
    const [origin, sizeLine = '', rootLine = ''] = text.split('\n');
    if (!old.startsWith('old ') || origin !== this.#logKey.split('+')[0]) return { status: 404, text: '' };
    if (!this.#isSignedByLog(note, text)) return { status: 403, text: '' };
    const [from, size, root] = [Number(old.slice(4)), Number(sizeLine), Buffer.from(rootLine, 'base64')];
    if (from > size) return { status: 400, text: '' };
    const isOther = from === size && this.signed.size === size && !this.signed.root.equals(root);
    if (from !== this.signed.size || isOther) {
      return { status: 409, text: `${this.signed.size}\n`, media: 'text/x.tlog.size' };
    }
    const proof = path.map((line) => Buffer.from(line, 'base64'));
    if (from > 0 && !isGrown(from, size, proof, this.signed.root, root)) return { status: 422, text: '' };
    this.signed = { size, root };
    return { status: 200, text: this.lineOf(text, 1_795_176_000) };
  }

  #isSignedByLog(note: string, text: string): boolean {
    const typed = Buffer.from(this.#logKey.split('+').slice(2).join('+'), 'base64');
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const lines = note.slice(text.length + 1).split('\n');
    return lines.some((line) => {
      const signature = Buffer.from(line.split(' ')[2] ?? '', 'base64').subarray(4);
      return verify(null, Buffer.from(text), key, signature);
    });
  }
}

/** RFC 9162, 2.1.4, read as the recursion that makes a proof: both roots are rebuilt from it. */
function isGrown(from: number, to: number, proof: Buffer[], oldRoot: Buffer, newRoot: Buffer): boolean {
  const left = [...proof];
  const node = (one: Buffer, other: Buffer) => sha256(Buffer.of(1), one, other);
  const rebuild = (old: number, size: number, isWhole: boolean): [Buffer, Buffer] => {
    if (old === size) {
      const hash = isWhole ? oldRoot : (left.shift() ?? Buffer.alloc(0));
      return [hash, hash];
    }
    const split = 2 ** Math.ceil(Math.log2(size) - 1);
    if (old <= split) {
      const [before, after] = rebuild(old, split, isWhole);
      return [before, node(after, left.shift() ?? Buffer.alloc(0))];
    }
    const [before, after] = rebuild(old - split, size - split, false);
    const sibling = left.shift() ?? Buffer.alloc(0);
    return [node(sibling, before), node(sibling, after)];
  };
  const [before, after] = rebuild(from, to, true);
  return left.length === 0 && before.equals(oldRoot) && after.equals(newRoot);
}
