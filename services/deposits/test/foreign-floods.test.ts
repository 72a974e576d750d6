import { afterAll, beforeAll, expect, test } from 'vitest';
import { streams } from '@gateway/contracts/broker';
import { providerNotificationSubject } from '@gateway/contracts/providers';
import { ensureStreams, startConsumer } from '@gateway/messaging';
import { eventually, silentLogger } from '@gateway/test-kit';
import { consumers } from '#src/consumers.ts';
import { disputed, notificationOf, paid } from './bank.ts';
import { current, expectBalance, itemsOf, pass, pending } from './receiving.ts';
import { Stage } from './stage.ts';

// Other customers of a provider use the same account, and what happens to them comes to us too.

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const now = () => stage.dependencies.now();
const patience = { timeoutMs: 200_000, everyMs: 100 };

test('two thousand disputes of the payments of others hold up what is reported behind them by no question, and each is kept', async () => {
  const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
  const { bus } = stage;
  const [notifications] = consumers(dependencies);
  await ensureStreams(bus, [streams.providerNotifications], silentLogger);
  const send = async ({ data }: ReturnType<typeof notificationOf>) =>
    await bus.jetstream.publish(providerNotificationSubject(bank.id), JSON.stringify(data));
  const disputes = Array.from({ length: 2_000 }, (_, index) =>
    notificationOf([disputed(`E-of-others-${index}`, 'dispute.opened', now())], bank.id),
  );
  await Promise.all(disputes.map(send));
  const event = paid(ref, now());
  bank.receives(event);
  await send(notificationOf([event], bank.id));
  await using reading = startConsumer({
    ...{ bus, database: dependencies.database, logger: silentLogger },
    ...notifications!,
  });
  void reading;
  await eventually(async () => expect(await current(stage, deposit)).toMatchObject({ status: 'PAID' }), patience);
  expectBalance(stage, deposit, 9_850);
  // Each is kept, and tried again until it counts as that of others.
  await eventually(async () => expect(await itemsOf(stage, bank)).toHaveLength(disputes.length), patience);
  expect(bank.questions).toEqual([`charge ${ref}`]);
}, 420_000);

test('payments of others at a thousand a minute leave the list less than two minutes behind, and a payment of ours among them whose notification was lost is credited within two', async () => {
  const { bank, dependencies, deposit, ref } = await pending(stage, 'hint');
  const [stepSec, perStep, steps] = [60, 1_000, 3];
  await pass(stage, dependencies, 60);
  const readUntil = async () => {
    const [row] = await dependencies.database.query<{ at: Date }>(
      `select from_at as at from feed where provider = $1 and name = 'payments' and lag_sec = 30`,
      [bank.id],
    );
    return row!.at.getTime();
  };
  const ours = paid(ref, new Date(now().getTime() + stepSec * 1_000));
  for (let step = 0; step < steps; step += 1) {
    const at = (place: number) => new Date(now().getTime() + (place * stepSec * 1_000) / perStep);
    for (let place = 0; place < perStep; place += 1) {
      bank.lists.payments.push({ event: paid(`others-${step}-${place}`, at(place)), at: at(place) });
    }
    if (step === 0) {
      bank.receives(ours);
      bank.lists.payments.push({ event: ours, at: ours.at });
    }
    await pass(stage, dependencies, stepSec, stepSec);
    expect(now().getTime() - (await readUntil())).toBeLessThan(120_000);
    if (now().getTime() - ours.at.getTime() >= 120_000) {
      expect(await current(stage, deposit)).toMatchObject({ status: 'PAID', e2eId: ours.e2eId });
    }
  }
  expectBalance(stage, deposit, 9_850);
  expect(bank.questions.filter((question) => question.startsWith('charge'))).toEqual([`charge ${ref}`]);
}, 240_000);
