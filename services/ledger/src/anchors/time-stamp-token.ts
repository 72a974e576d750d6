import { constants, hash, verify, X509Certificate, type KeyObject } from 'node:crypto';
import { id_contentType, id_messageDigest, id_signedData, SignedData } from '@peculiar/asn1-cms';
import type { Attribute, SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { id_ct_tstInfo, PKIStatus, TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp';
import { AnchorFailure, ContradictionError } from '#src/anchors/anchor-target.ts';

/** Certificates that the one of a token's signer has to be, or to be issued under. */
export type TrustedCertificates = readonly X509Certificate[];

const pemForm = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** @param text in PEM, in one line where the ends of lines are written as `\n` */
export function trustedCertificates(text: string): TrustedCertificates {
  const blocks = text.replaceAll('\\n', '\n').match(pemForm) ?? [];
  if (blocks.length === 0) throw new Error('ANCHOR_TSA_CA has no certificate in PEM');
  return blocks.map((block) => new X509Certificate(block));
}

export const sha256Oid = '2.16.840.1.101.3.4.2.1';
const digests: Readonly<Record<string, string>> = {
  [sha256Oid]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
const rsaPssOid = '1.2.840.113549.1.1.10';
/** Of those whose name says it, the digest; null where it is that of the content. */
const signatures: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.1': null,
  [rsaPssOid]: null,
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};
/** By how much the time of a token may lie outside of the time in which it was asked for: clocks differ a little. */
const clockDifferenceMs = 60_000;
const timeStampingUsage = '1.3.6.1.5.5.7.3.8';
/** By which a signer names its certificate among what it signs, in both versions. */
const signingCertificates = ['1.2.840.113549.1.9.16.2.12', '1.2.840.113549.1.9.16.2.47'];
const issuersMax = 5;

interface TimeStampQuery {
  /** SHA-256 of what is stamped. */
  readonly digest: Buffer;
  readonly nonce: Buffer;
  /** By our clock, Unix milliseconds. */
  readonly askedMs: number;
  readonly answeredMs: number;
}

/**
 * That an answer is a token for this query: granted, of its hash and nonce, of the time at which it was asked for, and
 * signed by an authority that is trusted (RFC 3161, 2.4.2).
 *
 * @throws AnchorFailure when there is no token
 * @throws ContradictionError when it is a false one
 */
export function requireToken(answer: Buffer, query: TimeStampQuery, trusted: TrustedCertificates): void {
  const { status, timeStampToken } = parsed(() => AsnConvert.parse(answer, TimeStampResp));
  const isGranted = status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods;
  if (!isGranted || !timeStampToken) throw new AnchorFailure(`the authority refused with status ${status.status}`);
  const signed = parsed(() => AsnConvert.parse(timeStampToken.content, SignedData));
  const content = Buffer.from(signed.encapContentInfo.eContent?.single?.buffer ?? new ArrayBuffer());
  const { messageImprint, nonce, genTime } = parsed(() => AsnConvert.parse(content, TSTInfo));
  must(timeStampToken.contentType === id_signedData, 'a token that is not signed');
  must(signed.encapContentInfo.eContentType === id_ct_tstInfo, 'a signature of something else');
  must(messageImprint.hashAlgorithm.algorithm === sha256Oid, 'a token of another hash');
  must(query.digest.equals(Buffer.from(messageImprint.hashedMessage.buffer)), 'a token of another hash');
  must(query.nonce.equals(Buffer.from(nonce ?? new ArrayBuffer())), 'a token of another query');
  const [signer, ...others] = signed.signerInfos;
  if (!signer || others.length > 0) throw new ContradictionError('a token without the one signature it has');
  const sent = parsed(() => certificatesOf(signed));
  const own = [...sent, ...trusted].find((certificate) => isSignedBy(signer, content, certificate));
  if (!own) throw new ContradictionError('a token whose signature is false');
  must(String(own.keyUsage) === timeStampingUsage, 'a signer that is no time stamping authority');
  must(leadsTo(trusted, own, sent, genTime), 'a token of an authority that is not trusted');
  must(
    isOfTime(genTime, query),
    `a token dated ${dateText(genTime)}, by our clock it is ${dateText(query.answeredMs)}`,
  );
}

/** A token of another time shows nothing about when the checkpoint was there; one of the future would pass for later ones. */
function isOfTime(genTime: Date, { askedMs, answeredMs }: TimeStampQuery): boolean {
  return genTime.getTime() >= askedMs - clockDifferenceMs && genTime.getTime() <= answeredMs + clockDifferenceMs;
}

function dateText(at: Date | number): string {
  return new Date(at).toISOString();
}

function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new ContradictionError(otherwise);
}

function certificatesOf({ certificates }: SignedData): X509Certificate[] {
  const sent = (certificates ? [...certificates] : []).flatMap(({ certificate }) => (certificate ? [certificate] : []));
  return sent.map((certificate) => new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))));
}

