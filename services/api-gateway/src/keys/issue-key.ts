import { isId, NotFoundError, type KeyRequest } from '@gateway/contracts';
import type { Database } from '@gateway/service-kit';
import { AccountEntity } from '#src/accounts/account-entity.ts';
import { ApiKeyEntity } from '#src/keys/api-key-entity.ts';
import { newKeyPair, secretHashOf, type KeyPair } from '#src/keys/key-pair.ts';
import { presentKey } from '#src/keys/present-key.ts';
import { recordAudit, type OperatorAct } from '#src/operators/record-audit.ts';

/** Gives an account a key pair. The secret is in this answer and nowhere else. */
export async function issueKey(
  database: Database,
  act: OperatorAct,
  { accountId, request }: { readonly accountId: string; readonly request: KeyRequest },
): Promise<KeyPair> {
  if (!isId('account', accountId)) throw new NotFoundError('account');
  return await database.transaction(async (tx) => {
    if (!(await tx.em.findOne(AccountEntity, { id: accountId }))) throw new NotFoundError('account');
    const pair = newKeyPair(request.environment, request.api_version);
    const key = tx.em.create(ApiKeyEntity, {
      publicKey: pair.publicKey,
      secretHash: secretHashOf(pair.secretKey).toString('hex'),
      accountId,
      environment: request.environment,
      apiVersion: request.api_version,
      name: request.name ?? null,
      createdAt: act.at,
      lastUsedAt: null,
      revokedAt: null,
    });
    recordAudit(tx, act, { action: 'key.issue', target: pair.publicKey, before: null, after: presentKey(key) });
    return pair;
  });
}
