import type { SecretBox } from '@gateway/service-kit';

export interface SealedSecrets {
  readonly id: string;
  readonly sealedSecret?: string | null;
  readonly nextSealedSecret?: string | null;
  readonly nextSecretAt?: Date | null;
}

/** The secrets that sign at a time: one, or two while the overlap of a rotation lasts. */
export function secretsInForce(
  { id, sealedSecret, nextSealedSecret, nextSecretAt }: SealedSecrets,
  secretBox: SecretBox,
  now: Date,
): { readonly secret: string; readonly nextSecret: string | undefined } {
  if (!sealedSecret) throw new Error(`endpoint ${id} has no secret of its own`);
  if (!nextSealedSecret || !nextSecretAt) return { secret: secretBox.open(sealedSecret, id), nextSecret: undefined };
  const next = secretBox.open(nextSealedSecret, id);
  if (nextSecretAt <= now) return { secret: next, nextSecret: undefined };
  return { secret: secretBox.open(sealedSecret, id), nextSecret: next };
}
