import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { simulateDispute, simulateDisputeResult } from '#src/dispute/simulate-dispute.ts';
import { getGatheredTransfers, getMoneyRecords, listMoneyRecords } from '#src/providers/money-records.ts';
import { listRecordEvents } from '#src/providers/record-events.ts';
import { refunding } from './refunding.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const environment = 'test' as const;

async function byId(...records: { accountId: string; id: string }[]) {
  return (await getMoneyRecords(stage.dependencies.database, { environment, records })).records;
}

test('what is on record under an id says what the ledger and the provider are compared with', async () => {
  const owner = account();
  const deposit = await stage.paid(owner);
  const { deposit: unpaid } = await stage.create(request(owner));
  const places = [deposit, unpaid].map(({ id, accountId }) => ({ id, accountId }));
  expect(await byId(...places, { accountId: owner.id, id: newId('refund') })).toMatchObject([
    {
      kind: 'payment',
      id: deposit.id,
      provider: 'sandbox',
      amount: deposit.amount,
      fee: deposit.fee,
      state: 'CREDITED',
      depositState: 'PAID',
      e2eId: deposit.e2eId,
      refunded: 0,
    },
  ]);
  expect(await byId({ accountId: newId('account'), id: deposit.id })).toEqual([]);
});

test('refunds and disputes are found by their own ids, with what has gone back', async () => {
  const deposit = await stage.paid();
  const { accountId, id: depositId } = deposit;
  const { refund } = await refunding(stage.dependencies, deposit, 2_500);
  const contested = { environment, accountId, depositId, amount: 1_000 };
  const { dispute } = await simulateDispute(stage.dependencies, contested, { timeoutMs: 5_000 });
  const lost = { environment, accountId, id: dispute.id, result: 'lost' } as const;
  await simulateDisputeResult(stage.dependencies, lost, { timeoutMs: 5_000 });
  const records = await byId({ accountId, id: refund.id }, { accountId, id: dispute.id }, { accountId, id: depositId });
  expect(records).toMatchObject([
    { kind: 'payment', refunded: 3_500, depositId, backByRefunds: 2_500 },
    { kind: 'refund', state: 'DONE', amount: 2_500, e2eId: deposit.e2eId, depositId, backByRefunds: 2_500 },
    { kind: 'dispute', state: 'LOST', returned: 1_000, e2eId: deposit.e2eId, reference: depositId.slice(4) },
  ]);
});

test('what has gone back by refunds is what the row of the deposit says, with what is under way', async () => {
  const { database } = stage.dependencies;
  const deposit = await stage.paid();
  const { accountId, id: depositId, amount } = deposit;
  const { refund } = await refunding(stage.dependencies, deposit, 300);
  const stated = async () => (await byId({ accountId, id: refund.id })).map(({ backByRefunds }) => backByRefunds);
  const set = async (values: { refunded: number; state: string }) => {
    await database.query('update deposit set refunded = $2 where id = $1', [depositId, values.refunded]);
    await database.query(
      `update refund set state = $2, next_attempt_at = case when $2 <> 'DONE' then now() end,
         finished_at = case when $2 = 'DONE' then now() end
       where id = $1`,
      [refund.id, values.state],
    );
  };
  for (const [refunded, state, expected] of [
    [300, 'DONE', 300],
    [0, 'SENDING', 300],
    [0, 'REVERSING', 300],
    [0, 'DONE', 0],
    [500, 'DONE', 500],
    [amount, 'DONE', amount],
  ] as const) {
    await set({ refunded, state });
    expect(await stated()).toEqual([expected]);
  }
});

test('a payment is shown with what the row of its deposit says was paid, and a deposit that says so without a payment', async () => {
  const { database } = stage.dependencies;
  const owner = account();
  const deposit = await stage.paid(owner);
  const { deposit: unpaid } = await stage.create(request(owner));
  const read = async () => {
    const page = { environment, kind: 'payment', after: null, limit: 500 } as const;
    const { records } = await listMoneyRecords(database, page);
    const found = await byId(...[deposit, unpaid].map(({ id }) => ({ accountId: owner.id, id })));
    expect(records.filter(({ accountId }) => accountId === owner.id)).toEqual(found);
    return found.map(({ id, state, amount, fee, deposited }) => ({ id, state, amount, fee, deposited }));
  };
  const payment = { id: deposit.id, state: 'CREDITED', amount: deposit.amount };
  expect(await read()).toEqual([{ ...payment, fee: deposit.fee, deposited: deposit.amount }]);
  await database.query('update deposit set amount = amount + 1, fee = fee + 2 where id = $1', [deposit.id]);
  expect(await read()).toEqual([{ ...payment, fee: deposit.fee + 2, deposited: deposit.amount + 1 }]);
  const isPaid = `state = 'PAID', paid_at = now(), e2e_id = 'E1'`;
  await database.query(`update deposit set state = 'PENDING' where id = $1`, [deposit.id]);
  await database.query(`update deposit set ${isPaid} where id = $1`, [unpaid.id]);
  const missing = { id: unpaid.id, state: 'MISSING', amount: unpaid.amount, deposited: unpaid.amount };
  expect(await read()).toMatchObject([{ ...payment, deposited: 0 }, missing]);
});

