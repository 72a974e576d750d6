import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { checkAdjustments } from '#src/comparisons/check-adjustments.ts';
import { openBooks } from './books.ts';
import { account, type Services, SidesByHand } from './sources.ts';

const database = await openBooks();
let sides: SidesByHand;
let services: Services;
beforeEach(async () => {
  await database.query('truncate reading, adjustment');
  sides = new SidesByHand(database);
  services = sides.services;
});

const approved = { environment: 'live', accountId: account, currency: 'BRL', amount: 500 } as const;
const exceptions = async () => await database.query('select subject, reason, l_amount as l from exception');

describe('an adjustment', () => {
  const id = newId('adjustment');
  const audited = { ...approved, id, kind: 'adjust' } as const;

  async function exceptionsWith(...rows: Services['audited']) {
    services.decide({ kind: 'adjust', id: `adjust:${id}`, ...{ amount: 500 } }, []);
    services.audited.push(...rows);
    await sides.readLedger();
    services.passSeconds(10);
    await checkAdjustments(sides.dependencies);
    services.passSeconds(60);
    await checkAdjustments(sides.dependencies);
    return await exceptions();
  }

  test('that one operator proposed and another approved is explained', async () => {
    expect(await exceptionsWith({ ...audited, proposedBy: 'ana', approvedBy: 'rui' })).toEqual([]);
  });

  test.each([
    ['nothing', []],
    ['its proposal alone', [{ ...audited, proposedBy: 'ana', approvedBy: null }]],
    ['one operator twice', [{ ...audited, proposedBy: 'ana', approvedBy: 'ana' }]],
    ['another amount', [{ ...audited, amount: 50, proposedBy: 'ana', approvedBy: 'rui' }]],
    ['another account', [{ ...audited, accountId: newId('account'), proposedBy: 'ana', approvedBy: 'rui' }]],
  ])('of which the audit trail has %s is an exception', async (_what, rows) => {
    expect(await exceptionsWith(...rows)).toMatchObject([{ reason: 'adjustment_not_approved', l: 500 }]);
  });
});

test('a transfer of our own that two operators have not declared is an exception', async () => {
  services.decide({ kind: 'own-funds', id: 'own-funds:efi:1', ...{ amount: 500 } }, []);
  await sides.readLedger();
  services.passSeconds(70);
  await checkAdjustments(sides.dependencies);
  expect(await exceptions()).toMatchObject([{ subject: 'own-funds:efi:1', reason: 'adjustment_not_approved', l: 500 }]);
});

describe.each([
  ['in one reading', 0],
  ['in two', 70],
])('an approval that two commands name, read %s,', (_when, apartSec) => {
  /** One of 500.00 that was approved, and another one that names its approval. */
  async function exceptionsOf(used: 'adjust' | 'own-funds', other: 'adjust' | 'own-funds', amount: number) {
    const id = newId('approval');
    services.audited.push({ ...approved, id, kind: used, proposedBy: 'ana', approvedBy: 'rui' });
    const check = async () => {
      await sides.readLedger();
      await checkAdjustments(sides.dependencies);
    };
    services.decide({ kind: used, id: `${used}:${id}`, ...{ amount: 500 } }, []);
    services.passSeconds(apartSec);
    if (apartSec > 0) await check();
    services.decide({ kind: other, id: `${other}:${id}`, ...{ amount } }, []);
    services.passSeconds(10);
    await check();
    expect(await exceptions()).toEqual([]);
    services.passSeconds(60);
    await check();
    return { id, found: await exceptions() };
  }

  test.each([500, 90_000])('explains the transfer of our own that it is for, and no adjustment: %d', async (amount) => {
    const { id, found } = await exceptionsOf('own-funds', 'adjust', amount);
    expect(found).toEqual([{ subject: `adjustment:${id}`, reason: 'adjustment_not_approved', l: amount }]);
  });

  test.each([500, 90_000])('explains the adjustment that it is for, and no transfer of our own: %d', async (amount) => {
    const { id, found } = await exceptionsOf('adjust', 'own-funds', amount);
    expect(found).toEqual([{ subject: `own-funds:${id}`, reason: 'adjustment_not_approved', l: amount }]);
  });
});
