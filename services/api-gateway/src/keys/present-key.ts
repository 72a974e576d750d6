import type { ApiKeyEntity } from '#src/keys/api-key-entity.ts';

/** A key as the audit trail shows it: without anything of its secret. */
export function presentKey(key: ApiKeyEntity) {
  return {
    public_key: key.publicKey,
    account_id: key.accountId,
    environment: key.environment,
    api_version: key.apiVersion,
    name: key.name ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    claim_expires_at: key.claimExpiresAt?.toISOString() ?? null,
    claimed_at: key.claimedAt?.toISOString() ?? null,
  };
}
