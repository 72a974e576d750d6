import { z } from 'zod';
import { baseUrlSchema, callTimeoutMsSchema, providerIdSchema } from '#src/config.ts';

const notificationSecretCharactersMin = 16;

export const speiConfigSchema = z
  .object({
    kind: z.literal('spei'),
    id: providerIdSchema,
    baseUrl: baseUrlSchema,
    apiKey: z.string().min(1),
    /** What notifications are signed with; agreed on with the provider. */
    notificationSecret: z.string().min(notificationSecretCharactersMin),
    callTimeoutMs: callTimeoutMsSchema,
  })
  .strict();

export type SpeiConfig = Omit<z.infer<typeof speiConfigSchema>, 'kind'>;
