import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId, type ReconciliationCheck } from '@gateway/contracts';
import { silentLogger } from '@gateway/service-kit/testing';
import { recordProviderBalances } from '#src/reconciliation/record-provider-balances.ts';
import { prove } from '#src/reconciliation/reconcile.ts';
import { reconcileNow } from '#src/reconciliation/run-reconciliation.ts';
import { commandBatches, testClockSec } from './model/arbitrary-commands.ts';
import { adjust, creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';

let ledger: DirectLedger;
const accountId = newId('account');
const [depositId, refundId, disputeId] = [newId('deposit'), newId('refund'), newId('dispute')];
const common = { environment: 'test', accountId, currency: 'BRL' } as const;
const refund = { ...common, depositId, refundId, provider: 'sandbox', amount: 4_000 } as const;

beforeEach(async () => {
  ledger = await startDirectLedger();
  await ledger.write(
    creditDeposit(accountId, { depositId }),
    { ...refund, kind: 'refund-deposit', id: 'refund-deposit:1', depositAmount: 10_000 },
    debitPayout(accountId, { amount: 5_500, fee: 0 }),
    {
      ...{ ...common, kind: 'block-dispute', id: 'block-dispute:1', disputeId, depositId, amount: 6_000 },
      captureUntil: 2_000_000_000,
    },
    { ...refund, kind: 'hold-receipt', id: 'hold-receipt:1', refundId: newId('refund') },
    adjust(newId('account'), 70),
  );
});
afterEach(async () => await ledger[Symbol.asyncDispose]());

const run = (notCompared = {}) =>
  reconcileNow({ database: ledger.database, logger: silentLogger, now: () => Date.now(), notCompared });
const failing = (checks: readonly ReconciliationCheck[]) => checks.filter(({ status }) => status !== 'OK');
const change = async (sql: string) => await ledger.database.pool.query(sql);

describe('what the ledger remembers of a record', () => {
  test.each([
    ['amount', depositId, `amount = 999999`, 'amount 999999, chain 10000'],
    ['committed', depositId, `used = 0`, 'used 0, chain 10000'],
    ['pending', depositId, `held = 5`, 'held 5, chain 0'],
    ['state', refundId, `state = 'reversed'`, 'state reversed, chain reserved'],
    ['shortfall', disputeId, `shortfall = 0`, 'shortfall 0, chain 5600'],
    ['blocked amount', disputeId, `held = 0`, 'held 0, chain 400'],
  ])('is recomputed: a changed %s is named', async (_what, id, assignment, finding) => {
    expect(failing((await run()).checks)).toEqual([]);
    await change(`update reference set ${assignment} where id = '${id}'`);
    const [wrong] = failing((await run()).checks).filter(({ name }) => name === 'references_equal_chain');
    expect(wrong?.findings).toContain(`${id}: ${finding}`);
  });

  test('is gone, or was never decided: both are named', async () => {
    await change(`update reference set id = 'dep_x' where id = '${depositId}'`);
    const [wrong] = failing((await run()).checks);
    expect(wrong?.findings).toEqual([
      expect.stringContaining(`${depositId}: the ledger has decided about it`),
      expect.stringContaining('dep_x: known to the ledger, and nothing was ever decided'),
    ]);
  });

  test('is what the chain says, whatever was decided', async () => {
    await using random = await startDirectLedger(() => testClockSec * 1_000);
    for (const batches of fc.sample(commandBatches, { numRuns: 25, seed: 7 })) {
      for (const batch of batches) await random.write(...batch);
    }
    expect(failing((await prove(random.database.pool)).checks)).toEqual([]);
  });
});

test('a result that was removed from the end together with all that tells of it is found by the head that was recorded', async () => {
  await ledger.write(creditDeposit(accountId, { amount: 3_000, fee: 0, releaseAt: 2_000_000_000 }));
  await run();
  await change(`
    delete from command where sequence = 7;
    delete from reference where id in (select request->>'depositId' from result where sequence = 7);
    delete from result where sequence = 7;
    update balance set pending = pending - 3000 where pending > 0;
    update system_balance set amount = amount + 3000 where account = 'provider:sandbox';
    update shard set head_sequence = 6, head_hash = (select hash from result where sequence = 6)
      where environment = 'test'`);
  const wrong = failing((await run()).checks).find(({ name }) => name === 'recorded_heads_kept');
  expect(wrong?.findings).toEqual([expect.stringMatching(/^result 7, the last one at .*, is gone$/)]);
});

test('a command id without its result is found', async () => {
  await change(
    `insert into command select environment, 'adjust:planted', request_hash, shard, 99, decided_at from command limit 1`,
  );
  expect(failing((await run()).checks)).toMatchObject([
    { name: 'commands_equal_results', findings: ['7 command ids were decided, 6 results are there'] },
  ]);
});

test('money in transit, in suspense or owed that no record explains is found', async () => {
  await change(`update reference set state = 'settled' where kind = 'payout'`);
  const wrong = failing((await run()).checks).find(({ name }) => name === 'system_accounts_explained');
  expect(wrong?.findings).toEqual(['transit:payouts BRL: 5500 booked, 0 explained']);
});

describe('a live provider at which something is booked', () => {
  const comparedAt = Math.floor(Date.now() / 1_000);
  const agreeing = { currency: 'BRL', difference: 0, differsSince: null, comparedAt, problem: null } as const;
  const record = (...providers: string[]) =>
    recordProviderBalances(ledger.database, { balances: providers.map((provider) => ({ ...agreeing, provider })) });
  const ofProviders = async (notCompared = {}) => (await run(notCompared)).checks.at(-1);

  beforeEach(async () => {
    await change(`
      insert into provider (environment, id, told_at) values ('live', 'one', now() - interval '2 hours'),
        ('live', 'new', now());
      insert into system_balance (environment, shard, account, currency, amount) values
        ('live', 0, 'provider:one', 'BRL', -100), ('live', 0, 'provider:new', 'BRL', -1),
        ('live', 0, 'provider:empty', 'BRL', 0)`);
  });

  test('and that nobody compares is a finding, also when it was compared before and taken out', async () => {
    await record('one', 'new');
    expect((await ofProviders())?.status).toBe('OK');
    await record('new');
    const finding = 'one BRL: 100 booked there, and nobody compares it with what the provider holds';
    expect(await ofProviders()).toMatchObject({ status: 'DISCREPANCY', findings: [finding] });
  });

  test('and that is known not to be compared is named with the reason, and is no finding', async () => {
    await record('new');
    expect(await ofProviders({ one: 'its interface tells no balance' })).toMatchObject({
      status: 'OK',
      notes: ['one BRL: 100 booked, not compared: its interface tells no balance'],
    });
  });

  test('holding more never makes up for another one that holds less', async () => {
    const balances = [5_000, 4_444, -100_000].map((difference, index) => {
      return { ...agreeing, provider: `p${index}`, difference, differsSince: comparedAt };
    });
    await recordProviderBalances(ledger.database, { balances });
    expect((await ofProviders({ one: 'x' }))?.notes).toEqual(
      expect.arrayContaining(['unexplained in BRL more: 9444', 'unexplained in BRL less: 100000']),
    );
  });
});
