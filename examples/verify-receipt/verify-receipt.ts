// Verifies receipts of ledger entries, offline, with nothing to install (Node 22.18 or newer):
//   node verify-receipt.ts --key vkey.txt [--second-key second-vkey.txt] [--records entries.json] [--account acc_…]
//     [--complete] [--tsa-ca ca.pem] FILE…
// FILE: receipts, checkpoints, proofs of consistency, and tokens of a time stamping authority (.tsr; needs openssl).
// With --second-key each checkpoint has to have a signature with ML-DSA-44 too (Node 24.6 or newer with OpenSSL 3.5).
// Exit code 0: all is proven; 1: something is false; 2: wrong usage, unreadable file; 3: something stays unproven.
import { spawnSync } from 'node:child_process';
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';

interface Key {
  /** Of C2SP: 0x01 is Ed25519, 0x04 that of a witness, 0x06 ML-DSA-44. */
  kind: number;
  name: string;
  id: string;
  key: KeyObject;
}
interface Checkpoint {
  origin: string;
  size: number;
  root: Buffer;
  digest: string;
  witnessed: string[];
}
type Entry = [string, string, string, number, string, number, string, string, number];
type Proven = [environment: string, entry: Entry];
interface Proof {
  from: number;
  newer: Checkpoint;
  path: Buffer[];
}
type Json = Record<string, unknown>;

class Falsehood extends Error {}
function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Falsehood(otherwise);
}

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const nodeOf = (left: Buffer, right: Buffer) => sha256(Buffer.of(1), left, right);

function bytesOf(text: string, length: number | null = 32): Buffer {
  const bytes = Buffer.from(text, 'base64');
  must(bytes.toString('base64') === text && bytes.length === (length ?? bytes.length), `"${text}" is not base64`);
  return bytes;
}

function numberOf(text: string): number {
  must(/^(0|[1-9][0-9]{0,14})$/.test(text), `"${text}" is not a number`);
  return Number(text);
}

/** A public key from its bytes and what stands before them in its DER form. */
function keyOf(before: string, bytes: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([Buffer.from(before, 'hex'), bytes]), format: 'der', type: 'spki' });
}

/** A Node that does not know the kind of key says so: passing over the signature would look like a right one. */
function secondKeyOf(bytes: Buffer): KeyObject {
  try {
    const key = keyOf('30820532300b06096086480165030403110382052100', bytes);
    if (key.asymmetricKeyType === 'ml-dsa-44') return key;
  } catch {
    // Older ones refuse the form of the key.
  }
  throw new Error('this Node cannot verify ML-DSA-44: --second-key takes Node 24.6 or newer with OpenSSL 3.5');
}

/** The pinned keys, one a line: <name>+<id in hex>+<base64 of its kind and the key>. */
function keysOf(text: string, isSecond: boolean): Key[] {
  const keys: Key[] = [];
  for (const line of text.trim().split('\n')) {
    const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(line.trim()) ?? [];
    const typed = bytesOf(encoded, null);
    if (sha256(Buffer.from(`${name}\n`), typed).toString('hex', 0, 4) !== id) throw new Error(`"${line}" is not a key`);
    const [kind, bytes] = [typed[0] ?? 0, typed.subarray(1)];
    if (isSecond && kind === 6 && bytes.length === 1_312) keys.push({ kind, name, id, key: secondKeyOf(bytes) });
    const isFirst = !isSecond && (kind === 1 || kind === 4) && bytes.length === 32;
    if (isFirst) keys.push({ kind, name, id, key: keyOf('302a300506032b6570032100', bytes) });
  }
  const [own, called] = isSecond ? [6, 'ML-DSA-44'] : [1, 'Ed25519'];
  if (!keys.some(({ kind }) => kind === own)) throw new Error(`there is no ${called} key`);
  return keys;
}

/** (4) When a pinned witness has signed the text of a checkpoint (C2SP cosignature/v1). */
function witnessOf(text: string, { name, key }: Key, signature: Buffer): string {
  const second = signature.length === 72 ? Number(signature.readBigUInt64BE()) : Infinity;
  const message = Buffer.from(`cosignature/v1\ntime ${second}\n${text}`);
  const isRight = second < 2 ** 37 && verify(null, message, key, signature.subarray(8));
  must(isRight, `the signature of the witness ${name} is false`);
  return `${name} at ${new Date(second * 1_000).toISOString().replace('.000', '')}`;
}

