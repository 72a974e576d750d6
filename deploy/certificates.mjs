// Makes the certificates that the parts of a deployment prove themselves with to each other, by an authority of its own:
// X.509 v3, P-256, by RFC 5280, without a program beside Node. What is there and has a month left stays. Plain
// JavaScript: it runs before anything is installed.
//
//   node deploy/certificates.mjs [--directory .tls] [--renew]
//
// <directory>/authority/ holds the authority with its key, which no container is given; <directory>/<name>/ holds ca.pem,
// cert.pem and key.pem of one part. The directory is readable by its owner only: who can read it can act as any of them.

import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const services = [
  'api-gateway',
  'compat',
  'deposits',
  'identity',
  'ledger',
  'payouts',
  'psp-simulator',
  'reconciler',
  'webhooks',
];
/** By which names and addresses each is reached; on its own machine as localhost. */
const certifiedNames = Object.fromEntries(
  [...services, 'nats', 'postgres', 'prometheus'].map((name) => [name, [name, 'localhost', '127.0.0.1']]),
);

const dayMs = 86_400_000;
const authorityDays = 3_650;
const certificateDays = 397;
const renewedBeforeDays = 30;

const oid = (hex) => Buffer.from(hex, 'hex');
const ecdsaWithSha256 = tagged(0x30, oid('06082a8648ce3d040302'));
const critical = oid('0101ff');

const { values } = parseArgs({
  options: { directory: { type: 'string', default: '.tls' }, renew: { type: 'boolean', default: false } },
});
const made = makeCertificates(resolve(values.directory), values);
console.log(`${resolve(values.directory)}: ${made.length === 0 ? 'nothing to be made' : `made ${made.join(', ')}`}`);

/** Answers whose certificates were made. With `renew` all are, by the authority there is. */
function makeCertificates(directory, { renew }) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  const authority = authorityOf(join(directory, 'authority'));
  const made = [];
  for (const [name, names] of Object.entries(certifiedNames)) {
    const folder = join(directory, name);
    if (!renew && isGood(folder, authority)) continue;
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const cert = certificate({
      ...{ issuer: authority, subject: { name, publicKey: keys.publicKey }, days: certificateDays },
      extensions: [alternativeNames(names), usage(0x80, 7), extendedUsage()],
    });
    mkdirSync(folder, { recursive: true });
    // Containers run as users the host does not know: what keeps others away is the directory above.
    write(folder, { 'ca.pem': authority.cert, 'cert.pem': cert, 'key.pem': pemOf(keys.privateKey) }, 0o644);
    made.push(name);
  }
  return made;
}

function authorityOf(folder) {
  const name = 'gateway deployment';
  if (!existsSync(join(folder, 'key.pem'))) {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const issuer = { name, privateKey: keys.privateKey };
    const extensions = [basicConstraints(), usage(0x06, 1)];
    const subject = { name, publicKey: keys.publicKey };
    const cert = certificate({ issuer, subject, days: authorityDays, extensions });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    write(folder, { 'ca.pem': cert, 'key.pem': pemOf(keys.privateKey) }, 0o600);
  }
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  return { name, cert: read('ca.pem'), privateKey: createPrivateKey(read('key.pem')) };
}

/** Signed by this authority, for the names of today, and with time left. */
function isGood(folder, authority) {
  if (!existsSync(join(folder, 'cert.pem')) || !existsSync(join(folder, 'key.pem'))) return false;
  const cert = new X509Certificate(readFileSync(join(folder, 'cert.pem')));
  const leftMs = Date.parse(cert.validTo) - Date.now();
  return leftMs > renewedBeforeDays * dayMs && cert.verify(new X509Certificate(authority.cert).publicKey);
}

function certificate({ issuer, subject, days, extensions }) {
  const from = Date.now() - 3_600_000;
  const toBeSigned = tagged(
    0x30,
    tagged(0xa0, oid('020102')),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    distinguishedName(issuer.name),
    tagged(0x30, utcTime(from), utcTime(from + days * dayMs)),
    distinguishedName(subject.name),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, tagged(0x30, ...extensions)),
  );
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', toBeSigned, issuer.privateKey));
  const text = tagged(0x30, toBeSigned, ecdsaWithSha256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(name) {
  return tagged(0x30, tagged(0x31, tagged(0x30, oid('0603550403'), tagged(0x0c, Buffer.from(name)))));
}

function alternativeNames(names) {
  const entries = names.map((name) =>
    isIPv4(name) ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name)),
  );
  return tagged(0x30, oid('0603551d11'), tagged(0x04, tagged(0x30, ...entries)));
}

function basicConstraints() {
  return tagged(0x30, oid('0603551d13'), critical, tagged(0x04, tagged(0x30, critical)));
}

/** 0x80: signs handshakes; 0x06: signs certificates and lists of revoked ones. */
function usage(bits, unusedBits) {
  return tagged(0x30, oid('0603551d0f'), critical, tagged(0x04, tagged(0x03, Buffer.from([unusedBits, bits]))));
}

/** As a server and as a client. */
function extendedUsage() {
  const purposes = [oid('06082b06010505070301'), oid('06082b06010505070302')];
  return tagged(0x30, oid('0603551d25'), tagged(0x04, tagged(0x30, ...purposes)));
}

/** `261121045900Z` */
function utcTime(ms) {
  const digits = new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

function tagged(tag, ...parts) {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

function pemOf(key) {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function write(folder, files, mode) {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content, { mode });
    chmodSync(join(folder, name), mode);
  }
}
