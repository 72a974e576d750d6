import { expect, test } from 'vitest';
import { webhookEventSchema } from '@gateway/contracts/webhooks';
import { eventsQuerySchema } from '#src/shared/event-query.ts';

const chosen = (event: string | string[]) => eventsQuerySchema.parse({ event }).event;
const all = webhookEventSchema.options;

test('a filter chooses the events of its name or kind, several choose each of theirs, and * chooses all', () => {
  expect(chosen('deposit.paid')).toEqual(['deposit.paid']);
  expect(chosen('payout.*')).toEqual(all.filter((name) => name.startsWith('payout.')));
  expect(chosen(['payout.*', 'payout.paid', 'deposit.paid'])?.toSorted()).toEqual(
    all.filter((name) => name === 'deposit.paid' || name.startsWith('payout.')).toSorted(),
  );
  expect(chosen(['deposit.paid', '*'])).toBeUndefined();
  expect(eventsQuerySchema.parse({}).event).toBeUndefined();
});

test('what is no event and no kind of events is refused by name, since it would choose none for ever', () => {
  for (const event of ['deposit.payed', 'deposits.*', 'pay*', '', 'deposit.', 'DEPOSIT.PAID'])
    expect(eventsQuerySchema.safeParse({ event }).error?.issues.map(({ path }) => path.join('.'))).toEqual(['event.0']);
});
