import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DepositPaid } from '@gateway/contracts/deposits';
import { unixSeconds } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import { outboxRow } from '@gateway/persistence';
import { findDeposit } from '#src/deposit/deposit-record.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { PaymentTable } from '#src/payment/payment-table.ts';
import { paymentOf } from '#src/payment/receive-payment.ts';
import { schema } from '#src/schema.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

async function received() {
  const { database, payments, now } = stage.dependencies;
  const owner = account();
  const { deposit } = await stage.create(request(owner));
  const row = await findDeposit(database, { environment: 'test', accountId: owner.id, id: deposit.id });
  const payment = paymentOf(
    row,
    { e2eId: `E${deposit.id}`, money: { currency: 'BRL', amount: row.amount }, paidAt: now() },
    now(),
  );
  await payments.receive(payment);
  const event = { id: newId('event'), occurredAt: unixSeconds(now()), deposit: toDeposit(row) };
  return { payment, event: outboxRow(DepositPaid, event) };
}

test('payments that are told again while they are credited, in any order, by two replicas, never lock each other out', async () => {
  const { database } = stage.dependencies;
  const queries = vi.spyOn(database, 'query');
  const [crediting, receiving] = [new PaymentTable(database), new PaymentTable(database)];
  for (let round = 0; round < 40; round += 1) {
    const waiting = await Promise.all(Array.from({ length: 20 }, received));
    const repeated = waiting.map(({ payment }) => receiving.receive({ ...payment, e2eId: `${payment.e2eId}2` }));
    const credited = waiting.toReversed().map(({ payment, event }) => crediting.credit(payment, event));
    expect(await Promise.all(credited)).toEqual(waiting.map(() => true));
    expect(await Promise.all(repeated)).toEqual(waiting.map(() => false));
  }
  expect(queries.mock.settledResults.filter(({ type }) => type === 'rejected')).toEqual([]);
});

test('a deposit is found by its primary key, also by a plan that was made on an empty table', async () => {
  await using fresh = await Stage.open();
  const queries = vi.spyOn(fresh.dependencies.database, 'query');
  const nowhere = { environment: 'test', accountId: account().id, id: newId('deposit') } as const;
  await expect(findDeposit(fresh.dependencies.database, nowhere)).rejects.toThrow();
  const [statement] = queries.mock.calls[0] ?? [];
  const client = await fresh.dependencies.database.pool.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare found as ${statement}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute found (null, null, null)`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('deposit_pkey');
    expect(plan).toMatch(/Index Cond: .*environment = .* AND \(account_id = .* AND \(id = /);
  } finally {
    client.release(true);
  }
});

test('payments are received and credited by the keys of their rows, also by plans that were made on empty tables', async () => {
  await using fresh = await Stage.open();
  const { database, payments } = fresh.dependencies;
  const { payment, event } = await received();
  const queries = vi.spyOn(database, 'query');
  expect([await payments.receive(payment), await payments.credit(payment, event)]).toEqual([false, false]);
  const client = await database.pool.connect();
  try {
    for (const [name, value] of Object.entries({ ...schema.sessionSettings, plan_cache_mode: 'force_generic_plan' })) {
      await client.query(`set ${name} = ${value}`);
    }
    for (const [place, [statement, parameters = []]] of queries.mock.calls.entries()) {
      await client.query(`prepare step${place} as ${statement}`);
      const nulls = parameters.map(() => 'null').join(', ');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute step${place} (${nulls})`);
      const lines = rows.map((row) => row['QUERY PLAN']);
      const conditions = lines.filter((line) => line.includes('Index Cond'));
      expect(lines.filter((line) => /Seq Scan|Bitmap/.test(line))).toEqual([]);
      expect(conditions).not.toEqual([]);
      for (const condition of conditions) expect(condition.match(/ = /g)).toHaveLength(3);
    }
  } finally {
    client.release(true);
  }
});

function codeOf(error: unknown): string {
  return (error as { readonly code: string }).code;
}

test('deposits that are asked for at the same time are each answered to whom asked, and one that is missing fails alone', async () => {
  const [first, second] = [await received(), await received()];
  const { database, depositReader } = stage.dependencies;
  const queries = vi.spyOn(database, 'query').mockClear();
  const keyOf = ({ accountId, depositId: id }: { accountId: string; depositId: string }) =>
    ({ environment: 'test', accountId, id }) as const;
  const missing = { ...keyOf(first.payment), accountId: second.payment.accountId };
  const wanted = [keyOf(first.payment), missing, keyOf(second.payment), keyOf(first.payment)];
  const found = await Promise.allSettled(wanted.map((key) => depositReader.find(key)));
  const ids = found.map((result) => (result.status === 'fulfilled' ? result.value.id : codeOf(result.reason)));
  const [one, two] = [first.payment.depositId, second.payment.depositId];
  expect(ids).toEqual([one, 'NOT_FOUND', two, one]);
  expect(queries).toHaveBeenCalledOnce();
});
