import { createPublicKey, verify } from 'node:crypto';
import { fromBase64, ProofError, sha256 } from '#src/hash.ts';
import { splitNote } from '#src/note.ts';

/** `cosignature/v1` of C2SP tlog-cosignature, the number of its keys in signed notes. */
const keyNumber = 0x04;
const keyBytes = 32;
const signatureBytes = 64;
const timeBytes = 8;
const keyInfo = Buffer.from('302a300506032b6570032100', 'hex');

/** A witness by its public key: it states that each checkpoint it signs contains all that it has signed before. */
export interface WitnessKey {
  readonly name: string;
  /** Eight hexadecimal digits. */
  readonly keyId: string;
  /** C2SP's text of it: name, id and key. */
  readonly text: string;
  /** @returns when it has signed the text of a note, in Unix seconds; null when the signature is not its own */
  readonly timeOf: (text: string, signature: Uint8Array) => number | null;
}

/** Reads C2SP's text of a witness's key: `<name>+<id>+<base64 of 0x04 and an Ed25519 key>`. */
export function readWitnessKey(text: string): WitnessKey {
  const [, name = '', keyId = '', base64 = ''] = /^([^\s+\p{Cc}]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text.trim()) ?? [];
  const typed = fromBase64(base64);
  if (typed[0] !== keyNumber || typed.length !== 1 + keyBytes) throw new ProofError('not the key of a witness');
  const id = sha256(Buffer.concat([Buffer.from(`${name}\n`), typed])).toString('hex', 0, 4);
  if (id !== keyId) throw new ProofError('the id of the public key is not its own');
  const key = createPublicKey({ key: Buffer.concat([keyInfo, typed.subarray(1)]), format: 'der', type: 'spki' });
  return {
    name,
    keyId,
    text: text.trim(),
    timeOf: (signed, signature) => {
      if (signature.length !== timeBytes + signatureBytes) return null;
      const time = Number(Buffer.from(signature).readBigUInt64BE());
      const message = Buffer.from(`cosignature/v1\ntime ${time}\n${signed}`);
      return verify(null, message, key, signature.subarray(timeBytes)) ? time : null;
    },
  };
}

/**
 * The line of a note that a witness has signed, and when.
 *
 * @returns null where it has not signed the note
 * @throws ProofError when a signature under its name is not its own
 */
export function cosignatureOf(
  note: string,
  witness: WitnessKey,
): { readonly line: string; readonly time: number } | null {
  const { text, signatures } = splitNote(note);
  const found = signatures.find(({ name, keyId }) => name === witness.name && keyId === witness.keyId);
  if (!found) return null;
  const time = witness.timeOf(text, found.signature);
  if (time === null) throw new ProofError(`the signature of ${witness.name} is not right`);
  const bytes = Buffer.concat([Buffer.from(found.keyId, 'hex'), found.signature]);
  return { line: `\u2014 ${witness.name} ${bytes.toString('base64')}\n`, time };
}
