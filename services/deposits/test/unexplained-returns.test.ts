import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderEvent } from '@gateway/providers';
import { handleNotification } from '#src/provider-feed/handle-notification.ts';
import { disputed, notificationOf, paid } from './bank.ts';
import { expectBalance, itemsOf, pass, pending } from './receiving.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const now = () => stage.dependencies.now();

describe('money that went back to its payer', () => {
  test.each(['notification', 'list'] as const)(
    'although nobody here has sent it stays in sight, and is explained by a dispute: told by a %s',
    async (way) => {
      const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
      const payment = paid(ref, now());
      bank.receives(payment);
      await handleNotification(dependencies, notificationOf([payment], bank.id));
      const { e2eId } = payment;
      const facts = { dedupeKey: `back ${e2eId}`, at: now(), raw: null, e2eId, returnId: 'D1' } as const;
      const back: ProviderEvent = { type: 'refund.done', ...facts, ref: 'unknown' };
      if (way === 'list') bank.lists.returns.push({ event: back, at: now() });
      else await handleNotification(dependencies, notificationOf([back], bank.id));
      await pass(stage, dependencies, 300);
      const cause = 'money went back that nobody here has sent';
      expect(await itemsOf(stage, bank)).toMatchObject([{ state: 'WAITING', cause }]);
      expectBalance(stage, deposit, 9_850);
      bank.decides(disputed(e2eId, 'dispute.lost', now()));
      await handleNotification(dependencies, notificationOf([disputed(e2eId, 'dispute.lost', now())], bank.id));
      await pass(stage, dependencies, 600, 60);
      expect(await itemsOf(stage, bank)).toEqual([]);
      expectBalance(stage, deposit, 0);
    },
  );

  test('is all that is kept of a list of what left the account, beside what cannot be read', async () => {
    const { bank, dependencies } = await pending(stage, 'hint');
    const facts = { at: now(), raw: null } as const;
    const back = { ...facts, type: 'refund.failed', code: 'account_closed', message: 'AC07', ref: 'unknown' } as const;
    bank.lists.returns.push(
      { event: { ...facts, type: 'ignored', reason: 'no return', dedupeKey: 'a payout' }, at: now() },
      { event: { ...back, dedupeKey: 'a return' }, at: now() },
      {
        event: { ...facts, type: 'ignored', reason: 'no return', dedupeKey: 'unreadable' },
        at: now(),
        isUnreadable: true,
      },
    );
    stage.passSeconds(60);
    await dependencies.feeds.readDue();
    const kept = await dependencies.database.query<{ key: string }>(
      'select key from item_inbox where provider = $1 order by key',
      [bank.id],
    );
    expect(kept).toEqual([{ key: 'a return' }, { key: 'unreadable' }]);
  });

  test('of payments that are not ours is of no consequence', async () => {
    const { bank, dependencies } = await pending(stage, 'hint');
    const facts = { dedupeKey: 'back', at: now(), raw: null, e2eId: 'E-of-somebody-else', returnId: 'D1' } as const;
    const back: ProviderEvent = { type: 'refund.done', ...facts, ref: 'unknown' };
    await handleNotification(dependencies, notificationOf([back], bank.id));
    expect(await itemsOf(stage, bank)).toEqual([]);
  });
});
