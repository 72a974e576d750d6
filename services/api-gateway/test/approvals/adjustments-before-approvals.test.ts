import { expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { kitMigrations, openDatabase } from '@gateway/persistence';
import { createTestDatabase, silentLogger } from '@gateway/test-kit';
import { migrations } from '../../migrations/index.ts';

const before = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === '0006-approvals'),
);
const insertAccount = `
  insert into account (id, name, auto_approve_payouts, deposit_fee_fixed, deposit_fee_bps, payout_fee_fixed,
    payout_fee_bps, retention_days, rate_per_second, rate_burst, version, created_at, updated_at)
  values ($1, 'Loja', true, 0, 0, 0, 0, 0, 1, 1, 1, now(), now())`;
const insertAdjustment = `
  insert into adjustment (id, account_id, environment, currency, amount, reason, external_id, status, proposed_by,
    approved_by, approved_at, created_at, decided_at)
  values ($1, $2, 'live', 'BRL', 250, 'a gift', $1, $3, 'ana', $4, $5, now(), $6)`;

test('adjustments from before there were approvals each have one: waiting, being carried out, or decided', async () => {
  await using old = await createTestDatabase('api-gateway', { migrations: [...kitMigrations, ...before] });
  const accountId = newId('account');
  await old.database.query(insertAccount, [accountId]);
  const at = new Date();
  const rows = [
    ['PROPOSED', null, null, null, 'PROPOSED'],
    ['PROPOSED', 'bruno', at, null, 'APPLYING'],
    ['APPLIED', 'bruno', at, at, 'APPLIED'],
    ['REFUSED', 'bruno', null, at, 'FAILED'],
  ] as const;
  const states = new Map<string, string>();
  for (const [status, approvedBy, approvedAt, decidedAt, state] of rows) {
    const id = newId('adjustment');
    states.set(id, state);
    await old.database.query(insertAdjustment, [id, accountId, status, approvedBy, approvedAt, decidedAt]);
  }
  const all = [...kitMigrations, ...migrations];
  await using database = await openDatabase({ url: old.url, entities: [], migrations: all, logger: silentLogger });
  const found = await database.query<{ id: string; target: string; state: string; approved_by: string | null }>(
    'select id, target, state, approved_by from approval',
  );
  expect(new Map(found.map(({ target, state }) => [target, state]))).toEqual(states);
  expect(found.every(({ id, target }) => id === target.replace('adj_', 'apr_'))).toBe(true);
});
