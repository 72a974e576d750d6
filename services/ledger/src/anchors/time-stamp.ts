import { hash, randomBytes } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { MessageImprint, TimeStampReq, TimeStampReqVersion } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { send, type AnchorTarget } from '#src/anchors/anchor-target.ts';
import { requireToken, sha256Oid, type TrustedCertificates } from '#src/anchors/time-stamp-token.ts';

const sha256 = new AlgorithmIdentifier({ algorithm: sha256Oid, parameters: null });
const nonceBytes = 8;

/**
 * A time stamping authority, which learns nothing but a hash (RFC 3161). Its token is verified, and kept with what was
 * asked.
 */
export function timeStampTarget(url: string, trusted: TrustedCertificates, now: () => number): AnchorTarget {
  return {
    name: 'timestamp',
    keep: async ({ note }) => {
      const digest = hash('sha256', note, 'buffer');
      const nonce = randomBytes(nonceBytes);
      // A number that is positive and has its eight bytes in every form.
      nonce[0] = 0x40 | ((nonce[0] ?? 0) & 0x3f);
      const request = queryOf(digest, nonce);
      const headers = { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' };
      const askedMs = now();
      const answer = await send(new Request(url, { method: 'POST', headers, body: new Uint8Array(request) }));
      requireToken(answer, { digest, nonce, askedMs, answeredMs: now() }, trusted);
      return { request, answer };
    },
  };
}

function queryOf(digest: Buffer, nonce: Buffer): Buffer {
  const messageImprint = new MessageImprint({ hashAlgorithm: sha256, hashedMessage: new OctetString(digest) });
  const { v1 } = TimeStampReqVersion;
  const query = new TimeStampReq({ version: v1, messageImprint, nonce: bufferOf(nonce), certReq: true });
  return Buffer.from(AsnConvert.serialize(query));
}

function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
