import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { newDeposit, newMerchant, paid, publishDeposit } from './support/events.ts';
import { Receiver } from './support/receiver.ts';
import { createHarness, type Harness, ServiceProcess } from './support/harness.ts';

let webhooks: Harness;
beforeAll(async () => {
  webhooks = await createHarness();
});
afterAll(async () => webhooks[Symbol.asyncDispose]());

test('a delivery whose sender was killed between the call and its record is made again, with the same ids', async () => {
  await using receiver = await Receiver.start(() => undefined);
  const first = new ServiceProcess(webhooks.env);
  const merchant = newMerchant();
  const webhook = await eventually(() => webhooks.register(merchant, receiver.url));
  await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
  await eventually(() => expect(receiver.received).toHaveLength(1));
  await first[Symbol.asyncDispose]();

  // Published while no consumer listens, so it waits on the bus. (The broker may still deliver to the dead process.)
  await eventually(async () => {
    const { num_waiting } = await webhooks.bus.manager.consumers.info('EVENTS_DEPOSITS', 'webhooks-deposits');
    expect(num_waiting).toBe(0);
  });
  await publishDeposit(webhooks.bus, newDeposit(merchant));
  receiver.answer = (response) => response.writeHead(204).end();
  // The lease is over: thirty seconds have passed.
  await webhooks.database.query(
    `update delivery set lease_until = lease_until - interval '30 seconds' where endpoint_id = $1`,
    [webhook.id],
  );
  await using second = new ServiceProcess(webhooks.env);
  expect(second.child.pid).toBeDefined();
  await eventually(() => expect(receiver.received).toHaveLength(3));
  const [before, after] = receiver.of('deposit.paid');
  for (const name of ['x-gateway-event-id', 'x-gateway-delivery-id', 'x-gateway-attempt']) {
    expect(after?.headers[name]).toBe(before?.headers[name]);
  }
  expect(after?.body).toEqual(before?.body);
  expect(receiver.of('deposit.pending')).toHaveLength(1);
  await eventually(async () => {
    expect(await webhooks.deliveries(webhook)).toMatchObject([
      { event: 'deposit.pending', status: 'DELIVERED', attempts: 1 },
      { event: 'deposit.paid', status: 'DELIVERED', attempts: 1 },
    ]);
    const queues = await webhooks.database.query('select inflight from endpoint_queue where endpoint_id = $1', [
      webhook.id,
    ]);
    expect(queues).toEqual([{ inflight: 0 }]);
  });
});

test('a service that is told to stop records the calls that are under way', async () => {
  await using receiver = await Receiver.start(() => undefined);
  await using service = new ServiceProcess(webhooks.env);
  const { child } = service;
  const merchant = newMerchant();
  const webhook = await eventually(() => webhooks.register(merchant, receiver.url));
  receiver.answer = (response) => {
    child.kill('SIGTERM');
    response.writeHead(204).end();
  };
  await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
  await eventually(() => expect(child.exitCode).toBe(0));
  expect(
    await webhooks.database.query('select state, attempts from delivery where endpoint_id = $1', [webhook.id]),
  ).toEqual([{ state: 2, attempts: 1 }]);
});
