import { z } from 'zod';
import { providerWeightMax, type Provider } from '@gateway/contracts/deposits';
import type { Venue } from '@gateway/contracts/ledger';
import { environmentSchema } from '@gateway/contracts/values';
import { currencySchema, paymentMethodSchema, minorUnitsSchema } from '@gateway/money';
import {
  type CallFigures,
  durationAt,
  durationBuckets,
  moneyInFlightSchema,
  type ProviderBalance,
} from '@gateway/contracts/providers';
import { operatorReasonSchema } from '#src/operators/approval.ts';
import { count, flag, isoTime, minorUnits, objectName, text, unixSeconds } from '#src/shared/members.ts';

const inFlightSchema = z
  .object({
    what: moneyInFlightSchema.shape.what.describe('What is on its way.'),
    at_least_cents: minorUnits('By how much it changes what is expected at least.', 0),
    at_most_cents: minorUnits('By how much it changes what is expected at most.', 0),
  })
  .meta({
    id: 'MoneyInFlight',
    description: 'Money on its way, which the books and the provider see at different times.',
  });

/** What a provider holds, beside the books. Amounts in minor units of the currency, times in Unix seconds. */
const providerBalanceResourceSchema = z
  .object({
    currency: currencySchema.describe('The currency of the amounts.'),
    held_cents: minorUnits('What the provider says that it holds.').nullable(),
    booked_cents: minorUnits('What it holds by the ledger.').nullable(),
    own_funds_cents: minorUnits('What of it is our own money.', 0).nullable(),
    in_flight: z.array(inFlightSchema).describe('What is on its way.'),
    difference_cents: minorUnits('What nothing explains; null while nothing could be compared.', 0).nullable(),
    differs_since: unixSeconds('Since when there is a difference.').nullable(),
    compared_at: unixSeconds('When it was compared.'),
    problem: text('Why it could not be compared.', 'the provider does not answer').nullable(),
  })
  .meta({ id: 'ProviderBalance', description: 'What a provider holds, beside the books.' });

/** A provider as operators see it (api.md 5). */
export const providerResourceSchema = z
  .object({
    id: text('The name of the provider.', 'sandbox'),
    object: objectName('provider'),
    kind: z
      .enum(['payments', 'exchange'])
      .describe('`payments` moves payments; at an `exchange` the USDT of live conversions is bought.'),
    environment: environmentSchema.describe('The environment that it serves.'),
    enabled: flag('Whether new charges are sent to it.'),
    weight: count('Its share of new charges, beside the weights of the others.', 100),
    healthy: flag('Whether its answers of late were good enough to be asked.'),
    payment_methods: z.array(paymentMethodSchema).describe('The rails it serves.'),
    certificate_ends_at: isoTime(
      'When the certificate ends that the gateway presents to it; null where none is presented.',
    ).nullable(),
    balances: z
      .array(providerBalanceResourceSchema)
      .describe('What it holds; of live providers whose balance can be read.'),
  })
  .meta({ id: 'Provider', description: 'A payment provider.' });
export type ProviderResource = z.infer<typeof providerResourceSchema>;

/** How long calls took, null where there were none. */
export function durationMs(what: string, example: number) {
  return z
    .int()
    .nullable()
    .meta({ description: `${what} In milliseconds.`, 'x-unit': 'milliseconds', examples: [example] });
}

const providerCallsResourceSchema = z
  .object({
    operation: text('What it was asked.', 'create-charge'),
    calls: count('How many calls were made over the last 24 hours.', 1_200),
    failed: count(
      'After how many of them it is not known what the provider did, or that did not reach it. A refusal is an answer.',
      2,
    ),
    p50_ms: durationMs('What half of them took at most.', 180),
    p95_ms: durationMs('What 95 of 100 took at most.', 310),
    p99_ms: durationMs('What 99 of 100 took at most.', 900),
  })
  .meta({
    id: 'ProviderCalls',
    description: 'Calls of one kind to a provider over the last 24 hours, of all processes.',
  });
export type ProviderCallsResource = z.infer<typeof providerCallsResourceSchema>;

