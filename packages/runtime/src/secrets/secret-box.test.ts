import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { secretDigestOf } from '#src/secrets/key-digest.ts';
import { SecretBox } from '#src/secrets/secret-box.ts';

const [key, next] = [randomBytes(32), randomBytes(32)];
const idOf = (secretsKey: Buffer) => createHash('sha256').update(secretsKey).digest('hex').slice(0, 8);

describe('a sealed secret', () => {
  test('is its key’s id, a dot, and nonce, ciphertext and tag in base64url, new each time', () => {
    const box = new SecretBox([key]);
    const [id, text = '', ...rest] = box.seal('secret', 'owner').split('.');
    expect([id, rest]).toEqual([idOf(key), []]);
    expect(Buffer.from(text, 'base64url')).toHaveLength(12 + Buffer.byteLength('secret') + 16);
    expect(box.seal('secret', 'owner')).not.toBe(`${id}.${text}`);
  });

  test('opens for its owner alone, also an empty one and one of any text', () => {
    const box = new SecretBox([key]);
    for (const secret of ['', 'é日本', 'x'.repeat(10_000)]) {
      const sealed = box.seal(secret, 'owner');
      expect(box.open(sealed, 'owner')).toBe(secret);
      expect(() => box.open(sealed, 'another')).toThrow();
    }
  });

  test('is sealed with the first key and opens with any of them', () => {
    const sealed = new SecretBox([key]).seal('secret', 'owner');
    const rotated = new SecretBox([next, key]);
    expect(rotated.open(sealed, 'owner')).toBe('secret');
    expect(rotated.seal('secret', 'owner').split('.')[0]).toBe(idOf(next));
    expect(() => new SecretBox([next]).open(sealed, 'owner')).toThrow(`secrets key ${idOf(key)} is not configured`);
  });

  test.each(['', '.', 'text', 'a.b.c'])('that is none is refused: %j', (text) => {
    expect(() => new SecretBox([key]).open(text, 'owner')).toThrow();
  });

  test('with any byte changed, or cut short, does not open', () => {
    const box = new SecretBox([key]);
    const [id, text = ''] = box.seal('secret', 'owner').split('.');
    const bytes = Buffer.from(text, 'base64url');
    for (let place = 0; place < bytes.length; place++) {
      const changed = Buffer.from(bytes);
      changed[place]! ^= 1;
      expect(() => box.open(`${id}.${changed.toString('base64url')}`, 'owner'), String(place)).toThrow();
    }
    for (const length of [0, 12, 27, bytes.length - 1]) {
      expect(() => box.open(`${id}.${bytes.subarray(0, length).toString('base64url')}`, 'owner')).toThrow();
    }
  });

  test('needs a key', () => {
    expect(() => new SecretBox([])).toThrow('needs a key');
  });
});

describe('what a box remembers', () => {
  /** Whether the box still knows the secret without its key: the ciphertext no longer opens when the key is spoilt. */
  function remembered(openedMax: number | undefined, opened: number): boolean[] {
    const spoilt = Buffer.from(key);
    const box = new SecretBox([spoilt], openedMax === undefined ? {} : { openedMax });
    const sealed = Array.from({ length: opened }, (_, index) => box.seal(`secret ${index}`, 'owner'));
    for (const text of sealed) box.open(text, 'owner');
    spoilt.fill(0);
    return sealed.map((text, index) => {
      try {
        return box.open(text, 'owner') === `secret ${index}`;
      } catch {
        return false;
      }
    });
  }

  test('are the secrets it opened last, as many as it may', () => {
    expect(remembered(2, 3)).toEqual([false, true, true]);
    expect(remembered(3, 3)).toEqual([true, true, true]);
    expect(remembered(undefined, 20)).toEqual(Array.from({ length: 20 }, () => true));
  });

  test('is nothing where each secret is opened once', () => {
    expect(remembered(0, 2)).toEqual([false, false]);
  });

  test('is not given to another owner', () => {
    const box = new SecretBox([key]);
    const sealed = box.seal('secret', 'owner');
    box.open(sealed, 'owner');
    expect(() => box.open(sealed, 'own')).toThrow();
  });
});

test('the secret of an API key is stored as its SHA-256', () => {
  expect(secretDigestOf('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
