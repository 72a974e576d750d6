import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeTimeStampAuthority } from '@gateway/test-kit';
import { requireToken, trustedCertificates } from '#src/anchors/time-stamp-token.ts';

const directory = mkdtempSync(join(tmpdir(), 'tokens-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const authority = makeTimeStampAuthority(directory);
const other = makeTimeStampAuthority(directory);
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });

const trusted = trustedCertificates(readFileSync(authority.ca, 'utf8'));
const stamped = {
  digest: hash('sha256', 'a checkpoint', 'buffer'),
  nonce: Buffer.from('4102030405060708', 'hex'),
  ...{ askedMs: Date.now(), answeredMs: Date.now() },
};
const atOur = (clockMs: number) => ({ ...stamped, askedMs: clockMs, answeredMs: clockMs });
/** A query by hand: version, SHA-256 with its digest, nonce, and that the certificate is wanted. */
const query = Buffer.from(
  `3043020101` +
    `3031300d060960864801650304020105000420${stamped.digest.toString('hex')}` +
    `0208${stamped.nonce.toString('hex')}0101ff`,
  'hex',
);
// A certificate is valid from its second on, and has to be at the time of the token.
const usage = 'extendedKeyUsage=critical,timeStamping\n';
issue('rsa', usage, ['rsa:2048']);
issue('own', usage);
issue('web', 'extendedKeyUsage=serverAuth\n');
issue('both', 'extendedKeyUsage=timeStamping,serverAuth\n');
issue('unnamed', usage);
const genuine = authority.answer(query);
const required =
  (answer: Buffer, given = stamped, by = trusted) =>
  () =>
    requireToken(answer, given, by);

/** The same statement, signed as a token is, with another certificate. */
function signedBy(name: string, ...cades: string[]): Buffer {
  writeFileSync(join(directory, 'genuine.tsr'), genuine);
  openssl('ts', '-reply', '-in', 'genuine.tsr', '-token_out', '-out', 'token.der');
  openssl('cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'token.der', '-out', 'statement.der', '-binary');
  const signer = ['-signer', `${name}.pem`, '-inkey', `${name}.key`, '-md', 'sha256', '-nosmimecap', ...cades];
  const form = ['-econtent_type', '1.2.840.113549.1.9.16.1.4', '-binary', '-nodetach', '-outform', 'DER'];
  openssl('cms', '-sign', '-in', 'statement.der', ...signer, ...form, '-out', 'forged.der');
  const token = readFileSync(join(directory, 'forged.der'));
  const granted = Buffer.from('3003020100', 'hex');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(granted.length + token.length);
  return Buffer.concat([Buffer.from('3082', 'hex'), length, granted, token]);
}

/** Issues a certificate under the trusted authority. */
function issue(name: string, extensions: string, key = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']): void {
  const ca = authority.ca.replace(/\.pem$/, '');
  writeFileSync(join(directory, `${name}.ext`), extensions);
  openssl('req', '-newkey', ...key, '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
  const by = ['-CA', `${ca}.pem`, '-CAkey', `${ca}.key`, '-CAcreateserial', '-days', '2'];
  openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-extfile', `${name}.ext`, '-out', `${name}.pem`);
}

describe('a token is taken', () => {
  test('that the authority signed for this query, and that leads to a certificate that is trusted', () => {
    expect(required(genuine)).not.toThrow();
  });

  test.each([
    ['RSA', []],
    ['RSA-PSS', ['-keyopt', 'rsa_padding_mode:pss']],
  ])('from an authority with a key of %s', (_name, padding) => {
    expect(required(signedBy('rsa', '-cades', ...padding))).not.toThrow();
  });

  test('from the very certificate that is trusted, given in one line', () => {
    const line = readFileSync(join(directory, 'own.pem'), 'utf8').replaceAll('\n', '\\n');
    expect(required(signedBy('own', '-cades'), stamped, trustedCertificates(line))).not.toThrow();
  });
});

describe('a token is false', () => {
  test('of another checkpoint, and of another query', () => {
    expect(required(genuine, { ...stamped, digest: hash('sha256', 'another', 'buffer') })).toThrow('of another hash');
    expect(required(genuine, { ...stamped, nonce: Buffer.alloc(8, 1) })).toThrow('of another query');
  });

  test('of a time far from ours, either way', () => {
    expect(required(genuine, atOur(stamped.askedMs + 90_000))).toThrow(/a token dated .*, by our clock it is /);
    expect(required(genuine, atOur(stamped.askedMs - 90_000))).toThrow(/a token dated .*, by our clock it is /);
    expect(required(genuine, atOur(stamped.askedMs + 30_000))).not.toThrow();
    expect(required(genuine, { ...stamped, askedMs: stamped.askedMs - 3_600_000 })).not.toThrow();
  });

  test('from an authority that is not trusted', () => {
    expect(required(other.answer(query))).toThrow('not trusted');
  });

  test('whose signature, or whose time, has one other bit', () => {
    const flipped = (at: number) => Buffer.from(genuine.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    expect(required(flipped(genuine.length - 1))).toThrow('signature is false');
    const time = genuine.indexOf('Z', genuine.indexOf(stamped.digest));
    expect(required(flipped(time - 1))).toThrow('signature is false');
  });

  test('from a certificate of the trusted authority that is not for time stamps', () => {
    expect(required(signedBy('web', '-cades'))).toThrow('no time stamping authority');
    expect(required(signedBy('both', '-cades'))).toThrow('no time stamping authority');
  });

  test('whose signature does not name the certificate it is made with', () => {
    expect(required(signedBy('unnamed'))).toThrow('signature is false');
  });
});

test('what is trusted has to be a certificate', () => {
  expect(() => trustedCertificates('none')).toThrow('no certificate in PEM');
});
