import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { baseUrlSchema, callTimeoutMsSchema, providerIdSchema } from '#src/config.ts';

const secretCharactersMin = 8;

const rsaKeySchema = z.string().refine((pem) => {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}, 'must be an RSA private key in PEM');

export const fintocConfigSchema = z
  .object({
    kind: z.literal('fintoc'),
    id: providerIdSchema,
    /** `https://api.fintoc.com`, for test and live keys alike. */
    baseUrl: baseUrlSchema,
    /** `sk_live_…`; `sk_test_…` moves simulated money. */
    secretKey: z.string().min(secretCharactersMin),
    /** The account (`acc_…`) that account numbers point to and that pays. */
    accountId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    /** Signs every call that moves money; its public half is in the dashboard. */
    jwsPrivateKey: rsaKeySchema,
    /** Of each of our webhook endpoints; shown once when it is made, and in the dashboard. */
    webhookSecrets: z.array(z.string().min(secretCharactersMin).max(200)).min(1),
    callTimeoutMs: callTimeoutMsSchema,
  })
  .strict();

export type FintocConfig = Omit<z.infer<typeof fintocConfigSchema>, 'kind'>;
