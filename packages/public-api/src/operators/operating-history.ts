import { z } from 'zod';
import { backlogKindSchema, serviceNames } from '@gateway/contracts/messages';
import type { CallSlot } from '@gateway/contracts/providers';
import { environmentSchema } from '@gateway/contracts/values';
import { callQuantiles, durationMs } from '#src/operators/provider-resource.ts';
import { count, objectName, text, unixSeconds } from '#src/shared/members.ts';
import { periodQuery } from '#src/shared/time-query.ts';

/** Query of `GET /ops/backlog` and `GET /ops/provider-calls`. */
export const operatingHistoryQuerySchema = z.strictObject({
  environment: environmentSchema.describe('Of which environment.'),
  ...periodQuery,
  by: z.enum(['hour', 'day']).default('day').describe('`hour`: a figure an hour; `day`: one for each day in `zone`.'),
});

const backlogSlotSchema = z
  .object({
    object: objectName('backlog'),
    kind: backlogKindSchema.describe(
      '`payout`, `refund`: under way. `delivery`: of a webhook, waits to be sent. `event`: of both environments, is not on the ' +
        'bus yet.',
    ),
    service: z.enum(serviceNames).describe('Which service has them.'),
    at: unixSeconds('When the hour or the day begins.'),
    most: count('How many there were when there were most of them, of the moments at which they were counted.', 12),
    last: count('How many there were when they were counted last.', 3),
  })
  .meta({ id: 'BacklogTime', description: 'What a service had to work off in an hour or on a day, of one kind.' });

/** Answer of `GET /ops/backlog`. */
export const backlogAnswerSchema = z
  .object({
    data: z
      .array(backlogSlotSchema)
      .describe('The first hour or day first. Where a service was not counted, nothing is known of it.'),
    counted_at: unixSeconds('When they were counted last, to five minutes; null before that.').nullable(),
  })
  .meta({ id: 'BacklogAnswer', description: 'What services had to work off over time.' });

const providerCallTimeSchema = z
  .object({
    object: objectName('provider_calls'),
    provider: text('Which provider.', 'efi'),
    at: unixSeconds('When the hour or the day begins.'),
    calls: count('How many calls were made.', 1_200),
    failed: count('After how many of them it is not known what the provider did, or that did not reach it.', 2),
    p50_ms: durationMs('What half of them took at most.', 180),
    p95_ms: durationMs('What 95 of 100 took at most.', 310),
    p99_ms: durationMs('What 99 of 100 took at most.', 900),
  })
  .meta({ id: 'ProviderCallTime', description: 'Calls of a provider in an hour or on a day, of all operations.' });

/** Answer of `GET /ops/provider-calls`. */
export const providerCallTimesAnswerSchema = z
  .object({
    data: z
      .array(providerCallTimeSchema)
      .describe('The first hour or day first; one in which a provider was not called has none of it.'),
    incomplete: z.array(z.string()).describe('Services that did not answer: what they know of its calls is missing.'),
  })
  .meta({ id: 'ProviderCallTimesAnswer', description: 'How payment providers answered over time.' });

/** The calls of providers as services know them: those of one provider in one hour, or on one day, belong together. */
export function presentCallTimes(slots: readonly CallSlot[]): z.infer<typeof providerCallTimeSchema>[] {
  const byTime = Map.groupBy(slots, ({ provider, at }) => `${String(at).padStart(12, '0')} ${provider}`);
  return [...byTime.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, same]) => {
      const [first] = same;
      if (!first) return [];
      const { provider, at } = first;
      return [{ object: 'provider_calls' as const, provider, at, ...callQuantiles(same) }];
    });
}
