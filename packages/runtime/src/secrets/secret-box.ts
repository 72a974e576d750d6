import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const openedMaxDefault = 10_000;

/**
 * Secrets at rest (design.md 9), sealed with AES-256-GCM. The text is `<key id>.<base64url of nonce, ciphertext, tag>`.
 * The owner is authenticated with it, so that a sealed secret is of no use in the row of another one.
 */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #sealingKeyId: string;
  readonly #openedMax: number;
  /** Every delivery needs a secret; opening each one once is enough. */
  readonly #opened = new Map<string, string>();

  /** The first key seals; all of them open. `openedMax` is how many are remembered: 0 where each is opened once. */
  constructor(keys: readonly Buffer[], { openedMax = openedMaxDefault }: { readonly openedMax?: number } = {}) {
    const [first] = keys;
    if (!first) throw new Error('a secret box needs a key');
    this.#keys = new Map(keys.map((key) => [keyId(key), key]));
    this.#sealingKeyId = keyId(first);
    this.#openedMax = openedMax;
  }

  seal(secret: string, owner: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#sealingKeyId), nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${this.#sealingKeyId}.${sealed.toString('base64url')}`;
  }

  /** @throws Error when the key is not known, or the text was changed or sealed for another owner */
  open(sealed: string, owner: string): string {
    const cacheKey = `${owner} ${sealed}`;
    const known = this.#opened.get(cacheKey);
    if (known !== undefined) return known;
    const secret = this.#decrypt(sealed, owner);
    this.#remember(cacheKey, secret);
    return secret;
  }

  #remember(cacheKey: string, secret: string): void {
    if (this.#openedMax === 0) return;
    const [oldest] = this.#opened.keys();
    if (this.#opened.size >= this.#openedMax && oldest !== undefined) this.#opened.delete(oldest);
    this.#opened.set(cacheKey, secret);
  }

  #decrypt(sealed: string, owner: string): string {
    const [id = '', text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key(id), bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8');
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (!key) throw new Error(`secrets key ${id} is not configured`);
    return key;
  }
}

function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}