/** (1) A signature with ML-DSA-44 is over the tree and the names of its log and key (C2SP subtree/v1), behind a time. */
function isSecondRight(text: string, { name, key }: Key, signature: Buffer): boolean {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const named = (part: string) => Buffer.concat([Buffer.of(Buffer.byteLength(part)), Buffer.from(part)]);
  const range = Buffer.alloc(16);
  range.writeBigUInt64BE(BigInt(numberOf(size)), 8);
  const [label, time] = [Buffer.from('subtree/v1\n\0'), signature.subarray(0, 8)];
  const message = Buffer.concat([label, named(name), time, named(origin), range, bytesOf(root)]);
  return verify(null, message, key, signature.subarray(8));
}

/** (1) The checkpoint is signed with a pinned key of its origin. Signatures of others are not looked at. */
function openCheckpoint(note: string, keys: Key[]): Checkpoint {
  const end = note.lastIndexOf('\n\n') + 1;
  const [text, signatures] = [note.slice(0, end), note.slice(end + 1).split('\n')];
  must(end > 0 && signatures.length > 1 && signatures.pop() === '', 'the checkpoint is not a signed note');
  const [origin = '', size = '', root = ''] = text.split('\n');
  const [witnessed, first, second]: [string[], boolean[], boolean[]] = [[], [], []];
  for (const line of signatures) {
    const [, name = '', encoded = ''] = /^— ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
    const bytes = bytesOf(encoded, null);
    must(bytes.length > 4, 'the checkpoint has a line that is not a signature');
    const [id, signature] = [bytes.toString('hex', 0, 4), bytes.subarray(4)];
    const found = keys.find((key) => key.name === name && key.id === id);
    if (found?.kind === 4) witnessed.push(witnessOf(text, found, signature));
    if (found?.kind === 1 && name === origin) first.push(verify(null, Buffer.from(text), found.key, signature));
    if (found?.kind === 6 && name === origin) second.push(isSecondRight(text, found, signature));
  }
  must(first.length > 0 && !first.includes(false), 'the checkpoint is not signed with a pinned key');
  const isSecondSigned = second.length > 0 && !second.includes(false);
  must(isSecondSigned || !keys.some(({ kind }) => kind === 6), 'the checkpoint is not signed with a pinned second key');
  const digest = sha256(Buffer.from(note)).toString('hex');
  return { origin, size: numberOf(size), root: bytesOf(root), digest, witnessed };
}

