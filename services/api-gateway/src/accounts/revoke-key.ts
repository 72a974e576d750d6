import { LockMode } from '@mikro-orm/core';
import { NotFoundError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import { ApiKeyEntity, isPublicKey, presentKey } from '#src/accounts/api-key.ts';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';

export interface RevokedKey {
  readonly publicKey: string;
  /** Whose it has to be, where people of an account revoke it; operators revoke any. */
  readonly accountId?: string;
  readonly environment?: Environment;
}

/** Ends a key for good, everywhere within a second. A key that is revoked already stays as it is. */
export async function revokeKey(
  database: Database,
  directory: CallerDirectory,
  act: OperatorAct,
  { publicKey, ...owner }: RevokedKey,
): Promise<void> {
  if (!isPublicKey(publicKey)) throw new NotFoundError('key');
  await database.transaction(async (tx) => {
    const key = await tx.em.findOne(ApiKeyEntity, { publicKey, ...owner }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!key) throw new NotFoundError('key');
    if (key.revokedAt) return;
    const before = presentKey(key);
    key.revokedAt = act.at;
    recordAudit(tx, act, { action: 'key.revoke', target: publicKey, before, after: presentKey(key) });
    tx.afterCommit(() => directory.announceRevoked(publicKey));
  });
}
