import { z } from 'zod';
import { providerWeightMax, type Provider } from '#src/deposits/provider-rpc.ts';
import { environmentSchema } from '#src/environment.ts';
import { paymentMethodSchema } from '#src/money/currency.ts';

/** A provider as operators see it (api.md 5). */
export const providerResourceSchema = z.object({
  id: z.string(),
  object: z.literal('provider'),
  environment: environmentSchema,
  enabled: z.boolean(),
  weight: z.int(),
  healthy: z.boolean(),
  payment_methods: z.array(paymentMethodSchema),
});
export type ProviderResource = z.infer<typeof providerResourceSchema>;

/** Body of `PATCH /ops/providers/{id}`; what is left out stays as it is. */
export const providerPatchSchema = z
  .object({
    environment: environmentSchema.default('live'),
    enabled: z.boolean().optional(),
    weight: z.int().min(0).max(providerWeightMax).optional(),
  })
  .refine(({ enabled, weight }) => enabled !== undefined || weight !== undefined, {
    path: ['enabled'],
    message: 'or weight is required',
  });

export function presentProvider({ paymentMethods, ...provider }: Provider): ProviderResource {
  const { id, environment, enabled, weight, healthy } = provider;
  return { id, object: 'provider', environment, enabled, weight, healthy, payment_methods: paymentMethods };
}
