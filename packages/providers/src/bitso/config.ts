import { z } from 'zod';
import { baseUrlSchema, callTimeoutMsSchema, providerIdSchema } from '#src/config.ts';

export const bitsoConfigSchema = z
  .object({
    kind: z.literal('bitso'),
    id: providerIdSchema,
    /** `https://api.bitso.com`; `https://api-stage.bitso.com/api` to try it. */
    baseUrl: baseUrlSchema,
    apiKey: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    apiSecret: z.string().min(8).max(200),
    /** Those whose conversions are covered there. */
    currencies: z
      .array(z.enum(['BRL', 'MXN']))
      .min(1)
      .refine((listed) => new Set(listed).size === listed.length, 'a currency is listed twice'),
    callTimeoutMs: callTimeoutMsSchema,
  })
  .strict();

export type BitsoConfig = Omit<z.infer<typeof bitsoConfigSchema>, 'kind'>;
