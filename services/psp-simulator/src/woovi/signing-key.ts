import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Database } from '@gateway/persistence';
import { keptPrivateKey } from '#src/bank/kept-key.ts';

export interface SigningKey {
  readonly privateKey: KeyObject;
  /** PEM, to verify signatures with. */
  readonly publicKeyPem: string;
}

/** The simulator's own key, made at the first start and kept. */
export async function loadSigningKey(database: Database): Promise<SigningKey> {
  const privateKey = await keptPrivateKey(database, 'woovi_signing_key');
  return { privateKey, publicKeyPem: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString() };
}
