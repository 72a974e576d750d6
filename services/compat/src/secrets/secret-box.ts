import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;
const keyIdCharacters = 8;

/**
 * Secrets at rest: AES-256-GCM (DESIGN 9). A sealed text names the key it was sealed with, so that a second key can
 * be introduced, and opens only for the purpose it was sealed for, so that it cannot be moved to another row.
 */
export class SecretBox {
  readonly #key: Buffer;
  readonly #keyId: string;

  /** @param key 32 bytes */
  constructor(key: Buffer) {
    this.#key = key;
    this.#keyId = createHash('sha256').update(key).digest('hex').slice(0, keyIdCharacters);
  }

  seal(secret: Buffer, purpose: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    return `${this.#keyId}.${sealed.toString('base64url')}`;
  }

  /** @throws Error when it was sealed with another key or for another purpose, or was changed */
  open(sealed: string, purpose: string): Buffer {
    const [keyId, text = ''] = sealed.split('.', 2);
    if (keyId !== this.#keyId) throw new Error(`sealed with key ${keyId ?? 'none'}, which is not SECRETS_KEY`);
    const bytes = Buffer.from(text, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, ivBytes));
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]);
  }
}
