import { z } from 'zod';
import { type ExplainedShare, explainedShareSchema, unexplainedSumSchema } from '@gateway/contracts/reconciler';
import { environmentSchema, requestText } from '@gateway/contracts/values';
import { count, isoTime, minorUnits, objectName, text, unixSeconds } from '#src/shared/members.ts';
import { onlyPage } from '#src/shared/page.ts';

const hoursMax = 720;
const hoursMessage = `must be a whole number from 1 to ${hoursMax}`;
const millionth = 1_000_000;

/** Query of `GET /ops/explained`. */
export const explainedQuerySchema = z.strictObject({
  hours: z
    .string(hoursMessage)
    .regex(/^\d{1,3}$/, hoursMessage)
    .transform(Number)
    .pipe(z.int(hoursMessage).min(1, hoursMessage).max(hoursMax, hoursMessage))
    .default(24)
    .meta({ type: 'integer', minimum: 1, maximum: hoursMax, default: 24 })
    .describe('Of what has happened in so many hours, with the hour in which they begin.'),
  environment: environmentSchema.optional().describe('Only of this environment.'),
  provider: requestText(1, 60).optional().describe('Only of this provider.'),
});

const sumSchema = z
  .object({
    side: unexplainedSumSchema.shape.side.describe(
      "`P`: lines of the provider's statement. `R`: our records. `L`: the ledger.",
    ),
    age: unexplainedSumSchema.shape.age.describe('How long ago the first side had it.'),
    matches: count('How many movements they are.'),
    plus_cents: minorUnits('What came in, added up; nothing is netted.', 5_000),
    minus_cents: minorUnits('What went, added up, as a positive amount.', 0),
    oldest_at: isoTime('When the oldest of them happened.'),
  })
  .meta({ id: 'UnexplainedSum', description: 'What one side says that the others do not explain.' });

const explainedSchema = z
  .object({
    id: text('What names the account.', 'live/efi/BRL'),
    object: objectName('explained_share'),
    environment: explainedShareSchema.shape.environment.describe('Where the account is.'),
    provider: text('The provider that has the account.', 'efi'),
    currency: text('The currency of the account.', 'BRL'),
    matches: count('How many movements of money there were: the sum of the next four.', 10_000),
    in_time: count('All sides agreed within five minutes of the first.', 9_998),
    late: count('All sides agreed, later than that.', 1),
    open: count(
      'Not explained for more than five minutes. What waits for the file of its day is not counted: it can be explained ' +
        'from the moment on at which the file is there.',
      1,
    ),
    resolved: count('Not explained by the sides: two operators have decided it.', 0),
    share_ppm: count('`in_time` in a million of `matches`, rounded down. The promise is 999,900.', 999_800).nullable(),
    lines: count('Lines of the list of the provider.', 9_999),
    late_lines: count('Of these, how many it showed more than five minutes after it had booked them.', 2),
    unexplained: z
      .array(sumSchema)
      .describe('What is not explained and has had its time, whenever it happened, by side and age.'),
  })
  .meta({ id: 'ExplainedShare', description: 'How much of what happened at an account is explained, and how soon.' });

/** Answer of `GET /ops/explained`. */
export const explainedAnswerSchema = z
  .object({
    data: z.array(explainedSchema).describe('An account of a provider each.'),
    as_of: unixSeconds('When it was counted.'),
    ...onlyPage,
  })
  .meta({
    id: 'ExplainedShareList',
    description: 'How much of what happened is explained by all sides, and how soon.',
  });

export function presentExplained(share: ExplainedShare): z.infer<typeof explainedSchema> {
  const { environment, provider, currency, inTime, late, open, resolved } = share;
  const matches = inTime + late + open + resolved;
  return {
    id: `${environment}/${provider}/${currency}`,
    object: 'explained_share',
    ...{ environment, provider, currency, matches, in_time: inTime, late, open, resolved },
    share_ppm: matches === 0 ? null : Math.floor((inTime * millionth) / matches),
    lines: share.lines,
    late_lines: share.lateLines,
    unexplained: share.unexplained.map(({ plus, minus, oldestAt, ...sum }) => ({
      ...sum,
      ...{ plus_cents: plus, minus_cents: minus, oldest_at: oldestAt },
    })),
  };
}
