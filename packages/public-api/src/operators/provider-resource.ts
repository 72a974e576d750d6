import { z } from 'zod';
import { providerWeightMax, type Provider } from '@gateway/contracts/deposits';
import { environmentSchema } from '@gateway/contracts/values';
import { currencySchema, paymentMethodSchema, minorUnitsSchema } from '@gateway/money';
import { moneyInFlightSchema, type ProviderBalance } from '@gateway/contracts/providers';
import { operatorReasonSchema } from '#src/operators/approval.ts';

const minorUnitsOrNull = minorUnitsSchema.nullable();

/** What a provider holds, beside the books. Amounts in minor units of the currency, times in Unix seconds. */
const providerBalanceResourceSchema = z.object({
  currency: currencySchema,
  /** By the provider: what can be spent and what is blocked. */
  held_cents: minorUnitsOrNull,
  /** By the ledger. */
  booked_cents: minorUnitsOrNull,
  /** Our own money there. */
  own_funds_cents: minorUnitsOrNull,
  /** What is on its way, and between which bounds it changes what is expected. */
  in_flight: z.array(
    z.object({
      what: moneyInFlightSchema.shape.what,
      at_least_cents: minorUnitsSchema,
      at_most_cents: minorUnitsSchema,
    }),
  ),
  /** What nothing explains; null while nothing could be compared. */
  difference_cents: minorUnitsOrNull,
  differs_since: z.int().nullable(),
  compared_at: z.int(),
  problem: z.string().nullable(),
});

/** A provider as operators see it (api.md 5). */
export const providerResourceSchema = z.object({
  id: z.string(),
  object: z.literal('provider'),
  environment: environmentSchema,
  enabled: z.boolean(),
  weight: z.int(),
  healthy: z.boolean(),
  payment_methods: z.array(paymentMethodSchema),
  /** Live, of a provider whose balance can be read. */
  balances: z.array(providerBalanceResourceSchema),
});
export type ProviderResource = z.infer<typeof providerResourceSchema>;

const changes = {
  enabled: z.boolean().optional(),
  weight: z.int().min(0).max(providerWeightMax).optional(),
  /** Our own money there: what was paid in or taken out past the gateway, all in all; signed. */
  own_funds: z.strictObject({ currency: currencySchema, amount_cents: minorUnitsSchema }).optional(),
  /** Kept with the proposal when the change takes two operators. */
  reason: operatorReasonSchema.nullish(),
};

const required = { path: ['enabled'], message: 'or weight or own_funds is required' };

function changesSomething({ enabled, weight, own_funds }: z.output<z.ZodObject<typeof changes>>): boolean {
  return [enabled, weight, own_funds].some((change) => change !== undefined);
}

/** Body of `PATCH /ops/providers/{environment}/{id}`; what is left out stays as it is. */
export const providerChangeSchema = z.strictObject(changes).refine(changesSomething, required);

/** Body of `PATCH /ops/providers/{id}`, which names the environment itself. */
export const providerPatchSchema = z
  .strictObject({ environment: environmentSchema.default('live'), ...changes })
  .refine(changesSomething, required)
  .refine(({ environment, own_funds }) => own_funds === undefined || environment === 'live', {
    path: ['own_funds'],
    message: 'only live providers hold money',
  });

export function presentProvider({ paymentMethods, balances, ...provider }: Provider): ProviderResource {
  const { id, environment, enabled, weight, healthy } = provider;
  return {
    ...{ id, object: 'provider', environment, enabled, weight, healthy, payment_methods: paymentMethods },
    balances: balances.map(presentBalance),
  };
}

function presentBalance(balance: ProviderBalance): ProviderResource['balances'][number] {
  return {
    currency: balance.currency,
    held_cents: balance.held,
    booked_cents: balance.booked,
    own_funds_cents: balance.ownFunds,
    in_flight: balance.inFlight.map(({ what, atLeast, atMost }) => ({
      ...{ what, at_least_cents: atLeast, at_most_cents: atMost },
    })),
    difference_cents: balance.difference,
    differs_since: balance.differsSince,
    compared_at: balance.comparedAt,
    problem: balance.problem,
  };
}
