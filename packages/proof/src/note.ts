import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { fromBase64, ProofError, sha256 } from '#src/hash.ts';

/** How the signatures of a kind of key are made and recognised, by the bytes of C2SP signed-note. */
interface SignatureType {
  /** What stands before the key in its text. */
  readonly kind: Buffer;
  /** Node's name of the keys. */
  readonly keyType: string;
  readonly keyBytes: number;
  /** What stands in a SubjectPublicKeyInfo before the key itself. */
  readonly keyInfo: Buffer;
  /** What is before the signature itself in a line. */
  readonly before: Buffer;
  /** The bytes that are signed for a text. */
  readonly message: (keyName: string, text: string) => Buffer;
}

const ed25519: SignatureType = {
  kind: Buffer.of(0x01),
  keyType: 'ed25519',
  keyBytes: 32,
  keyInfo: Buffer.from('302a300506032b6570032100', 'hex'),
  before: Buffer.alloc(0),
  message: (_keyName, text) => Buffer.from(text),
};

/** Of C2SP tlog-cosignature, with the time that makes no statement: the checkpoint itself is the statement. */
const mlDsa44: SignatureType = {
  kind: Buffer.of(0x06),
  keyType: 'ml-dsa-44',
  keyBytes: 1_312,
  keyInfo: Buffer.from('30820532300b06096086480165030403110382052100', 'hex'),
  before: Buffer.alloc(8),
  message: cosignedMessage,
};

/**
 * A key of ML-DSA-44 over a text that is no checkpoint, with an id of its own: C2SP lets a key sign in two ways, and has 0xff for
 * one without a number. What is cosigned has a NUL in it and a text none, so neither is taken for the other.
 */
const mlDsa44OfTexts: SignatureType = {
  ...mlDsa44,
  kind: Buffer.from('\u00ffml-dsa-44/text', 'latin1'),
  before: Buffer.alloc(0),
  message: ed25519.message,
};

const signatureTypes = [ed25519, mlDsa44];

/** `subtree/v1` of C2SP tlog-cosignature: who signs, which log, and the whole tree by size and root. */
function cosignedMessage(keyName: string, text: string): Buffer {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const [time, start, end] = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8)];
  end.writeBigUInt64BE(BigInt(size));
  const label = Buffer.from('subtree/v1\n\0');
  return Buffer.concat([label, short(keyName), time, short(origin), start, end, fromBase64(root)]);
}

function short(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length === 0 || bytes.length > 255) throw new ProofError('a name has 1 to 255 bytes');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** A public key by the name it signs under. */
export interface NoteVerifier {
  readonly name: string;
  /** Eight hexadecimal digits. */
  readonly keyId: string;
  /** C2SP's text of it: name, id and key. */
  readonly text: string;
  readonly verify: (text: string, signature: Uint8Array) => boolean;
}

export interface NoteSigner extends NoteVerifier {
  readonly sign: (text: string) => Buffer;
}

const nameForm = /^[^\s+\p{Cc}]+$/u;

function verifierOf(name: string, type: SignatureType, bytes: Buffer): NoteVerifier {
  if (!nameForm.test(name)) throw new ProofError('a name of a key has no spaces and no plus sign');
  if (bytes.length !== type.keyBytes) throw new ProofError('not a public key of its type');
  const typed = Buffer.concat([type.kind, bytes]);
  const keyId = sha256(Buffer.concat([Buffer.from(`${name}\n`), typed])).toString('hex', 0, 4);
  const key = createPublicKey({ key: Buffer.concat([type.keyInfo, bytes]), format: 'der', type: 'spki' });
  return {
    name,
    keyId,
    text: `${name}+${keyId}+${typed.toString('base64')}`,
    verify: (text, signature) => {
      const start = type.before.length;
      if (Buffer.compare(signature.subarray(0, start), type.before) !== 0) return false;
      return verify(null, type.message(name, text), key, signature.subarray(start));
    },
  };
}

/** Reads C2SP's text of a public key: `<name>+<id>+<base64 of type and key>`. */
export function readVerifier(text: string): NoteVerifier {
  const [name = '', keyId, base64 = '', ...rest] = splitKey(text.trim());
  const bytes = fromBase64(base64);
  const type = signatureTypes.find(({ kind }) => kind[0] === bytes[0]);
  if (!type || rest.length > 0) throw new ProofError('not a public key of a kind that is known');
  const verifier = verifierOf(name, type, bytes.subarray(1));
  if (verifier.keyId !== keyId) throw new ProofError('the id of the public key is not its own');
  return verifier;
}

