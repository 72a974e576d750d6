import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReconciliationCheck } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { silentLogger } from '@gateway/test-kit';
import { inSnapshot } from '#src/chain/snapshot.ts';
import { verifyChain } from '#src/chain/verify-chain.ts';
import { countNotCompared } from '#src/reconciliation/check-provider-balances.ts';
import { storeProviderBalances, registerProviders } from '#src/reconciliation/provider-accounts.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { reconcileNow } from '#src/reconciliation/run-reconciliation.ts';
import { commandBatches } from './model/arbitrary-commands.ts';
import { adjust, creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';
import { proofOf } from './support/proof.ts';

let ledger: DirectLedger;
beforeEach(async () => {
  ledger = await startDirectLedger();
  const [one, other] = [newId('account'), newId('account')];
  await ledger.write(creditDeposit(one), creditDeposit(other), debitPayout(one), debitPayout(newId('account')));
  await ledger.write(adjust(other, -100), creditDeposit(one, { releaseAt: 2_000_000_000 }), creditDeposit(one));
});
afterEach(async () => await ledger[Symbol.asyncDispose]());

const shard = { environment: 'test', shard: 0 };
const verify = () => inSnapshot(ledger.database.pool, (snapshot) => verifyChain(snapshot, shard));
const damage = (sql: string) => ledger.database.query(sql);

async function providersCheck(): Promise<ReconciliationCheck | undefined> {
  return (await reconcile(ledger.database.pool)).find((check) => check.name === 'provider_balances_agree');
}

async function failing(): Promise<ReconciliationCheck['name'][]> {
  const checks = await reconcile(ledger.database.pool);
  return checks.filter((check) => check.status !== 'OK').map((check) => check.name);
}

test('an untouched ledger is intact and agrees with itself in every check', async () => {
  expect(await verify()).toEqual({ links: 7, firstBreak: null });
  const checks = await reconcile(ledger.database.pool);
  expect(checks).toHaveLength(16);
  expect(checks.map((check) => check.status)).toEqual(checks.map(() => 'OK'));
  expect(checks.find((check) => check.environment === 'test')?.examined).toBe(7);
});

test('after any sequence of commands the ledger agrees with itself in every check', async () => {
  for (const batch of fc.sample(commandBatches, 60).flat()) await ledger.write(...batch);
  expect(await failing()).toEqual([]);
});

test('on the command line verification fails, and names the first bad link of each shard', async () => {
  const script = fileURLToPath(new URL('../src/verify.ts', import.meta.url));
  const run = async () => {
    const child = spawn(process.execPath, [script], { env: { ...process.env, DATABASE_URL: ledger.url } });
    const exited = once(child, 'exit');
    const output = await text(child.stdout);
    await exited;
    return [output, child.exitCode];
  };
  expect(await run()).toEqual(['live.0: 0 links, intact\ntest.0: 7 links, intact\n', 0]);
  await damage(`delete from result where sequence = 5`);
  const broken = 'live.0: 0 links, intact\ntest.0: 4 links, BROKEN at 5: result 5 is missing\n';
  expect(await run()).toEqual([broken, 1]);
});

describe('verification names the first bad link after', () => {
  test.each([
    ['a changed refusal', 4, `update result set refusal = 'invalid_state' where sequence = 4`],
    [
      'a changed posting',
      3,
      `update result set postings = jsonb_set(postings::jsonb, '{0,3}', '-999')::json where sequence = 3`,
    ],
    [
      'a changed balance',
      2,
      `update result set balances = jsonb_set(balances::jsonb, '{0,available}', '1')::json where sequence = 2`,
    ],
    [
      'a changed request',
      5,
      `update result set request = jsonb_set(request::jsonb, '{amount}', '-1')::json where sequence = 5`,
    ],
    ['a changed time', 6, `update result set decided_at = decided_at + interval '1 ms' where sequence = 6`],
    ['a changed entry', 2, `update entry set amount = amount + 1 where sequence = 2`],
    ['a changed running balance', 7, `update entry set balance_after = balance_after + 1 where sequence = 7`],
    ['an entry moved to another account', 1, `update entry set account_id = 'acc_x' where sequence = 1`],
    ['a removed entry', 3, `delete from entry where id = (select max(id) from entry where sequence = 3)`],
    ['a removed result', 5, `delete from result where sequence = 5`],
    ['the last result removed', 7, `delete from result where sequence = 7`],
    ['a forgotten command id', 3, `delete from command where sequence = 3`],
    ['a changed command hash', 3, `update command set request_hash = '\\x00' where sequence = 3`],
    ['a changed link', 4, `update result set hash = sha256('x') where sequence = 4`],
    [
      'two results that changed places',
      2,
      `update result set sequence = case sequence when 2 then 3 else 2 end + 100 where sequence in (2, 3);
       update result set sequence = sequence - 100 where sequence > 100`,
    ],
    ['a moved head', 7, `update shard set head_hash = sha256('x') where environment = 'test'`],
  ])('%s', async (_what, sequence, sql) => {
    await ledger.database.pool.query(sql);
    expect((await verify()).firstBreak?.sequence).toBe(sequence);
  });
});

describe('reconciliation finds', () => {
  test('a balance that is not the sum of its postings and entries', async () => {
    await damage(`update balance set available = available + 1 where available > 0`);
    expect(await failing()).toEqual(['postings_equal_balances', 'entries_equal_available']);
  });

  test('money of ours that nobody posted', async () => {
    await damage(`update system_balance set amount = amount - 5 where account = 'fees'`);
    expect(await failing()).toEqual(['postings_equal_balances']);
  });

  test('a balance without a row', async () => {
    await damage(`delete from system_balance where account = 'fees'`);
    expect(await failing()).toEqual(['postings_equal_balances']);
  });

  test('a gap in the numbers of entries', async () => {
    await damage(`update entry set number = number + 1 where type = 'PAYOUT_FEE'`);
    expect(await failing()).toContain('entry_numbers_without_gaps');
  });

  test('a balance that counted another number of entries', async () => {
    await damage(`update balance set entries = entries + 1`);
    expect(await failing()).toEqual(['entry_numbers_without_gaps']);
  });

  test('a provider that does not hold what is booked there, or that has been silent for an hour', async () => {
    const comparedAt = Math.floor(Date.now() / 1_000);
    const agreeing = { currency: 'BRL', difference: 0, differsSince: null, comparedAt, problem: null } as const;
    const record = (...balances: Parameters<typeof storeProviderBalances>[1]['balances']) =>
      storeProviderBalances(ledger.database, { balances });
    const differing = { ...agreeing, provider: 'one', difference: -5, differsSince: 1_767_000_000 };
    const silent = { ...agreeing, provider: 'two', comparedAt: comparedAt - 3_601, problem: 'timeout' };
    await record({ ...agreeing, provider: 'gone', difference: 7 }, differing);
    await record(differing, silent, { ...agreeing, provider: 'three', comparedAt: comparedAt - 3_000 });
    expect(await failing()).toEqual(['provider_balances_agree']);
    const check = await providersCheck();
    expect(check).toMatchObject({ environment: 'live', examined: 3 });
    expect(check?.findings).toEqual([
      'one BRL: the provider holds 5 less than the books explain, since 2025-12-29T09:20:00Z',
      expect.stringMatching(/^two BRL: could not be compared since 20.*Z: timeout$/),
    ]);
  });

  test('money at a live provider that nobody compares, unless the configuration says that it cannot be', async () => {
    const register = (isCompared: boolean) => registerProviders(ledger.database, [{ id: 'quiet', isCompared }]);
    const book = `insert into system_balance (environment, shard, account, currency, amount)
      values ('live', 0, 'provider:quiet', 'BRL', -700), ('live', 0, 'suspense', 'BRL', 700)`;
    const findingsOf = async () => (await providersCheck())?.findings;
    await register(true);
    await damage(book);
    expect(await findingsOf()).toEqual([]);
    await damage(`update provider set told_at = now() - interval '61 minutes' where id = 'quiet'`);
    const finding = 'quiet BRL: 700 is booked there, and nobody compares it with what the provider holds';
    expect(await findingsOf()).toEqual([finding]);
    expect(await countNotCompared(ledger.database)).toBe(1);
    await damage(`delete from provider where id = 'quiet'`);
    expect(await findingsOf()).toEqual([finding]);
    await register(false);
    expect(await findingsOf()).toEqual([]);
    await register(true);
    const comparedAt = Math.floor(Date.now() / 1_000);
    const agreeing = { currency: 'BRL', difference: 0, differsSince: null, comparedAt, problem: null } as const;
    await storeProviderBalances(ledger.database, { balances: [{ ...agreeing, provider: 'quiet' }] });
    expect(await findingsOf()).toEqual([]);
    expect(await countNotCompared(ledger.database)).toBe(0);
  });

  test('a command that is decided and has no result, whatever the chain looks like', async () => {
    await damage(`insert into command (environment, id, request_hash, shard, sequence, decided_at)
      values ('test', 'adjust:lost', sha256('x'), 0, 99, now())`);
    const [chain] = (await reconcile(ledger.database.pool)).filter(({ status }) => status !== 'OK');
    expect(chain).toMatchObject({ name: 'chain_intact', findings: ['8 commands are decided, 7 results are there'] });
  });

  test('a chain that was cut and written on, by where it ended before', async () => {
    const { keys } = await proofOf(ledger.database);
    const services = { database: ledger.database, logger: silentLogger, now: () => Date.now(), keys };
    const account = newId('account');
    await ledger.write(creditDeposit(account));
    expect(await reconcileNow(services)).toMatchObject({ status: 'OK' });
    expect(await reconcileNow(services)).toMatchObject({ status: 'OK' });
    const [cut] = await ledger.database.query<{ hash: string }>(
      `select encode(hash, 'hex') as hash from result where sequence = 7`,
    );
    await ledger.database.pool.query(`
      delete from result where sequence = 8; delete from command where sequence = 8; delete from entry where sequence = 8;
      delete from reference where account_id = '${account}'; delete from balance where account_id = '${account}';
      update system_balance set amount = amount - 100 where account = 'fees';
      update system_balance set amount = amount + 10000 where account = 'provider:sandbox';
      update shard set head_sequence = 7, head_hash = decode('${cut!.hash}', 'hex') where environment = 'test'`);
    const findings = [expect.stringMatching(/^result 8 is not the one that was there at 20/)];
    const chainOf = async () => (await reconcile(ledger.database.pool)).filter(({ status }) => status !== 'OK');
    expect(await chainOf()).toMatchObject([{ name: 'chain_intact', environment: 'test', findings }]);
    await ledger.restart();
    await ledger.write(creditDeposit(newId('account')), creditDeposit(newId('account')));
    expect(await chainOf()).toMatchObject([{ name: 'chain_intact', environment: 'test', findings }]);
  });

  test('a broken chain, and says where', async () => {
    await damage(`delete from result where sequence = 2`);
    const checks = await reconcile(ledger.database.pool);
    const chain = checks.find((check) => check.name === 'chain_intact' && check.environment === 'test');
    expect(chain).toMatchObject({ status: 'DISCREPANCY', findings: ['result 2 is missing'] });
  });
});
