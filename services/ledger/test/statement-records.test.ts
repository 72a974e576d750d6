import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { readLedgerRecords, readPending } from '#src/statement/statement-records.ts';
import { creditDeposit } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';

const accountId = newId('account');
const owner = { environment: 'test', accountId } as const;
const nowMs = Date.UTC(2027, 0, 10);
let ledger: DirectLedger;

/** A second before midnight in São Paulo, and that midnight. */
const [eve, midnight] = ['2027-01-15T02:59:59Z', '2027-01-15T03:00:00Z'].map((text) => Date.parse(text) / 1_000);
const credit = creditDeposit(accountId);
const retained = creditDeposit(accountId, { amount: 20_000, fee: 1, releaseAt: eve! });
const foreign = creditDeposit(newId('account'), { releaseAt: eve! });

beforeAll(async () => {
  ledger = await startDirectLedger(() => nowMs);
  await ledger.write(
    credit,
    retained,
    foreign,
    creditDeposit(accountId, { releaseAt: eve! }),
    creditDeposit(accountId, { releaseAt: midnight! }),
    creditDeposit(accountId, { releaseAt: eve!, currency: 'MXN' }),
  );
});
afterAll(async () => await ledger[Symbol.asyncDispose]());

describe('what was credited of deposits', () => {
  test('is what each credit was told, gross and fee, pending or not', async () => {
    const ids = [credit.depositId, retained.depositId, newId('deposit')];
    const { credits, records } = await readLedgerRecords(ledger.database, { ...owner, ids });
    expect(credits.sort((one, other) => one.amount - other.amount)).toEqual([
      { depositId: credit.depositId, amount: credit.amount, fee: credit.fee },
      { depositId: retained.depositId, amount: 20_000, fee: 1 },
    ]);
    expect(records).toEqual([]);
  });

  test('is said to the account alone, and in its environment', async () => {
    const ids = [credit.depositId, foreign.depositId];
    const other = { ...owner, accountId: foreign.accountId };
    expect((await readLedgerRecords(ledger.database, { ...other, ids })).credits).toMatchObject([
      { depositId: foreign.depositId },
    ]);
    expect((await readLedgerRecords(ledger.database, { ...owner, environment: 'live', ids })).credits).toEqual([]);
  });
});

describe('what is pending', () => {
  test('is added up by day of the zone and currency, the next day first', async () => {
    expect(await readPending(ledger.database, { ...owner, zone: 'America/Sao_Paulo' })).toEqual({
      releases: [
        { releaseOn: '2027-01-14', currency: 'BRL', amount: 19_999 + 9_900, deposits: 2 },
        { releaseOn: '2027-01-14', currency: 'MXN', amount: 9_900, deposits: 1 },
        { releaseOn: '2027-01-15', currency: 'BRL', amount: 9_900, deposits: 1 },
      ],
    });
    expect(await readPending(ledger.database, { ...owner, zone: 'UTC', currency: 'MXN' })).toEqual({
      releases: [{ releaseOn: '2027-01-15', currency: 'MXN', amount: 9_900, deposits: 1 }],
    });
  });

  test('is that of the account and the environment alone', async () => {
    expect((await readPending(ledger.database, { ...owner, environment: 'live', zone: 'UTC' })).releases).toEqual([]);
  });
});