/** The signature is over attributes, which have the digest of the content and of the signer's certificate. */
function isSignedBy(signer: SignerInfo, content: Buffer, certificate: X509Certificate): boolean {
  const { signedAttrs = [], digestAlgorithm, signatureAlgorithm, signature } = signer;
  const digest = digests[digestAlgorithm.algorithm];
  if (digest === undefined) return false;
  const valuesOf = (type: string) => signedAttrs.find(({ attrType }) => attrType === type)?.attrValues ?? [];
  const [contentDigest] = valuesOf(id_messageDigest).map((value) => AsnConvert.parse(value, OctetString));
  if (!contentDigest || !hash(digest, content, 'buffer').equals(Buffer.from(contentDigest.buffer))) return false;
  const [contentType] = valuesOf(id_contentType);
  if (!contentType || !Buffer.from(contentType).equals(contentTypeOfTokens)) return false;
  const names = signingCertificates.flatMap(valuesOf).map((value) => Buffer.from(value));
  const fingerprints = ['sha1', ...Object.values(digests)].map((name) => hash(name, certificate.raw, 'buffer'));
  if (!names.some((name) => fingerprints.some((fingerprint) => name.includes(fingerprint)))) return false;
  const named = signatures[signatureAlgorithm.algorithm];
  if (named === undefined) return false;
  const key = keyOf(certificate.publicKey, signatureAlgorithm.algorithm === rsaPssOid);
  return verify(named ?? digest, setOf(signedAttrs), key, Buffer.from(signature.buffer));
}

/** The attributes as they are signed: as a set in their order, while they are sent under a tag of their own. */
function setOf(attributes: readonly Attribute[]): Buffer {
  const content = Buffer.concat(attributes.map((attribute) => Buffer.from(AsnConvert.serialize(attribute))));
  const { length } = content;
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([0x31, ...lengthBytes]), content]);
}

const contentTypeOfTokens = Buffer.from('060b2a864886f70d0109100104', 'hex');

function keyOf(key: KeyObject, isPss: boolean) {
  if (!isPss) return key;
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
}

/** Whether a certificate is a trusted one, or was issued under one, and all of them were valid at a time. */
function leadsTo(
  trusted: TrustedCertificates,
  certificate: X509Certificate,
  sent: readonly X509Certificate[],
  at: Date,
  issuersLeft = issuersMax,
): boolean {
  if (certificate.validFromDate > at || certificate.validToDate < at) return false;
  if (trusted.some((one) => one.fingerprint256 === certificate.fingerprint256)) return true;
  if (issuersLeft === 0) return false;
  return [...trusted, ...sent].some(
    (issuer) =>
      issuer.ca &&
      certificate.checkIssued(issuer) &&
      certificate.verify(issuer.publicKey) &&
      leadsTo(trusted, issuer, sent, at, issuersLeft - 1),
  );
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new AnchorFailure('the answer is not a token', { cause });
  }
}
