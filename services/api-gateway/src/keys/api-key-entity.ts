import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
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
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    /** Of a live key: how long its secret can be fetched by the link. */
    claimExpiresAt: p.datetime().nullable(),
    claimedAt: p.datetime().nullable(),
  },
});
export type ApiKeyEntity = InferEntity<typeof ApiKeyEntity>;
