import { z } from 'zod';
import { baseUrlSchema, callTimeoutMsSchema, clientTlsSchema, providerIdSchema } from '#src/config.ts';

/**
 * How a notification without a signature is known to come from the provider: by a secret in the address it was registered
 * with (`?hmac=`), by the certificate of the connection, and in addition by where it comes from.
 */
const notificationProofSchema = z
  .object({
    secret: z
      .string()
      .regex(/^[A-Za-z0-9_-]{16,128}$/)
      .optional(),
    sourceAddresses: z.array(z.union([z.ipv4(), z.ipv6()])).optional(),
    certificateFingerprints: z.array(z.string().regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/)).optional(),
  })
  .strict()
  .refine(
    ({ secret, certificateFingerprints }) => secret !== undefined || (certificateFingerprints?.length ?? 0) > 0,
    'a secret or the fingerprint of a certificate is needed',
  );

export const bacenConfigShape = {
  id: providerIdSchema,
  /** Where `/cob` and `/pix` are: `https://pix.example.com/api/v2`. */
  baseUrl: baseUrlSchema,
  tokenUrl: baseUrlSchema,
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** Only where the provider's token endpoint asks for scopes. */
  scope: z.string().optional(),
  /** The PIX key that receives, in DICT's form. */
  receivingKey: z.string().min(3).max(77),
  /** Name and city in the codes of a provider that answers a charge's location and no code; the payer sees the location's. */
  merchantName: z.string().min(1).max(200).default('RECEBEDOR PIX'),
  merchantCity: z.string().min(1).max(200).default('BRASILIA'),
  tls: clientTlsSchema.optional(),
  callTimeoutMs: callTimeoutMsSchema,
  notifications: notificationProofSchema,
};

export const bacenConfigSchema = z.object({ kind: z.literal('bacen'), ...bacenConfigShape }).strict();

type FullConfig = Omit<z.infer<typeof bacenConfigSchema>, 'kind'>;
export type BacenConfig = Omit<FullConfig, 'merchantName' | 'merchantCity'> &
  Partial<Pick<FullConfig, 'merchantName' | 'merchantCity'>>;
export type NotificationProof = z.infer<typeof notificationProofSchema>;
