import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate with its key, both as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateAuthority extends Certificate {
  /** A server certificate for the names; valid from an hour ago for a day, unless it is issued as expired. */
  issue(names: readonly string[], options?: { readonly expired?: boolean }): Certificate;
}

const hourMs = 3_600_000;
const ecdsaWithSha256 = tagged(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
const commonNameOid = Buffer.from('0603550403', 'hex');
const subjectAltNameOid = Buffer.from('0603551d11', 'hex');
const basicConstraintsOid = Buffer.from('0603551d13', 'hex');
const certificateAuthorityExtension = tagged(
  0x30,
  basicConstraintsOid,
  Buffer.from('0101ff', 'hex'),
  tagged(0x04, tagged(0x30, Buffer.from('0101ff', 'hex'))),
);

/** An unknown certificate authority, for servers of tests and benchmarks (X.509 v3, P-256; RFC 5280). */
export function createCertificateAuthority(name = 'test authority'): CertificateAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name, key: keys.privateKey };
  const from = Date.now() - hourMs;
  const own = certificate({
    issuer,
    subject: { name, key: keys.publicKey },
    validMs: [from, from + 48 * hourMs],
    extensions: [certificateAuthorityExtension],
  });
  return {
    cert: own,
    key: pemOf(keys.privateKey),
    issue: (names, { expired = false } = {}) => {
      const subjectKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const subject = { name: names[0] ?? 'nobody', key: subjectKeys.publicKey };
      const validMs = [from, expired ? from + hourMs / 2 : from + 24 * hourMs] as const;
      const cert = certificate({ issuer, subject, validMs, extensions: [alternativeNames(names)] });
      return { cert, key: pemOf(subjectKeys.privateKey) };
    },
  };
}

interface Party {
  readonly name: string;
  readonly key: KeyObject;
}

interface Content {
  readonly issuer: Party;
  readonly subject: Party;
  readonly validMs: readonly [number, number];
  readonly extensions: readonly Buffer[];
}

function certificate({ issuer, subject, validMs, extensions }: Content): string {
  const toBeSigned = tagged(
    0x30,
    tagged(0xa0, Buffer.from('020102', 'hex')),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    distinguishedName(issuer.name),
    tagged(0x30, ...validMs.map(utcTime)),
    distinguishedName(subject.name),
    subject.key.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, tagged(0x30, ...extensions)),
  );
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', toBeSigned, issuer.key));
  const text = tagged(0x30, toBeSigned, ecdsaWithSha256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(name: string): Buffer {
  return tagged(0x30, tagged(0x31, tagged(0x30, commonNameOid, tagged(0x0c, Buffer.from(name)))));
}

function alternativeNames(names: readonly string[]): Buffer {
  const dnsNames = names.map((name) => tagged(0x82, Buffer.from(name)));
  return tagged(0x30, subjectAltNameOid, tagged(0x04, tagged(0x30, ...dnsNames)));
}

/** `261121045900Z` */
function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
