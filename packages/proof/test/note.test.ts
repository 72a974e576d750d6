import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  isIncluded,
  leafHash,
  noteSigner,
  openCheckpoint,
  parseCheckpoint,
  parseTlogProof,
  ProofError,
  readTextVerifier,
  readVerifier,
  signCheckpoint,
  textSigner,
  tlogProofText,
} from '#src/index.ts';
import { sha256 } from '#src/hash.ts';
import { openNote, signNote } from '#src/note.ts';

// The example of Go's package note, where the form of signed notes comes from.
const published = {
  seed: 'AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz',
  verifier: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signature: 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
};
const publishedNote = `${published.text}\n\u2014 PeterNeumann ${published.signature}\n`;

test("Go's published note is verified, and with a changed byte of its text, signature or key it is not", () => {
  const verifier = readVerifier(published.verifier);
  expect(openNote(publishedNote, [verifier]).text).toBe(published.text);
  expect(() => openNote(publishedNote.replace('answer', 'Answer'), [verifier])).toThrow(ProofError);
  expect(() => openNote(publishedNote.replace('/ZJku', '/ZJkv'), [verifier])).toThrow(ProofError);
  expect(() => readVerifier(published.verifier.replace('c74f20a3', 'c74f20a4'))).toThrow(ProofError);
  expect(() => readVerifier(published.verifier.replace('ARpc', 'ARpd'))).toThrow(ProofError);
});

const sample = (name: string) => readFileSync(join(import.meta.dirname, 'vectors', name), 'utf8');

test('a receipt of another implementation is verified, and reads back as the same text', () => {
  const text = sample('receipt.tlog-proof');
  const { extra = Buffer.alloc(0), index, hashes, checkpoint } = parseTlogProof(text);
  const tree = openCheckpoint(checkpoint, [readVerifier(sample('receipt.vkey'))]);
  expect(tree).toMatchObject({ origin: 'pay.example.com/ledger/live.0', size: 11, extensions: [] });
  expect(isIncluded({ leaf: leafHash(sha256(extra)), index, tree, hashes })).toBe(true);
  expect(tlogProofText({ extra, index, hashes, checkpoint })).toBe(text);
});

test('a proof without extra reads back as it was written, and one that lacks a part is refused', () => {
  const { hashes, checkpoint } = parseTlogProof(sample('receipt.tlog-proof'));
  const text = tlogProofText({ index: 0, hashes, checkpoint });
  expect(parseTlogProof(text)).toEqual({ index: 0, hashes, checkpoint });
  for (const wrong of [
    text.replace('@v1', '@v2'),
    text.replace('index 0', 'index 00'),
    text.replace('index 0\n', ''),
    text.replace('=\n', '\n'),
    text.slice(0, text.indexOf('\n\n') + 1),
    text.replace('\n11\n', '\n011\n'),
    text.replace('\n11\n', '\n'),
  ]) {
    expect(() => parseTlogProof(wrong), wrong).toThrow(ProofError);
  }
});

const origin = 'pay.example.com/ledger/live.0';
const tree = { origin, size: 5, root: Buffer.alloc(32, 7), extensions: [] };
const ed25519 = noteSigner(origin, generateKeyPairSync('ed25519').privateKey);
const mlDsa = noteSigner(origin, generateKeyPairSync('ml-dsa-44').privateKey);

