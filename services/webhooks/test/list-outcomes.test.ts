import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import { updateWebhook } from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { readOutcomes } from '#src/deliveries/list-outcomes.ts';
import { newDeposit, newMerchant, paid, publishDeposit } from './support/events.ts';
import { createHarness, type Harness } from './support/harness.ts';
import { Receiver } from './support/receiver.ts';

let webhooks: Harness;
let service: AsyncDisposable;
beforeAll(async () => {
  webhooks = await createHarness();
  service = await webhooks.start();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await webhooks[Symbol.asyncDispose]();
});

const laterMs = 60_000;

async function destinationsOf({ environment, accountId, id }: Deposit, atMs = Date.now() + laterMs) {
  const event = { accountId, recordId: id, event: 'deposit.paid', currency: 'BRL', atMs } as const;
  const { outcomes } = await readOutcomes(webhooks.database, { environment, events: [event] });
  return outcomes[0]?.destinations;
}

test('an event has its delivery at each endpoint that wants it, or a reason', async () => {
  await using receiver = await Receiver.start((response) => response.writeHead(200).end());
  const merchant = newMerchant();
  const all = await webhooks.register(merchant, receiver.url);
  const other = await webhooks.register(merchant, receiver.url, ['payout.paid']);
  const off = await webhooks.register(merchant, receiver.url);
  await callRpc(webhooks.bus, updateWebhook, { ...merchant, id: off.id, status: 'disabled' });
  const deposit = newDeposit(merchant);
  await publishDeposit(webhooks.bus, paid(deposit));
  await eventually(async () =>
    expect(await destinationsOf(deposit)).toEqual([
      { endpointId: all.id, status: 'DELIVERED', reason: null },
      { endpointId: other.id, status: null, reason: 'not_wanted' },
      { endpointId: off.id, status: null, reason: 'disabled' },
    ]),
  );
});

test('a delivery that was deleted has no reason, and so have all that an event should have and never had', async () => {
  await using receiver = await Receiver.start((response) => response.writeHead(200).end());
  const merchant = newMerchant();
  const { id: endpointId } = await webhooks.register(merchant, receiver.url);
  const deposit = newDeposit(merchant);
  await publishDeposit(webhooks.bus, paid(deposit));
  await eventually(async () => expect(await destinationsOf(deposit)).toMatchObject([{ status: 'DELIVERED' }]));
  await webhooks.database.query('delete from delivery where data_id = $1', [deposit.id]);
  const missing = [{ endpointId, status: null, reason: null }];
  expect(await destinationsOf(deposit)).toEqual(missing);
  expect(await destinationsOf(newDeposit(merchant))).toEqual(missing);
});

test('what was wanted only later is missing nowhere, whether by registration, by new events or enabled again', async () => {
  const merchant = newMerchant();
  const { id } = await webhooks.register(merchant, 'http://127.0.0.1:8999', ['payout.paid']);
  const change = (changes: object) => callRpc(webhooks.bus, updateWebhook, { ...merchant, id, ...changes });
  const deposit = newDeposit(merchant);
  const before = async (days: number) => {
    await webhooks.database.query(`update endpoint set receives_since = now() - $2 * interval '1 day' where id = $1`, [
      id,
      days,
    ]);
  };
  const reason = async () => (await destinationsOf(deposit, Date.now()))?.[0]?.reason;
  await before(1);
  await change({ events: ['payout.paid', 'deposit.paid'] });
  expect(await reason()).toBe('since_later');
  await before(1);
  expect(await reason()).toBeNull();
  await change({ status: 'disabled' });
  await change({ status: 'enabled' });
  expect(await reason()).toBe('since_later');
});
