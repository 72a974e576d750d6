import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { baseUrlSchema, callTimeoutMsSchema, providerIdSchema } from '#src/config.ts';

/**
 * Woovi's published key for `x-webhook-signature` (developers.woovi.com, "Validando Webhook payload usando SHA 256").
 * 1024 bits is what they sign with.
 */
export const wooviPublicKey = `-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC/+NtIkjzevvqD+I3MMv3bLXDt
pvxBjY4BsRrSdca3rtAwMcRYYvxSnd7jagVLpctMiOxQO8ieUCKLSWHpsMAjO/zZ
WMKbqoG8MNpi/u3fp6zz0mcHCOSqYsPUUG19buW8bis5ZZ2IZgBObWSpTvJ0cnj6
HKBAA82Jln+lGwS1MwIDAQAB
-----END PUBLIC KEY-----
`;

const webhookSecretCharactersMin = 8;

const publicKeySchema = z.string().refine((pem) => {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}, 'must be an RSA public key in PEM');

export const wooviConfigSchema = z
  .object({
    kind: z.literal('woovi'),
    id: providerIdSchema,
    /** `https://api.woovi.com`, sandbox `https://api.woovi-sandbox.com`. */
    baseUrl: baseUrlSchema,
    appId: z.string().min(1),
    /** The account whose balance is asked for; the default account without it. */
    accountId: z
      .string()
      .regex(/^[A-Za-z0-9]{1,64}$/)
      .optional(),
    callTimeoutMs: callTimeoutMsSchema,
    /** Whether Woovi lets this account look up a key's owner: on request, reviewed and billed per query. */
    ownerCheck: z.boolean().default(false),
    /** Keys the notifications are verified with, any of them; what Woovi publishes later is fetched. */
    publicKeys: z.array(publicKeySchema).min(1).default([wooviPublicKey]),
    /** Secret of each of our webhooks at Woovi (`X-OpenPix-Signature`): what proves that a notification is for us. */
    webhookSecrets: z.array(z.string().min(webhookSecretCharactersMin).max(200)).default([]),
  })
  .strict();

export type WooviConfig = Omit<z.infer<typeof wooviConfigSchema>, 'kind'>;