describe('a checkpoint', () => {
  test('signed with both kinds of key is verified by each, and by neither for another tree', () => {
    const note = signCheckpoint(tree, [ed25519, mlDsa]);
    for (const signer of [ed25519, mlDsa]) {
      const verifier = readVerifier(signer.text);
      expect(openCheckpoint(note, [verifier])).toEqual(tree);
      expect(() => openCheckpoint(note.replace('\n5\n', '\n6\n'), [verifier])).toThrow(ProofError);
      expect(() => openCheckpoint(note.replace(`${origin}\n5`, 'other.example/ledger\n5'), [verifier])).toThrow(
        ProofError,
      );
    }
    expect(openNote(note, [ed25519, mlDsa]).signedBy).toEqual([ed25519, mlDsa]);
    expect(parseCheckpoint(note)).toEqual(tree);
  });

  test('is as long with ML-DSA-44 as C2SP has it: a time of zero and 2,420 bytes', () => {
    const line = signCheckpoint(tree, [mlDsa]).split(`\u2014 ${origin} `)[1] ?? '';
    expect(Buffer.from(line, 'base64')).toHaveLength(4 + 8 + 2_420);
    expect(Buffer.from(line, 'base64').subarray(4, 12)).toEqual(Buffer.alloc(8));
  });

  test('is refused when no known key signed it, a known one signed it wrongly or twice, and when it has no signature', () => {
    const note = signCheckpoint(tree, [ed25519]);
    const other = noteSigner(origin, generateKeyPairSync('ed25519').privateKey);
    expect(() => openCheckpoint(note, [other])).toThrow('no signature');
    const [text = '', line = ''] = note.split('\n\n');
    expect(() => openCheckpoint(`${note}${line}`, [ed25519])).toThrow('two signatures');
    const [otherText = ''] = signCheckpoint({ ...tree, size: 6 }, [ed25519]).split('\n\n');
    expect(() => openCheckpoint(`${otherText}\n\n${line}`, [ed25519])).toThrow('not right');
    expect(() => openCheckpoint(`${text}\n\n`, [ed25519])).toThrow(ProofError);
    expect(openCheckpoint(signCheckpoint(tree, [other, ed25519]), [ed25519])).toEqual(tree);
  });

  test('has lines of its own behind the root, and none that is empty', () => {
    const extended = { ...tree, extensions: ['chain 5'] };
    expect(openCheckpoint(signCheckpoint(extended, [ed25519]), [ed25519])).toEqual(extended);
    expect(() => signCheckpoint({ ...tree, extensions: [''] }, [ed25519])).toThrow(ProofError);
    expect(() => signCheckpoint({ ...tree, extensions: ['a\nb'] }, [ed25519])).toThrow(ProofError);
    expect(() => signCheckpoint({ ...tree, root: Buffer.alloc(31) }, [ed25519])).toThrow(ProofError);
  });
});

test('a text that is no checkpoint is signed by a key of ML-DSA-44 under an id of its own, and neither is taken for the other', () => {
  const { privateKey } = generateKeyPairSync('ml-dsa-44');
  const [ofCheckpoints, ofTexts] = [noteSigner(origin, privateKey), textSigner(origin, privateKey)];
  const verifier = readTextVerifier(ofCheckpoints.text);
  expect(verifier.keyId).toBe(ofTexts.keyId);
  const note = signNote(`${origin}\nnext key\n`, [ed25519, ofTexts]);
  expect(openNote(note, [ed25519, verifier]).signedBy).toEqual([ed25519, verifier]);
  expect(() => openNote(note.replace('next', 'last'), [verifier])).toThrow('not right');
  expect(openNote(note, [ed25519, readVerifier(ofCheckpoints.text)]).signedBy).toEqual([ed25519]);
  expect(() => signNote(`${origin}\nnext key\n`, [ofCheckpoints])).toThrow('next key');
  const checkpoint = signCheckpoint(tree, [ofCheckpoints]);
  expect(() => openNote(checkpoint, [verifier])).toThrow('no signature');
  expect(readTextVerifier(ed25519.text).text).toBe(ed25519.text);
});

test('a note has no control characters, and a key no spaces or plus signs in its name', () => {
  expect(() => signNote('a\u0000b\n', [ed25519])).toThrow(ProofError);
  expect(() => signNote('no newline', [ed25519])).toThrow(ProofError);
  expect(() => signNote('nothing\n', [])).toThrow(ProofError);
  const { privateKey } = generateKeyPairSync('ed25519');
  for (const name of ['', 'a b', 'a+b', 'a\nb']) expect(() => noteSigner(name, privateKey)).toThrow(ProofError);
  expect(() => noteSigner('rsa', generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey)).toThrow(ProofError);
});

test("Go's published private key makes the published key and signature", () => {
  const key = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(published.seed, 'base64').subarray(1),
  ]);
  const signer = noteSigner('PeterNeumann', createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
  expect(signer.text).toBe(published.verifier);
  expect(signNote(published.text, [signer])).toBe(publishedNote);
});
