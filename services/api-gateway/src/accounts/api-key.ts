import { randomBytes } from 'node:crypto';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { KeyScope } from '@gateway/contracts/accounts';
import type { ApiVersion, Environment } from '@gateway/contracts/values';

/** One key pair of one account in one environment; of the secret only its hash is kept. */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    publicKey: p.string().primary(),
    /**
     * SHA-256 in hex. Secrets are 256 random bits, so a slow hash would protect nothing. Null while a live key waits for its
     * merchant to fetch one: then it opens nothing.
     */
    secretHash: p.string().nullable(),
    accountId: p.string(),
    environment: p.string().$type<Environment>(),
    apiVersion: p.string().$type<ApiVersion>(),
    name: p.string().nullable(),
    /** What it is limited to; null: to nothing. */
    scopes: p.array<KeyScope>().nullable(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    /** Of a live key: how long its secret can be fetched by the link. */
    claimExpiresAt: p.datetime().nullable(),
    claimedAt: p.datetime().nullable(),
  },
});
export type ApiKeyEntity = InferEntity<typeof ApiKeyEntity>;

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

/** A key as the audit trail shows it: without anything of its secret. */
export function presentKey(key: ApiKeyEntity) {
  return {
    public_key: key.publicKey,
    account_id: key.accountId,
    environment: key.environment,
    api_version: key.apiVersion,
    name: key.name ?? null,
    scopes: key.scopes ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    claim_expires_at: key.claimExpiresAt?.toISOString() ?? null,
    claimed_at: key.claimedAt?.toISOString() ?? null,
  };
}