/** Answer of `GET /ops/providers/{environment}/{id}/calls`. */
export const providerCallsAnswerSchema = z
  .object({
    calls: z.array(providerCallsResourceSchema).describe('How it answered over the last 24 hours, by operation.'),
    last_notification_at: isoTime(
      'When its last notification came that was authentic; null where none is known.',
    ).nullable(),
    incomplete: z.array(z.string()).describe('Services that did not answer: what they know of its calls is missing.'),
  })
  .meta({ id: 'ProviderCallsAnswer', description: 'How a payment provider answered of late.' });

/** The calls of a provider as services know them: those of one operation belong together. */
export function presentCalls(figures: readonly CallFigures[]): ProviderCallsResource[] {
  const operations = [...new Set(figures.map(({ operation }) => operation))].sort();
  return operations.map((operation) => {
    const same = figures.filter((each) => each.operation === operation);
    return { operation, ...callQuantiles(same) };
  });
}

/** Calls that were counted apart, together. */
export function callQuantiles(figures: readonly Omit<CallFigures, 'operation'>[]) {
  const sumOf = (member: (each: Omit<CallFigures, 'operation'>) => number) =>
    figures.reduce((sum, each) => sum + member(each), 0);
  const durations = Array.from({ length: durationBuckets }, (_, nth) => sumOf((each) => each.durations[nth] ?? 0));
  const [p50_ms, p95_ms, p99_ms] = [0.5, 0.95, 0.99].map((part) => durationAt(part, durations));
  return {
    calls: sumOf(({ calls }) => calls),
    failed: sumOf(({ failed }) => failed),
    ...{ p50_ms: p50_ms ?? null, p95_ms: p95_ms ?? null, p99_ms: p99_ms ?? null },
  };
}

const changes = {
  enabled: z.boolean().optional().describe('Whether new charges are sent to it.'),
  weight: z
    .int()
    .min(0)
    .max(providerWeightMax)
    .optional()
    .describe('Its share of new charges, beside the weights of the others.'),
  own_funds: z
    .strictObject({
      currency: currencySchema.describe('The currency of the amount.'),
      amount_cents: minorUnitsSchema.describe('What was paid in or taken out, all in all, signed, in cents.'),
    })
    .meta({ id: 'OwnFunds', description: 'Our own money at a provider, which went past the gateway.' })
    .optional(),
  reason: operatorReasonSchema.nullish().describe('Why; kept with the proposal when the change takes two operators.'),
};

const required = { path: ['enabled'], message: 'or weight or own_funds is required' };

function changesSomething({ enabled, weight, own_funds }: z.output<z.ZodObject<typeof changes>>): boolean {
  return [enabled, weight, own_funds].some((change) => change !== undefined);
}

/** Body of `PATCH /ops/providers/{environment}/{id}`; what is left out stays as it is. */
export const providerChangeSchema = z
  .strictObject(changes)
  .refine(changesSomething, required)
  .meta({ id: 'ProviderChange', description: 'What changes; what is left out stays as it is.' });

/** Body of `PATCH /ops/providers/{id}`, which names the environment itself. */
export const providerPatchSchema = z
  .strictObject({
    environment: environmentSchema
      .optional()
      .describe(
        'The environment of the provider. Left out: `live`, or `test` where only test mode has a provider of this id.',
      ),
    ...changes,
  })
  .refine(changesSomething, required)
  .refine(({ environment, own_funds }) => own_funds === undefined || environment !== 'test', {
    path: ['own_funds'],
    message: 'only live providers hold money',
  })
  .meta({ id: 'ProviderUpdate', description: 'What changes; what is left out stays as it is.' });

export function presentProvider({ paymentMethods, balances, ...provider }: Provider): ProviderResource {
  const { id, environment, enabled, weight, healthy, certificateEndsAt } = provider;
  return {
    ...{
      id,
      object: 'provider',
      kind: 'payments',
      environment,
      enabled,
      weight,
      healthy,
      payment_methods: paymentMethods,
    },
    certificate_ends_at: certificateEndsAt,
    balances: balances.map(presentBalance),
  };
}

/** An exchange beside the providers: it gets no charges, so it has no weight and no rails. */
export function presentVenue({ id, balances }: Venue): ProviderResource {
  return {
    ...{ id, object: 'provider', kind: 'exchange', environment: 'live', enabled: true, weight: 0 },
    healthy: balances.every(({ problem }) => problem === null),
    payment_methods: [],
    certificate_ends_at: null,
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
