import { hash } from 'node:crypto';

/** Bytes of a SHA-256 hash. */
export const hashBytes = 32;

/** The root of a tree without records. */
export const emptyRoot = sha256(Buffer.alloc(0));

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

const leafPrefix = 0x00;
const nodePrefix = 0x01;

/** The hash of a record as a leaf (RFC 9162, 2.1.1). The prefix keeps a record from passing for a node. */
export function leafHash(record: Uint8Array): Buffer {
  const prefixed = Buffer.allocUnsafe(1 + record.length);
  prefixed[0] = leafPrefix;
  prefixed.set(record, 1);
  return sha256(prefixed);
}

/** Two hashes and their prefix, overwritten by every node: a tree has as many nodes as records. */
const scratch = Buffer.alloc(1 + 2 * hashBytes, nodePrefix);

/** The hash of the node above two others (RFC 9162, 2.1.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  if (left.length !== hashBytes || right.length !== hashBytes) throw new ProofError('a hash has 32 bytes');
  scratch.set(left, 1);
  scratch.set(right, 1 + hashBytes);
  return sha256(scratch);
}

/** What was to be read or verified is not what it has to be. */
export class ProofError extends Error {
  override readonly name = 'ProofError';
}

const base64Form = /^[A-Za-z0-9+/]+={0,2}$/;

/** Standard base64 in its only form, so that no two texts are the same bytes. */
export function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (!base64Form.test(text) || bytes.toString('base64') !== text) throw new ProofError('not base64');
  return bytes;
}

export function hashFromBase64(text: string): Buffer {
  const bytes = fromBase64(text);
  if (bytes.length !== hashBytes) throw new ProofError('a hash has 32 bytes');
  return bytes;
}

const decimalForm = /^(?:0|[1-9][0-9]{0,15})$/;

/** A decimal number without leading zeros that is exact in JavaScript. */
export function sizeFromText(text: string): number {
  const size = Number(text);
  if (!decimalForm.test(text) || !Number.isSafeInteger(size)) throw new ProofError('not a size');
  return size;
}