/** What verifies the texts that a key has signed which are no checkpoints; of Ed25519 it is the key itself. */
export function readTextVerifier(text: string): NoteVerifier {
  const verifier = readVerifier(text);
  const [name = '', , base64 = ''] = splitKey(verifier.text);
  const bytes = fromBase64(base64);
  return bytes[0] === mlDsa44.kind[0] ? verifierOf(name, mlDsa44OfTexts, bytes.subarray(1)) : verifier;
}

/** Base64 has plus signs of its own, so only the first two separate. */
function splitKey(text: string): string[] {
  const [name = '', keyId = '', ...base64] = text.split('+');
  return [name, keyId, base64.join('+')];
}

/** Signs under a name with a private key: Ed25519, or ML-DSA-44 for checkpoints. */
export function noteSigner(name: string, privateKey: KeyObject): NoteSigner {
  return signerOf(name, privateKey, signatureTypes);
}

/** Signs texts that are no checkpoints; `readTextVerifier` verifies them. */
export function textSigner(name: string, privateKey: KeyObject): NoteSigner {
  return signerOf(name, privateKey, [ed25519, mlDsa44OfTexts]);
}

function signerOf(name: string, privateKey: KeyObject, types: readonly SignatureType[]): NoteSigner {
  const type = types.find(({ keyType }) => keyType === privateKey.asymmetricKeyType);
  if (!type) throw new ProofError('notes are signed with Ed25519 or ML-DSA-44');
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const verifier = verifierOf(name, type, spki.subarray(-type.keyBytes));
  const signText = (text: string) => Buffer.concat([type.before, sign(null, type.message(name, text), privateKey)]);
  return { ...verifier, sign: signText };
}

const signatureLine = /^\u2014 (?<name>[^\s+]+) (?<base64>\S+)$/u;
/** C2SP has verifiers accept 16 at least. */
const signaturesMax = 32;

/** A text that ends with a newline, with a line per signature under it (C2SP signed-note). */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  requireNoteText(text);
  if (signers.length === 0) throw new ProofError('a note has a signature');
  const lines = signers.map((signer) => {
    const signature = Buffer.concat([Buffer.from(signer.keyId, 'hex'), signer.sign(text)]);
    return `\u2014 ${signer.name} ${signature.toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

export interface OpenedNote {
  readonly text: string;
  /** Of the keys that are known, those that signed it; one at least. */
  readonly signedBy: readonly NoteVerifier[];
}

/**
 * Verifies a note by the keys that are known. Signatures of others are passed over; a wrong one of a known key, or none
 * by a known key, is a `ProofError`.
 */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): OpenedNote {
  const { text, signatures } = splitNote(note);
  const signedBy = new Set<NoteVerifier>();
  for (const { name, keyId, signature } of signatures) {
    const verifier = verifiers.find((known) => known.name === name && known.keyId === keyId);
    if (!verifier) continue;
    if (signedBy.has(verifier)) throw new ProofError(`two signatures of ${name}`);
    if (!verifier.verify(text, signature)) throw new ProofError(`the signature of ${name} is not right`);
    signedBy.add(verifier);
  }
  if (signedBy.size === 0) throw new ProofError('no signature by a key that is known');
  return { text, signedBy: [...signedBy] };
}

interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly signature: Buffer;
}

/** The text of a note, without a look at its signatures. */
export function splitNote(note: string): { readonly text: string; readonly signatures: readonly NoteSignature[] } {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new ProofError('not a signed note');
  const text = note.slice(0, end + 1);
  requireNoteText(text);
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > signaturesMax) throw new ProofError('too many signatures');
  const signatures = lines.map((line) => {
    const { name, base64 } = signatureLine.exec(line)?.groups ?? {};
    const bytes = fromBase64(base64 ?? '');
    if (name === undefined || bytes.length < 5) throw new ProofError('not a line of a signature');
    return { name, keyId: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) };
  });
  return { text, signatures };
}

function requireNoteText(text: string): void {
  if (!text.endsWith('\n') || /[^\n\P{Cc}]/u.test(text)) {
    throw new ProofError('the text of a note has no control characters and ends with a newline');
  }
}
