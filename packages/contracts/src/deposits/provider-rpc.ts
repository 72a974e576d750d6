import { z } from 'zod';
import { currencySchema, paymentMethodSchema, minorUnitsSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';
import { defineRpc } from '#src/messages/define.ts';
import { providerBalanceSchema } from '#src/providers/provider-balance.ts';

export const providerWeightMax = 1_000;
const weightSchema = z.int().min(0).max(providerWeightMax);

/** A payment provider as routing sees it. */
export const providerSchema = z.object({
  environment: environmentSchema,
  id: z.string(),
  /**
   * It gets new charges and payouts. Without that, its existing ones continue: payments, refunds, disputes, lookups.
   */
  enabled: z.boolean(),
  /** Share of the new charges; with 0 it gets them only when no other provider can take them. */
  weight: weightSchema,
  /** False while calls to it fail. */
  healthy: z.boolean(),
  paymentMethods: z.array(paymentMethodSchema),
  /** ISO 8601 UTC; when the certificate ends that we present to it, null where none is presented. */
  certificateEndsAt: z.string().nullable().default(null),
  /** One per currency, of a live provider whose balance can be read. */
  balances: z.array(providerBalanceSchema).default([]),
});
export type Provider = z.infer<typeof providerSchema>;

export const listProviders = defineRpc({
  subject: 'rpc.deposits.list-providers.v1',
  owner: 'deposits',
  callers: ['api-gateway', 'payouts', 'reconciler'],
  request: z.object({}),
  reply: z.object({ providers: z.array(providerSchema) }),
});

/** Changes what is given; every process routes by it within seconds. NOT_FOUND for one that is not configured. */
export const updateProvider = defineRpc({
  subject: 'rpc.deposits.update-provider.v1',
  owner: 'deposits',
  request: z.object({
    environment: environmentSchema,
    id: z.string(),
    enabled: z.boolean().optional(),
    weight: weightSchema.optional(),
    /** Our own money there, signed: paid in or taken out past the ledger. */
    ownFunds: z.object({ currency: currencySchema, amount: minorUnitsSchema }).optional(),
  }),
  reply: z.object({ before: providerSchema, provider: providerSchema }),
});

/**
 * Asks every live provider for its balance now and compares it with the books; takes as long as the slowest of them.
 */
export const compareProviderBalances = defineRpc({
  subject: 'rpc.deposits.compare-provider-balances.v1',
  owner: 'deposits',
  request: z.object({}),
  reply: z.object({ balances: z.array(providerBalanceSchema) }),
});
