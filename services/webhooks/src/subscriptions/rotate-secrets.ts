import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type {
  rotateCallbackSecret as callbackContract,
  rotateWebhookSecret as webhookContract,
} from '@gateway/contracts/webhooks';
import type { Database } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import { findEndpoint } from '#src/endpoints/endpoint.ts';
import { callbackSecretOwner, newSecret } from '#src/endpoints/signing-secrets.ts';

export interface RotateSecretDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
}

/**
 * Answers a new secret, once. The one in force signs the main header until the overlap is over and the new one signs
 * beside it; then the new one is in force. A second rotation within an overlap replaces the secret that was to follow.
 *
 * @throws NotFoundError
 */
export async function rotateWebhookSecret(
  { database, secretBox }: RotateSecretDeps,
  request: RequestOf<typeof webhookContract>,
): Promise<ReplyOf<typeof webhookContract>> {
  const secret = newSecret();
  await database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx.em, request);
    const now = new Date();
    const { nextSealedSecret, nextSecretAt } = endpoint;
    if (nextSealedSecret && nextSecretAt && nextSecretAt <= now) endpoint.sealedSecret = nextSealedSecret;
    const sealed = secretBox.seal(secret, endpoint.id);
    const withoutOverlap = request.overlapSec === 0;
    if (withoutOverlap) endpoint.sealedSecret = sealed;
    endpoint.nextSealedSecret = withoutOverlap ? null : sealed;
    endpoint.nextSecretAt = withoutOverlap ? null : new Date(now.getTime() + request.overlapSec * 1_000);
  });
  return { secret };
}

/** A new secret for the account's callbacks, answered once; it replaces the last one without an overlap. */
export async function rotateCallbackSecret(
  { database, secretBox }: RotateSecretDeps,
  owner: RequestOf<typeof callbackContract>,
): Promise<ReplyOf<typeof callbackContract>> {
  const secret = newSecret();
  await database.query(
    `insert into callback_secret (environment, account_id, sealed_secret) values ($1, $2, $3)
     on conflict (environment, account_id) do update set sealed_secret = excluded.sealed_secret, created_at = now()`,
    [owner.environment, owner.accountId, secretBox.seal(secret, callbackSecretOwner(owner))],
  );
  return { secret };
}