/** RFC 9162, 2.1.3.2: the root that a leaf and its path lead to. */
function rootOf(leaf: Buffer, index: number, size: number, path: Buffer[]): Buffer {
  let [at, last, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    must(last > 0, 'the path is too long');
    const isRight = at % 2 === 1 || at === last;
    hash = isRight ? nodeOf(sibling, hash) : nodeOf(hash, sibling);
    while (isRight && at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  must(index < size && last === 0, 'the path is too short');
  return hash;
}

/** RFC 9162, 2.1.4.2: the newer tree begins with the whole of the older one. */
function isConsistent(older: Checkpoint, newer: Checkpoint, path: Buffer[]): boolean {
  if (older.size === 0) return false;
  let [at, last] = [older.size - 1, newer.size - 1];
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  const [first, ...rest] = at === 0 ? [older.root, ...path] : path;
  let [before, after] = [first, first];
  for (const hash of rest) {
    if (!before || !after || last === 0) return false;
    const isRight = at % 2 === 1 || at === last;
    if (isRight) before = nodeOf(hash, before);
    after = isRight ? nodeOf(hash, after) : nodeOf(after, hash);
    while (isRight && at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && older.root.equals(before ?? Buffer.of()) && newer.root.equals(after ?? Buffer.of());
}

/** (2) The link of the receipt is in the tree of its checkpoint. */
function openReceipt(text: string, keys: Key[]) {
  const end = text.indexOf('\n\n');
  const [, extra = '', index = '', ...path] = text.slice(0, Math.max(end, 0)).split('\n');
  must(extra.startsWith('extra ') && index.startsWith('index '), 'the receipt is not complete');
  const checkpoint = openCheckpoint(text.slice(end + 2), keys);
  const [content, at] = [bytesOf(extra.slice(6), null), numberOf(index.slice(6))];
  const leaf = sha256(Buffer.of(0), sha256(content));
  const root = rootOf(
    leaf,
    at,
    checkpoint.size,
    path.map((line) => bytesOf(line)),
  );
  must(root.equals(checkpoint.root), 'the link is not in the tree of the checkpoint');
  const link = JSON.parse(content.toString()) as [string, string, number, number, number, ...unknown[]];
  const [, environment, shard, sequence, decidedAtMs] = link;
  must(sequence === at + 1 && checkpoint.origin.endsWith(`/${environment}.${shard}`), 'the link is of another place');
  return { checkpoint, environment, sequence, decidedAtMs, entries: link.at(-1) as Entry[] };
}

/** (3) The ledger's entry is the one that the merchant has on record, in either contract. */
function compare(entry: Entry, record: Json): void {
  const [id, account_id, currency, number, type, amount, ref_type, ref_id, balance_after] = entry;
  const named =
    'amount_cents' in record ? { amount_cents: amount, balance_after_cents: balance_after } : { amount, balance_after };
  const mayBeAbsent: Json = { account_id, number };
  for (const [name, value] of Object.entries({ ...mayBeAbsent, type, currency, ref_type, ref_id, ...named })) {
    if (!(name in record) && name in mayBeAbsent) continue;
    must(record[name] === value, `${id} has ${name} ${value}, on record it is ${JSON.stringify(record[name] ?? null)}`);
  }
}

/** (4) The time at which an authority has seen a checkpoint, or undefined if the token is not one for it. */
function timeOf(token: string, checkpoint: Checkpoint, authority: string): string | undefined {
  const openssl = (...args: string[]) => spawnSync('openssl', ['ts', ...args, '-in', token], { encoding: 'utf8' });
  const { error, status } = openssl('-verify', '-digest', checkpoint.digest, '-CAfile', authority);
  if (error) throw error;
  return status === 0 ? /Time stamp: (.*)/.exec(openssl('-reply', '-text').stdout)?.[1] : undefined;
}

/** (5) The entries of each balance: no number twice, each balance from the one before. @returns what is not shown */
function gapsOf(proven: Map<string, Proven>, recorded: string[]): string[] {
  const gaps = recorded.filter((id) => !proven.has(id)).map((id) => `${id}: it is on record, and no receipt is given`);
  for (const [balance, all] of Map.groupBy(proven.values(), ([env, entry]) => `${env} ${entry[1]} ${entry[2]}`)) {
    let [number, after] = [0, 0];
    for (const [, entry] of all.sort(([, one], [, other]) => one[3] - other[3])) {
      const [next, follows] = [number + 1, after + entry[5] === entry[8]];
      must(entry[3] >= next, `${balance}: number ${number} is there twice`);
      must(entry[3] > next || follows, `${balance}: the balance after number ${entry[3]} does not follow`);
      if (entry[3] > next) gaps.push(`${balance}: nothing shows numbers ${next} to ${entry[3] - 1}`);
      [number, after] = [entry[3], entry[8]];
    }
  }
  return gaps;
}

/** (5) Checkpoints of one ledger: one root for a size, each begins with the one before. @returns what nothing shows */
function unlinked(checkpoints: Checkpoint[], proofs: Proof[]): string[] {
  const open: string[] = [];
  for (const [origin, all] of Map.groupBy(checkpoints, (checkpoint) => checkpoint.origin)) {
    all.sort((one, other) => one.size - other.size);
    for (const [index, newer] of all.entries()) {
      const older = all[index - 1] ?? newer;
      const [from, to] = [older.size, newer.size];
      const isSame = older.root.equals(newer.root);
      must(from < to || isSame, `${origin}: two histories of ${to} links are signed; keep both files`);
      if (from === to) continue;
      const found = proofs.filter((one) => one.from === from && one.newer.size === to && one.newer.origin === origin);
      for (const { path } of found) {
        must(isConsistent(older, newer, path), `${origin}: ${to} links are not shown to begin with the ${from}`);
      }
      if (found.length === 0) open.push(`${origin}: nothing shows that the ${to} links begin with the ${from}`);
    }
    for (const { from, newer } of proofs) {
      const isKnown = newer.origin !== origin || all.some(({ size }) => size === from);
      if (!isKnown) open.push(`${origin}: no checkpoint of ${from} links is given`);
    }
  }
  return open;
}

interface Evidence {
  checkpoints: Checkpoint[];
  proofs: Proof[];
  proven: Map<string, Proven>;
}

/** Verifies one file and prints what it shows. */
function readFile(file: string, keys: Key[], evidence: Evidence, isRight: (entry: Entry) => boolean): void {
  const bytes = readFileSync(file);
  const text = bytes.toString();
  must(Buffer.from(text).equals(bytes), 'it is not text');
  if (text.startsWith('c2sp.org/tlog-proof@v1\n')) {
    const { checkpoint, environment, sequence, decidedAtMs, entries } = openReceipt(text, keys);
    evidence.checkpoints.push(checkpoint);
    must(entries.filter(isRight).length > 0, 'none of its entries is on record');
    for (const entry of entries) {
      const [id, account, currency, number, type, amount, , ref, after] = entry;
      const earlier = evidence.proven.get(id) ?? [environment, entry];
      must(isDeepStrictEqual(earlier, [environment, entry]), `${id} is there in two forms`);
      evidence.proven.set(id, earlier);
      console.log(`${id}: number ${number} of ${account}, ${type} ${amount} ${currency} for ${ref}, balance ${after}`);
    }
    const time = new Date(decidedAtMs).toISOString();
    console.log(`  decided ${time}, link ${sequence} of the ${checkpoint.size} of ${checkpoint.origin}`);
    for (const witness of checkpoint.witnessed) console.log(`  signed by the witness ${witness}`);
    return;
  }
  const end = text.startsWith('old ') ? text.indexOf('\n\n') : -2;
  const newer = openCheckpoint(text.slice(end + 2), keys);
  evidence.checkpoints.push(newer);
  console.log(`${file}: checkpoint of ${newer.size} links of ${newer.origin}`);
  for (const witness of newer.witnessed) console.log(`  signed by the witness ${witness}`);
  if (end < 0) return;
  const [from = '', ...path] = text.slice(4, end).split('\n');
  evidence.proofs.push({ from: numberOf(from), newer, path: path.map((line) => bytesOf(line)) });
}

/** The merchant's entries by their ids: an answer of the gateway, a list, or one entry. */
function recordsOf(file: string): Map<string, Json> {
  const given = JSON.parse(readFileSync(file, 'utf8')) as Json | Json[];
  const list = [('data' in given ? given['data'] : given) as Json | Json[]].flat();
  return new Map(list.map((record) => [record['id'] as string, record]));
}

function main(): number {
  const text = { type: 'string' } as const;
  const { values, positionals: files } = parseArgs({
    options: {
      ...{ key: text, 'second-key': text, records: text, account: text },
      ...{ 'tsa-ca': text, complete: { type: 'boolean' } },
    },
    allowPositionals: true,
  });
  const second = values['second-key'];
  if (values.key === undefined || files.length === 0) throw new Error('give --key and files');
  const keys = keysOf(readFileSync(values.key, 'utf8'), false);
  if (second !== undefined) keys.push(...keysOf(readFileSync(second, 'utf8'), true));
  const records = values.records === undefined ? undefined : recordsOf(values.records);
  const isRight = (entry: Entry) => {
    must((values.account ?? entry[1]) === entry[1], `${entry[0]} is of account ${entry[1]}`);
    const record = records?.get(entry[0]);
    if (record) compare(entry, record);
    return !records || record !== undefined;
  };
  const evidence: Evidence = { checkpoints: [], proofs: [], proven: new Map() };
  let file = '';
  try {
    for (file of files.filter((name) => !name.endsWith('.tsr'))) readFile(file, keys, evidence, isRight);
    for (file of files.filter((name) => name.endsWith('.tsr'))) {
      const authority = values['tsa-ca'];
      if (authority === undefined) throw new Error('give --tsa-ca for a token');
      const times = evidence.checkpoints.map((seen) => ({ seen, at: timeOf(file, seen, authority) }));
      const stamped = times.find(({ at }) => at !== undefined);
      must(stamped !== undefined, 'it is not a token of this authority for any of the checkpoints');
      const { seen, at } = stamped;
      console.log(`${file}: ${seen.size} links of ${seen.origin} were there at ${at}`);
    }
    file = 'all files';
    const gaps = gapsOf(evidence.proven, [...(records?.keys() ?? [])].sort());
    const open = [...unlinked(evidence.checkpoints, evidence.proofs), ...(values.complete ? gaps : [])];
    for (const line of open) console.log(`UNPROVEN ${line}`);
    return open.length > 0 ? 3 : 0;
  } catch (error) {
    if (!(error instanceof Falsehood)) throw error;
    console.log(`FALSE ${file}: ${error.message}`);
    return 1;
  }
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
