import { hash, randomBytes } from 'node:crypto';
import { SignedData } from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  MessageImprint,
  PKIStatus,
  TimeStampReq,
  TimeStampReqVersion,
  TimeStampResp,
  TSTInfo,
} from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { AnchorFailure, send, type AnchorTarget } from '#src/anchors/anchor-target.ts';

const sha256 = new AlgorithmIdentifier({ algorithm: '2.16.840.1.101.3.4.2.1', parameters: null });
const nonceBytes = 8;

/** A time stamping authority, which learns nothing but a hash (RFC 3161). Its token is kept with what was asked. */
export function timeStampTarget(url: string): AnchorTarget {
  return {
    name: 'timestamp',
    keep: async ({ note }) => {
      const digest = hash('sha256', note, 'buffer');
      const nonce = randomBytes(nonceBytes);
      // A number that is positive and has its eight bytes in every form.
      nonce[0] = 0x40 | ((nonce[0] ?? 0) & 0x3f);
      const request = queryOf(digest, nonce);
      const headers = { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' };
      const answer = await send(new Request(url, { method: 'POST', headers, body: new Uint8Array(request) }));
      requireToken(answer, digest, nonce);
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

/**
 * That the token is the answer to this query: of the same hash and nonce. Who signed it is verified by those who rely on
 * it, with the certificate of the authority that they trust.
 * @throws AnchorFailure
 */
function requireToken(answer: Buffer, digest: Buffer, nonce: Buffer): void {
  const { status, timeStampToken } = parsed(() => AsnConvert.parse(answer, TimeStampResp));
  const isGranted = status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods;
  if (!isGranted || !timeStampToken) throw new AnchorFailure(`the authority refused with status ${status.status}`);
  const signed = parsed(() => AsnConvert.parse(timeStampToken.content, SignedData));
  const content = signed.encapContentInfo.eContent?.single?.buffer ?? new ArrayBuffer();
  const { messageImprint, nonce: answered } = parsed(() => AsnConvert.parse(content, TSTInfo));
  if (!digest.equals(Buffer.from(messageImprint.hashedMessage.buffer)))
    throw new AnchorFailure('a token of another hash');
  if (!nonce.equals(Buffer.from(answered ?? new ArrayBuffer()))) throw new AnchorFailure('a token of another query');
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new AnchorFailure('the answer is not a token', { cause });
  }
}

function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
