import type { ReplyOf, RequestOf, rotateCallbackSecret as contract } from '@gateway/contracts';
import type { Database } from '@gateway/service-kit';
import type { SecretBox } from '@gateway/service-kit';
import { callbackSecretOwner } from '#src/endpoints/callback-secret-owner.ts';
import { newSecret } from '#src/endpoints/secret.ts';

export interface RotateCallbackSecretDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
}

/** A new secret for the account's callbacks, answered once; it replaces the last at once (api.md 2). */
export async function rotateCallbackSecret(
  { database, secretBox }: RotateCallbackSecretDeps,
  owner: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const secret = newSecret();
  await database.query(
    `insert into callback_secret (environment, account_id, sealed_secret) values ($1, $2, $3)
     on conflict (environment, account_id) do update set sealed_secret = excluded.sealed_secret, created_at = now()`,
    [owner.environment, owner.accountId, secretBox.seal(secret, callbackSecretOwner(owner))],
  );
  return { secret };
}
