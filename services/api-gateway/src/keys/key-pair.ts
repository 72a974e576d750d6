import { randomBytes } from 'node:crypto';
import type { ApiVersion, Environment } from '@gateway/contracts/values';

const publicKeyBytes = 16;
const secretKeyBytes = 32;

/** A fresh key pair; families of spec 5.2 and api.md 3. The secret exists only here and in the answer that shows it. */
export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

export function newKeyPair(environment: Environment, apiVersion: ApiVersion): KeyPair {
  return { publicKey: newPublicKey(environment, apiVersion), secretKey: newSecretKey(environment) };
}

export function newPublicKey(environment: Environment, apiVersion: ApiVersion): string {
  const family = apiVersion === '1.0' ? 'ak' : 'pk';
  return `${family}_${environment}_${randomBytes(publicKeyBytes).toString('hex')}`;
}

export function newSecretKey(environment: Environment): string {
  return `sk_${environment}_${randomBytes(secretKeyBytes).toString('hex')}`;
}

/** True when the text can be a public key at all; anything else is not worth a query. */
export function isPublicKey(text: string): boolean {
  return /^[ap]k_(?:live|test)_[0-9a-f]{32}$/.test(text);
}