test('a payment in several transfers names those before the last, without what went back', async () => {
  const owner = account();
  const { deposit } = await stage.create(request(owner, { currency: 'MXN', paymentMethod: 'SPEI' }));
  const stated = async () => await byId({ accountId: owner.id, id: deposit.id });
  for (const amount of [2_000, 3_000]) {
    await stage.pay(owner.id, deposit.id, stage.dependencies, amount);
    stage.passSeconds(1);
  }
  expect(await stated()).toEqual([]);
  const reference = deposit.id.slice('dep_'.length);
  const gathered = async () =>
    (await getGatheredTransfers(stage.dependencies.database, { environment, references: [reference, 'none'] }))
      .transfers;
  const ofCharge = { reference, provider: 'sandbox', currency: 'MXN', waitsUntilMs: deposit.expiresAt * 1_000 };
  const arrived = (await gathered()).toSorted((one, other) => one.amount - other.amount);
  expect(arrived).toMatchObject([2_000, 3_000].map((amount) => ({ ...ofCharge, amount })));
  await stage.pay(owner.id, deposit.id, stage.dependencies, 5_000);
  expect(await gathered()).toEqual([]);
  const [payment] = await stated();
  expect(payment).toMatchObject({
    amount: 10_000,
    deposited: 10_000,
    transfers: [{ amount: 2_000 }, { amount: 3_000 }],
  });
  const names = [...(payment?.transfers ?? []).map(({ e2eId }) => e2eId), payment?.e2eId];
  expect(new Set(names).size).toBe(3);
  const { database } = stage.dependencies;
  const text = 'select e2e_id as name from transfer where deposit_id = $1';
  const rows = await database.query<{ name: string }>(text, [deposit.id]);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  await database.query(
    `insert into orphan_receipt (environment, provider, e2e_id, id, account_id, deposit_id, cause, state, currency, amount,
       paid_at, sent_at, returning_since, next_attempt_at)
     select environment, provider, e2e_id, $2, account_id, deposit_id, 'over_limit', 'RETURNING', currency, amount, paid_at,
       now(), now(), now()
     from transfer where deposit_id = $1 and amount = 2000`,
    [deposit.id, newId('refund')],
  );
  expect((await stated()).map(({ transfers }) => transfers.map(({ amount }) => amount))).toEqual([[3_000]]);
});

test('all records of a kind are read page by page, each once', async () => {
  const made = new Set<string>();
  for (let count = 0; count < 5; count++) made.add((await stage.paid()).id);
  const read: string[] = [];
  for (let after: { accountId: string; id: string } | null = null; ;) {
    const { database } = stage.dependencies;
    const page = await listMoneyRecords(database, { environment, kind: 'payment', after, limit: 2 });
    read.push(...page.records.map(({ id }) => id));
    if (!(after = page.next)) break;
  }
  expect(new Set(read).size).toBe(read.length);
  expect(read).toEqual(expect.arrayContaining([...made]));
  const { database } = stage.dependencies;
  const [, from = '', , below = ''] = [...made].toSorted();
  const within = await listMoneyRecords(database, {
    environment,
    kind: 'payment',
    after: null,
    limit: 500,
    ids: { from, below },
  });
  expect(within.records.map(({ id }) => id).toSorted()).toEqual([...made].toSorted().slice(1, 3));
  for (const kind of ['refund', 'orphan_receipt', 'dispute'] as const) {
    expect(await listMoneyRecords(database, { environment, kind, after: null, limit: 10 })).toMatchObject({
      next: null,
    });
  }
});

test('deposits, refunds and disputes say what has happened to them, by their rows, page by page', async () => {
  const { database } = stage.dependencies;
  const deposit = await stage.paid();
  const { deposit: open } = await stage.create(request(account()));
  const { refund } = await refunding(stage.dependencies, deposit, 100);
  const contested = { environment, accountId: deposit.accountId, depositId: deposit.id, amount: 1_000 };
  const { dispute } = await simulateDispute(stage.dependencies, contested, { timeoutMs: 5_000 });
  const read = new Map<string, string[]>();
  for (const list of ['deposit', 'refund', 'dispute'] as const) {
    for (let after: { accountId: string; id: string } | null = null; ;) {
      const page = await listRecordEvents(database, { environment, list, after, limit: 2 });
      for (const { recordId, event } of page.events) read.set(recordId, [...(read.get(recordId) ?? []), event]);
      if (!(after = page.next)) break;
    }
  }
  expect([deposit, open, refund, dispute].map(({ id }) => read.get(id))).toEqual([
    ['deposit.pending', 'deposit.paid'],
    ['deposit.pending'],
    ['refund.done'],
    ['med.opened'],
  ]);
});
