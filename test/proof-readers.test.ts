import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generatorTools } from '@gateway/local-stack';
import { noteSigner, parseCheckpoint, parseTlogProof } from '@gateway/proof';
import { makeTimeStampAuthority } from '@gateway/test-kit';
import { depositEntry, linkText, SampleLedger } from './support/sample-ledger.ts';

// Our proofs by programs that know nothing of ours, nor of the verifiers that we give to merchants.

const links = 21;
const texts = Array.from({ length: links }, (_, place) => linkText(place + 1, [depositEntry(place + 1, 500)]));
const ledger = new SampleLedger(texts);
const sizes = texts.map((_, place) => place + 1);

let directory: string;
let python: string;

beforeAll(async () => {
  python = join((await generatorTools()).pythonPrograms, 'python');
  directory = mkdtempSync(join(tmpdir(), 'proof-readers-'));
}, 300_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const program = (name: string) => join(import.meta.dirname, 'readers', name);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

test('pymerkle builds the same tree of the same links: every root that is signed, and every path of a receipt', () => {
  const records = texts.map((text) => createHash('sha256').update(text).digest('base64'));
  const printed = execFileSync(python, [program('read_proofs.py')], {
    input: JSON.stringify(records),
    encoding: 'utf8',
  });
  const built: { roots: string[]; paths: string[][][] } = JSON.parse(printed);
  expect(sizes.map((size) => base64(parseCheckpoint(ledger.checkpoint(size)).root))).toEqual(built.roots);
  const pathOf = (sequence: number, size: number) => parseTlogProof(ledger.receipt(sequence, size)).hashes.map(base64);
  const paths = sizes.map((size) => sizes.slice(0, size).map((sequence) => pathOf(sequence, size)));
  expect(paths).toEqual(built.paths);
});

test('rfc3161-client verifies a token over the checkpoint that it was asked for, and over no other', () => {
  const authority = makeTimeStampAuthority(directory);
  writeFileSync(join(directory, 'eight.note'), ledger.checkpoint(8));
  writeFileSync(join(directory, 'nine.note'), ledger.checkpoint(9));
  const query = execFileSync('openssl', ['ts', '-query', '-data', 'eight.note', '-cert', '-sha256'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  writeFileSync(join(directory, 'token.tsr'), authority.answer(query));
  const readBy = (root: string, note: string) =>
    execFileSync(python, [program('read_token.py'), root, 'token.tsr', note], { cwd: directory, encoding: 'utf8' });
  const [, time = ''] = /^true: (.*)\n$/.exec(readBy(authority.ca, 'eight.note')) ?? [];
  expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
  expect(readBy(authority.ca, 'nine.note')).toMatch(/^false: /);
  expect(readBy(makeTimeStampAuthority(directory).ca, 'eight.note')).toMatch(/^false: /);
});

/** Where there is Go, as for the verifier in Go, and its modules are within reach: its package is too large to be installed. */
const hasGo = spawnSync('go', ['mod', 'download'], { cwd: program(''), timeout: 30_000 }).status === 0;

test.each(hasGo ? ['golang.org/x/mod'] : [])(
  'the transparency log of %s verifies every checkpoint, receipt and proof of consistency, and none that was changed',
  () => {
    const reader = join(directory, 'reader');
    const env = { ...process.env, GOFLAGS: '-mod=readonly' };
    execFileSync('go', ['build', '-o', reader, '.'], { cwd: program(''), env, stdio: 'pipe' });
    const files: Record<string, string> = {};
    for (const size of sizes) {
      files[`${size}.note`] = ledger.checkpoint(size);
      for (const other of sizes.slice(0, size)) {
        files[`${other}-of-${size}.tlog-proof`] = ledger.receipt(other, size);
        if (other < size) files[`${other}-to-${size}.consistency`] = ledger.consistency(other, size);
      }
    }
    const read = (named: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(named)) writeFileSync(join(directory, name), text);
      writeFileSync(join(directory, 'vkey.txt'), ledger.signer.text);
      const answers = execFileSync(reader, ['vkey.txt', ...Object.keys(named)], { cwd: directory, encoding: 'utf8' });
      return answers.trimEnd().split('\n');
    };
    // The ledger signs a second time, with a key that this program does not know.
    const second = noteSigner(ledger.origin, generateKeyPairSync('ml-dsa-44').privateKey);
    files['twice.note'] = ledger.signedTwice(ledger.checkpoint(9), second, 9);
    files['twice.tlog-proof'] = ledger.signedTwice(ledger.receipt(3), second);
    expect(read(files)).toEqual(Object.keys(files).map(() => 'true'));
    const changed = new SampleLedger(texts.with(3, linkText(4, [depositEntry(4, 501)])));
    const other = { '9.note': files['9.note']!, '3-of-9.tlog-proof': changed.receipt(3, 9) };
    expect(read({ ...other, 'other.consistency': changed.consistency(9, 21) })).toEqual(['true', 'true', 'false']);
    const forged = files['5-of-21.tlog-proof']!.replace(/^index 4$/m, 'index 5');
    expect(
      read({ 'forged.tlog-proof': forged, 'stranger.note': SampleLedger.ofDeposits(3, { seed: 2 }).checkpoint() }),
    ).toEqual(['false', 'false']);
  },
);
