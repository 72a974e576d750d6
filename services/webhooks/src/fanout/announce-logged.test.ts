import { expect, test } from 'vitest';
import { eventsLoggedSchema } from '@gateway/contracts/webhooks';
import { hintsAbout } from '#src/fanout/announce-logged.ts';

type Logged = Parameters<typeof hintsAbout>[0][number];
const logged = (id: string, name: Logged['name'], accountId: string, environment: 'test' | 'live' = 'live') =>
  ({ id, name, accountId, environment }) as Logged;

test('each account in its environment is announced once, with its last event and how many there are of each name', () => {
  const hints = hintsAbout([
    logged('evt_1', 'deposit.paid', 'acc_1'),
    logged('evt_2', 'deposit.paid', 'acc_1', 'test'),
    logged('evt_3', 'payout.paid', 'acc_2'),
    logged('evt_4', 'deposit.paid', 'acc_1'),
    logged('evt_5', 'deposit.pending', 'acc_1'),
  ]);
  expect(hints).toEqual([
    { environment: 'live', accountId: 'acc_1', id: 'evt_5', counts: { 'deposit.paid': 2, 'deposit.pending': 1 } },
    { environment: 'test', accountId: 'acc_1', id: 'evt_2', counts: { 'deposit.paid': 1 } },
    { environment: 'live', accountId: 'acc_2', id: 'evt_3', counts: { 'payout.paid': 1 } },
  ]);
});

test('a hint of a sender from before events were counted is understood, and counts none', () => {
  const earlier = { environment: 'live', accountId: 'acc_1', id: 'evt_1' };
  expect(eventsLoggedSchema.parse(earlier)).toEqual({ ...earlier, counts: {} });
});
