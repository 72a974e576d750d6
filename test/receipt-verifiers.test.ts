import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteSigner } from '@gateway/proof';
import { makeTimeStampAuthority } from '@gateway/test-kit';
import { depositEntry, linkText, SampleLedger } from './support/sample-ledger.ts';
import { notRefused, verifiers, verify, type Outcome, type Verifier } from './support/verifiers.ts';

let directory: string;
let programs: Verifier[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'verifiers-'));
  programs = await verifiers(directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function keep(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
}

/** What every program says of the same files: they have to agree in each word. */
function outcomeOf(...args: string[]): Outcome {
  const [first, ...others] = programs.map((program) => verify(program, directory, ['--key', 'vkey.txt', ...args]));
  for (const other of others) expect(other, args.join(' ')).toEqual(first);
  return first ?? { code: null, lines: [] };
}

const ledger = SampleLedger.ofDeposits(11);
const record = {
  ...{ id: 'led_7', type: 'DEPOSIT_NET', currency: 'BRL', amount: 9_850, ref_type: 'deposit', ref_id: 'dep_7' },
  ...{ balance_after: 68_950, created_at: 1_795_176_000 },
};

test('a receipt shows its entry as it is in the ledger, in all languages by the same words', () => {
  const { amount, balance_after, ...others } = record;
  const cents = { ...others, amount_cents: amount, balance_after_cents: balance_after };
  keep({ 'vkey.txt': ledger.signer.text, 'one.tlog-proof': ledger.receipt(7) });
  keep({ 'v1.json': JSON.stringify({ data: [record], next_cursor: null }), 'v0.json': JSON.stringify(cents) });
  const shown = {
    code: 0,
    lines: [
      'led_7: number 7 of acc_x, DEPOSIT_NET 9850 BRL for dep_7, balance 68950',
      '  decided 2026-11-20T12:00:00.007Z, link 7 of the 11 of pay.example.com/ledger/live.0',
    ],
  };
  expect(outcomeOf('one.tlog-proof')).toEqual(shown);
  expect(outcomeOf('--records', 'v1.json', '--account', 'acc_x', 'one.tlog-proof')).toEqual(shown);
  expect(outcomeOf('--records', 'v0.json', 'one.tlog-proof')).toEqual(shown);
});

test.each([
  ['amount', 9_851],
  ['type', 'ADJUSTMENT'],
  ['currency', 'MXN'],
  ['ref_type', 'payout'],
  ['ref_id', 'dep_8'],
  ['balance_after', 0],
  ['number', 8],
  ['account_id', 'acc_y'],
])('an entry on record with another %s is not what the receipt shows', (name, value) => {
  keep({ 'vkey.txt': ledger.signer.text, 'one.tlog-proof': ledger.receipt(7) });
  keep({ 'other.json': JSON.stringify({ ...record, [name]: value }) });
  const { code, lines } = outcomeOf('--records', 'other.json', 'one.tlog-proof');
  expect([code, lines[0]]).toEqual([1, expect.stringContaining(`FALSE one.tlog-proof: led_7 has ${name}`)]);
});

test('a receipt of another account, another entry, another key or another ledger is refused', () => {
  keep({ 'vkey.txt': ledger.signer.text, 'one.tlog-proof': ledger.receipt(7) });
  expect(outcomeOf('--account', 'acc_y', 'one.tlog-proof')).toMatchObject({ code: 1 });
  keep({ 'other.json': JSON.stringify({ ...record, id: 'led_8' }) });
  expect(outcomeOf('--records', 'other.json', 'one.tlog-proof')).toMatchObject({ code: 1 });
  keep({ 'one.tlog-proof': SampleLedger.ofDeposits(11, { seed: 2 }).receipt(7) });
  expect(outcomeOf('one.tlog-proof')).toMatchObject({ code: 1 });
  const misnamed = SampleLedger.ofDeposits(11, { origin: 'pay.example.com/ledger/test.0' });
  keep({ 'vkey.txt': misnamed.signer.text, 'one.tlog-proof': misnamed.receipt(7) });
  expect(outcomeOf('one.tlog-proof').lines[0]).toContain('the link is of another place');
});

test('each byte that is changed, left out or doubled makes a receipt false', () => {
  const receipt = Buffer.from(ledger.receipt(7));
  const changed = mkdtempSync(join(directory, 'changed-'));
  for (let at = 0; at < receipt.length; at += 1) {
    const [before, byte = 0, after] = [receipt.subarray(0, at), receipt[at], receipt.subarray(at + 1)];
    const form = [[byte ^ (1 << (at % 8))], [byte ^ (1 << ((at + 3) % 8))], [], [byte, byte]][at % 4] ?? [];
    writeFileSync(join(changed, `${at}.tlog-proof`), Buffer.concat([before, Buffer.from(form), after]));
  }
  writeFileSync(join(changed, 'right.tlog-proof'), receipt);
  keep({ 'vkey.txt': ledger.signer.text });
  for (const program of programs) {
    const found = notRefused(program, changed, join(directory, 'vkey.txt'));
    expect(found, program.language).toEqual(['right.tlog-proof']);
  }
});

test('receipts of a thousand among a million entries are verified', () => {
  const links = 1_000_000;
  const large = SampleLedger.ofDeposits(links);
  const sequences = Array.from({ length: 1_000 }, (_, index) => 1 + ((index * 999_983 + 7) % links));
  const names = sequences.map((sequence) => `${sequence}.tlog-proof`);
  keep({ 'vkey.txt': large.signer.text });
  keep(Object.fromEntries(sequences.map((sequence) => [`${sequence}.tlog-proof`, large.receipt(sequence)])));
  const { code, lines } = outcomeOf('--account', 'acc_x', ...names);
  expect([code, lines.length]).toEqual([0, 2_000]);
});

test('what was signed before the key changed and after it is verified with both keys', () => {
  const later = SampleLedger.ofDeposits(11, { seed: 2 });
  keep({ 'vkey.txt': `${ledger.signer.text}\n${later.signer.text}\n` });
  keep({ 'old.tlog-proof': ledger.receipt(3), 'new.tlog-proof': later.receipt(4) });
  expect(outcomeOf('old.tlog-proof', 'new.tlog-proof')).toMatchObject({ code: 0 });
  keep({ 'vkey.txt': later.signer.text });
  expect(outcomeOf('old.tlog-proof', 'new.tlog-proof')).toMatchObject({ code: 1 });
});

test('all receipts of a balance leave no gap: a missing one, one there twice and a wrong balance are named', () => {
  const names = Array.from({ length: 11 }, (_, index) => `${index + 1}.tlog-proof`);
  keep({ 'vkey.txt': ledger.signer.text });
  keep(Object.fromEntries(names.map((name, index) => [name, ledger.receipt(index + 1)])));
  expect(outcomeOf('--complete', ...names)).toMatchObject({ code: 0 });
  const some = names.filter((_, index) => index !== 3 && index !== 4);
  expect(outcomeOf(...some)).toMatchObject({ code: 0 });
  const { code, lines } = outcomeOf('--complete', ...some);
  expect([code, lines.at(-1)]).toEqual([3, 'UNPROVEN live acc_x BRL: nothing shows numbers 4 to 5']);
  keep({ 'all.json': JSON.stringify([record, { ...record, id: 'led_12' }]) });
  expect(outcomeOf('--complete', '--records', 'all.json', '7.tlog-proof').lines.slice(-2)).toEqual([
    'UNPROVEN led_12: it is on record, and no receipt is given',
    'UNPROVEN live acc_x BRL: nothing shows numbers 1 to 6',
  ]);
  const [one, two] = [depositEntry(1, 500), depositEntry(2, 500)];
  const twice = new SampleLedger([linkText(1, [one]), linkText(2, [['led_9', ...one.slice(1)] as typeof one])]);
  keep({ '1.tlog-proof': twice.receipt(1), '2.tlog-proof': twice.receipt(2) });
  expect(outcomeOf('1.tlog-proof', '2.tlog-proof').lines.at(-1)).toContain('number 1 is there twice');
  const wrong = new SampleLedger([linkText(1, [one]), linkText(2, [[...two.slice(0, 8), 999] as typeof two])]);
  keep({ '1.tlog-proof': wrong.receipt(1), '2.tlog-proof': wrong.receipt(2) });
  expect(outcomeOf('1.tlog-proof', '2.tlog-proof').lines.at(-1)).toContain(
    'the balance after number 2 does not follow',
  );
});

test('a ledger that only grew is consistent at any two sizes; one whose past was changed is not', () => {
  keep({ 'vkey.txt': ledger.signer.text });
  for (let from = 1; from < 11; from += 1) {
    const to = from + 1 + ((from * 7) % (11 - from));
    keep({ 'older.note': ledger.checkpoint(from), 'proof.txt': ledger.consistency(from, to) });
    expect(outcomeOf('older.note', 'proof.txt'), `${from} to ${to}`).toMatchObject({ code: 0 });
  }
  const other = SampleLedger.ofDeposits(11, { amount: 9_851 });
  keep({
    'older.note': ledger.checkpoint(6),
    'newer.tlog-proof': ledger.receipt(9),
    'proof.txt': other.consistency(6),
  });
  expect(outcomeOf('older.note', 'newer.tlog-proof').lines.at(-1)).toBe(
    'UNPROVEN pay.example.com/ledger/live.0: nothing shows that the 11 links begin with the 6',
  );
  const changed = outcomeOf('older.note', 'proof.txt');
  expect([changed.code, changed.lines.at(-1)]).toEqual([1, expect.stringContaining('are not shown to begin with')]);
  const two = outcomeOf('newer.tlog-proof', 'proof.txt');
  expect([two.code, two.lines.at(-1)]).toEqual([1, expect.stringContaining('two histories of 11 links are signed')]);
  expect(outcomeOf('proof.txt')).toMatchObject({ code: 3 });
});

test('a token of the time stamping authority is for the checkpoint that it was asked for, and for no other', () => {
  const authority = makeTimeStampAuthority(directory);
  keep({ 'vkey.txt': ledger.signer.text, 'eight.note': ledger.checkpoint(8), 'nine.note': ledger.checkpoint(9) });
  const query = execFileSync('openssl', ['ts', '-query', '-data', 'eight.note', '-cert', '-sha256'], {
    cwd: directory,
  });
  keep({ 'token.tsr': authority.answer(query) });
  const stamped = outcomeOf('--tsa-ca', authority.ca, 'eight.note', 'token.tsr');
  expect([stamped.code, stamped.lines.at(-1)]).toEqual([0, expect.stringMatching(/^token.tsr: 8 links of .* GMT$/)]);
  expect(outcomeOf('--tsa-ca', authority.ca, 'nine.note', 'token.tsr')).toMatchObject({ code: 1 });
  expect(outcomeOf('--tsa-ca', makeTimeStampAuthority(directory).ca, 'eight.note', 'token.tsr')).toMatchObject({
    code: 1,
  });
});

test('the signature of a witness is verified where its key is pinned, and passed over where it is not', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const typed = Buffer.concat([Buffer.of(4), publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]);
  const id = createHash('sha256').update('w.example/1\n').update(typed).digest().subarray(0, 4);
  const cosigned = (note: string, second: number) => {
    const text = note.slice(note.includes('tlog-proof') ? note.indexOf('\n\n') + 2 : 0, note.lastIndexOf('\n\n') + 1);
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(second));
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${second}\n${text}`), privateKey);
    return `${note}\u2014 w.example/1 ${Buffer.concat([id, time, signature]).toString('base64')}\n`;
  };
  const key = `w.example/1+${id.toString('hex')}+${typed.toString('base64')}`;
  keep({ 'vkey.txt': `${ledger.signer.text}\n${key}\n`, 'one.tlog-proof': cosigned(ledger.receipt(7), 1_795_176_000) });
  const line = '  signed by the witness w.example/1 at 2026-11-20T12:00:00Z';
  const receipt = outcomeOf('one.tlog-proof');
  expect([receipt.code, receipt.lines.at(-1)]).toEqual([0, line]);
  keep({ 'eight.note': cosigned(ledger.checkpoint(8), 1_795_176_000) });
  expect(outcomeOf('eight.note')).toMatchObject({ code: 0, lines: [expect.stringContaining('eight.note'), line] });
  const [forged = ''] = /\n\u2014 w.*\n$/.exec(cosigned(ledger.checkpoint(9), 1_795_176_000)) ?? [];
  keep({ 'eight.note': ledger.checkpoint(8) + forged.slice(1) });
  expect(outcomeOf('eight.note').lines).toEqual([
    'FALSE eight.note: the signature of the witness w.example/1 is false',
  ]);
  keep({ 'vkey.txt': ledger.signer.text });
  expect(outcomeOf('one.tlog-proof')).toMatchObject({ code: 0, lines: receipt.lines.slice(0, -1) });
  keep({ 'vkey.txt': key });
  for (const program of programs) {
    expect(verify(program, directory, ['--key', 'vkey.txt', 'one.tlog-proof']).code, program.language).toBe(2);
  }
});

test('a second signature with ML-DSA-44 is passed over, also where its key is among those that are pinned', () => {
  const second = noteSigner(ledger.origin, generateKeyPairSync('ml-dsa-44').privateKey);
  keep({ 'vkey.txt': ledger.signer.text, 'one.tlog-proof': ledger.receipt(7) });
  const once = outcomeOf('one.tlog-proof');
  keep({ 'one.tlog-proof': ledger.signedTwice(ledger.receipt(7), second) });
  for (const keys of [
    ledger.signer.text,
    `${ledger.signer.text}\n${second.text}`,
    `${second.text}\n${ledger.signer.text}`,
  ]) {
    keep({ 'vkey.txt': `${keys}\n` });
    expect(outcomeOf('one.tlog-proof')).toEqual({ code: 0, lines: once.lines });
  }
  keep({ 'vkey.txt': second.text });
  for (const program of programs) {
    expect(verify(program, directory, ['--key', 'vkey.txt', 'one.tlog-proof']).code, program.language).toBe(2);
  }
});

test('wrong usage and files that cannot be read are no statement about the ledger', () => {
  keep({ 'vkey.txt': 'nothing' });
  for (const program of programs) {
    for (const args of [[], ['--key', 'vkey.txt', 'one.tlog-proof'], ['--key', 'gone.txt', 'one.tlog-proof']]) {
      expect(verify(program, directory, args).code, `${program.language} ${args.join(' ')}`).toBe(2);
    }
  }
});
