import type { ReplyOf, RequestOf, rotateWebhookSecret as contract } from '@gateway/contracts';
import type { Database } from '@gateway/service-kit';
import type { SecretBox } from '@gateway/service-kit';
import { findEndpoint } from '#src/endpoints/find-endpoint.ts';
import { newSecret } from '#src/endpoints/secret.ts';

export interface RotateSecretDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
}

/**
 * Answers a new secret, once. The one in force signs the main header until the overlap is over and the new one signs
 * beside it; then the new one is in force. A second rotation within an overlap replaces the secret that was to come.
 *
 * @throws NotFoundError
 */
export async function rotateSecret(
  { database, secretBox }: RotateSecretDeps,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const secret = newSecret();
  await database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx.em, request);
    const now = new Date();
    const { nextSealedSecret, nextSecretAt } = endpoint;
    if (nextSealedSecret && nextSecretAt && nextSecretAt <= now) endpoint.sealedSecret = nextSealedSecret;
    const sealed = secretBox.seal(secret, endpoint.id);
    const atOnce = request.overlapSec === 0;
    if (atOnce) endpoint.sealedSecret = sealed;
    endpoint.nextSealedSecret = atOnce ? null : sealed;
    endpoint.nextSecretAt = atOnce ? null : new Date(now.getTime() + request.overlapSec * 1_000);
  });
  return { secret };
}
