import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteSigner, parseCheckpoint, signCheckpoint, type NoteSigner } from '@gateway/proof';
import { SampleLedger } from './support/sample-ledger.ts';
import { verifiers, verify, type Outcome, type Verifier } from './support/verifiers.ts';

let directory: string;
let program: Verifier;
let others: Verifier[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'second-signatures-'));
  const [inTypeScript, ...inOthers] = await verifiers(directory);
  program = inTypeScript!;
  others = inOthers;
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ledger = SampleLedger.ofDeposits(11);
const second = noteSigner(ledger.origin, generateKeyPairSync('ml-dsa-44').privateKey);
const checkpoint = ledger.signedTwice(ledger.checkpoint(9), second, 9);
const args = ['--key', 'vkey.txt', '--second-key', 'second-vkey.txt', 'nine.note'];

/** What the program in TypeScript says of a file, with both keys. */
function stated(file: string, secondKey = second.text, node: readonly string[] = []): Outcome {
  const files = { 'vkey.txt': ledger.signer.text, 'second-vkey.txt': secondKey, 'nine.note': file };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  const [command = '', ...first] = program.command;
  return verify({ ...program, command: [command, ...node, ...first] }, directory, args);
}

const wrong = { code: 1, lines: ['FALSE nine.note: the checkpoint is not signed with a pinned second key'] };

/** The checkpoint with another signature in the place of the second one. */
function withSecond(change: (signature: Buffer) => Uint8Array): string {
  const [, before = '', base64 = ''] = /^(.* )(\S+)\n$/s.exec(checkpoint) ?? [];
  return `${before}${Buffer.from(change(Buffer.from(base64, 'base64'))).toString('base64')}\n`;
}

test('the second key requires a signature by it in each checkpoint, receipt and proof of consistency', () => {
  const shown = ['nine.note: checkpoint of 9 links of pay.example.com/ledger/live.0'];
  expect(stated(checkpoint)).toEqual({ code: 0, lines: shown });
  expect(stated(withSecond((signature) => signature))).toEqual({ code: 0, lines: shown });
  expect(stated(ledger.signedTwice(ledger.receipt(7), second)).code).toBe(0);
  expect(stated(ledger.signedTwice(ledger.consistency(6), second)).code).toBe(3);
  for (const file of [ledger.checkpoint(9), ledger.receipt(7), ledger.consistency(6)])
    expect(stated(file)).toEqual(wrong);
});

// Behind the id of the key are the time and the signature.
test.each([0, 4, 11, 12, 1_300, 2_431])('a second signature is refused where byte %s is another', (at) => {
  const changed = withSecond((signature) => signature.fill(signature[at]! ^ 1, at, at + 1));
  expect(stated(changed)).toEqual(wrong);
});

test.each([0, 4, 7, 12, 2_431])('a second signature is refused where it ends after %s bytes', (length) => {
  expect(stated(withSecond((signature) => signature.subarray(0, length))).code).toBe(1);
});

test('a second signature is refused that is for another tree, for another origin or by another key', () => {
  const { root } = parseCheckpoint(ledger.checkpoint(9));
  const other = { origin: 'pay.example.com/ledger/test.0', privateKey: generateKeyPairSync('ml-dsa-44').privateKey };
  const signedBy = (signer: NoteSigner, { origin, size }: { origin: string; size: number }) =>
    ledger.checkpoint(9) + signCheckpoint({ origin, size, root, extensions: [] }, [signer]).replace(/^.*\n\n/s, '');
  const stranger = noteSigner(ledger.origin, other.privateKey);
  const elsewhere = noteSigner(other.origin, other.privateKey);
  const tree = { origin: ledger.origin, size: 9 };
  expect(stated(signedBy(second, tree)).code).toBe(0);
  expect(stated(signedBy(second, { ...tree, size: 8 }))).toEqual(wrong);
  expect(stated(signedBy(second, { ...tree, origin: other.origin }))).toEqual(wrong);
  expect(stated(signedBy(stranger, tree))).toEqual(wrong);
  expect(stated(signedBy(elsewhere, tree), elsewhere.text)).toEqual(wrong);
});

test.each([
  ['refuses the form of its keys', `throw new Error('unsupported')`],
  ['has no name for them', 'return {}'],
])('a second key is refused, and not passed over, where Node %s', (_what, answer) => {
  const older = `
    import crypto from 'node:crypto';
    import { syncBuiltinESMExports } from 'node:module';
    const { createPublicKey } = crypto;
    crypto.createPublicKey = (given) => { if (given.key.length > 1_000) ${answer}; return createPublicKey(given); };
    syncBuiltinESMExports();`;
  expect(stated(checkpoint, second.text, ['--import', `data:text/javascript,${encodeURIComponent(older)}`])).toEqual({
    code: 2,
    lines: ['this Node cannot verify ML-DSA-44: --second-key takes Node 24.6 or newer with OpenSSL 3.5'],
  });
});

test('a file without a second key is refused in its place', () => {
  expect(stated(checkpoint, ledger.signer.text)).toEqual({ code: 2, lines: ['there is no ML-DSA-44 key'] });
});

test('the second key is taken by no other program: they say that they pass over second signatures, and refuse the option', () => {
  stated(checkpoint);
  for (const other of others) {
    const { code, lines } = verify(other, directory, ['--help']);
    expect([code, lines.join(' ')], other.language).toEqual([0, expect.stringContaining('ML-DSA-44, are passed over')]);
    expect(verify(other, directory, args).code, other.language).toBe(2);
  }
});
