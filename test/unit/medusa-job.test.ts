import { expect, test } from 'vitest';
import { type Deposit, type LogReader, PaidDeposits } from '../../plugins/medusa/src/events/paid-deposits.ts';

const paid = ['evt_1', 'evt_2', 'evt_3'].map((id) => ({ id, data: { id: id.replace('evt', 'dep') } }));

/** A log that grows, and keeps what it was asked. */
function logOf(events: readonly { id: string; data: { id: string } }[]) {
  const asked: string[] = [];
  const log: LogReader = {
    async *list({ cursor, from }) {
      asked.push(cursor ?? (Number(from) < Date.now() / 1_000 - 86_400 ? 'days back' : 'nothing'));
      yield* events.slice(cursor === undefined ? 0 : events.findIndex(({ id }) => id === cursor) + 1);
    },
  };
  return { log, asked };
}

/** A shop whose database refuses what is in `refused`. */
function shop() {
  const refused = new Set<string>();
  const settled: string[] = [];
  const reported: string[] = [];
  const settle = async ({ id }: Deposit) => {
    if (refused.has(id)) throw new Error('refused');
    settled.push(id);
  };
  const deposits = new PaidDeposits();
  const failed = ({ id }: Deposit) => void reported.push(id);
  return { refused, settled, reported, settleAll: (log: LogReader) => deposits.settleAll(log, { settle, failed }) };
}

test('a payment that cannot be settled holds up none of those after it, and each later run tries it again', async () => {
  const { refused, settled, reported, settleAll } = shop();
  const { log, asked } = logOf(paid);
  refused.add('dep_1').add('dep_3');
  await settleAll(log);
  await settleAll(log);
  expect([settled, reported]).toEqual([['dep_2'], ['dep_1', 'dep_3', 'dep_1', 'dep_3']]);
  refused.clear();
  await settleAll(log);
  await settleAll(log);
  expect(settled).toEqual(['dep_2', 'dep_1', 'dep_3']);
  expect(asked).toEqual(['days back', 'evt_3', 'evt_3', 'evt_3']);
});

test('a log that breaks off is read on from the last payment that was read', async () => {
  const { settled, settleAll } = shop();
  const { log, asked } = logOf(paid);
  const broken: LogReader = {
    async *list(query) {
      for await (const event of log.list(query)) {
        yield event;
        throw new Error('the connection was lost');
      }
    },
  };
  await expect(settleAll(broken)).rejects.toThrow('the connection was lost');
  await settleAll(log);
  expect([settled, asked]).toEqual([
    ['dep_1', 'dep_2', 'dep_3'],
    ['days back', 'evt_1'],
  ]);
});

test('a round that begins while another one is under way settles nothing a second time', async () => {
  const [settled, release]: [string[], PromiseWithResolvers<void>] = [[], Promise.withResolvers<void>()];
  const deposits = new PaidDeposits();
  const settle = async ({ id }: Deposit) => {
    settled.push(id);
    await release.promise;
  };
  const { log } = logOf(paid);
  const settling = { settle, failed: () => undefined };
  const first = deposits.settleAll(log, settling);
  await deposits.settleAll(log, settling);
  release.resolve();
  await first;
  expect(settled).toEqual(['dep_1', 'dep_2', 'dep_3']);
});
