import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import type { Asked, ChargeReceipt } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { cancelDeposit } from '#src/charge/cancel-deposit.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { applyReceipt } from '#src/payment/apply-receipt.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const environment = 'test' as const;
const rounds = 40;

async function charge(dependencies: Dependencies, currency: 'BRL' | 'MXN' = 'BRL'): Promise<Deposit> {
  const paymentMethod = currency === 'BRL' ? ('PIX' as const) : ('SPEI' as const);
  return (await stage.create(request(account(), { currency, paymentMethod }), dependencies)).deposit;
}

function transferFor({ currency, id }: Deposit): Asked<ChargeReceipt> {
  const money = { currency: currency as 'BRL' | 'MXN', amount: 10_000 };
  return asked({ e2eId: `E${id.slice(4)}`, money, paidAt: stage.dependencies.now() });
}

/** What its provider reports for a charge. */
async function report(dependencies: Dependencies, { id }: Deposit, transfer: Asked<ChargeReceipt>): Promise<boolean> {
  return await applyReceipt(dependencies, { environment, provider: 'wired', reference: id.slice(4) }, transfer, 5_000);
}

/** The provider reports the same transfer for both charges at the same time. */
async function reportBoth(dependencies: Dependencies, charges: readonly [Deposit, Deposit]): Promise<void> {
  const transfer = transferFor(charges[0]);
  await Promise.all(charges.map(async (each) => report(dependencies, each, transfer)));
}

async function canceledAndOpen(dependencies: Dependencies): Promise<[canceled: Deposit, open: Deposit]> {
  const [canceled, open] = [await charge(dependencies), await charge(dependencies)];
  await cancelDeposit(dependencies, { environment, accountId: canceled.accountId, id: canceled.id });
  return [canceled, open];
}

/** Lets that many wait for a lock, or what is awaited end before. */
async function untilWaiting(count: number, ending: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void ending.finally(() => (hasEnded = true));
  await vi.waitUntil(async () => {
    const waiting = await stage.dependencies.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return hasEnded || waiting.length >= count;
  });
}

async function countedFor(charges: readonly Deposit[]) {
  const ids = [charges.map(({ id }) => id)];
  const { database } = stage.dependencies;
  const credited = await database.query(`select from payment where deposit_id = any($1) and state = 'CREDITED'`, ids);
  const sentBack = await database.query('select from orphan_receipt where deposit_id = any($1)', ids);
  const balances = charges.map(({ accountId }) => stage.ledger.books.balanceOf(accountId).available);
  return {
    credited: credited.length,
    sentBack: sentBack.length,
    paid: balances.filter((balance) => balance > 0).length,
  };
}

test('a transfer that comes for two charges at the same time is credited to one of them, and not sent back', async () => {
  const dependencies = stage.onTheWire({});
  for (let round = 0; round < rounds; round++) {
    const [one, other] = [await charge(dependencies), await charge(dependencies)];
    await reportBoth(dependencies, round % 2 === 0 ? [one, other] : [other, one]);
    expect(await countedFor([one, other])).toEqual({ credited: 1, sentBack: 0, paid: 1 });
  }
});

test('a transfer that comes for a charge and a canceled one at the same time is credited or goes back, never both', async () => {
  const dependencies = stage.onTheWire({});
  for (let round = 0; round < rounds; round++) {
    const [canceled, open] = await canceledAndOpen(dependencies);
    await reportBoth(dependencies, round % 2 === 0 ? [canceled, open] : [open, canceled]);
    const { credited, sentBack, paid } = await countedFor([canceled, open]);
    expect(credited + sentBack).toBe(1);
    expect(paid).toBe(credited);
  }
});

test('a transfer that went back for a canceled charge is not credited to another one', async () => {
  const dependencies = stage.onTheWire({});
  const [canceled, open] = await canceledAndOpen(dependencies);
  const transfer = transferFor(canceled);
  await report(dependencies, canceled, transfer);
  await report(dependencies, open, transfer);
  expect(await countedFor([canceled, open])).toEqual({ credited: 0, sentBack: 1, paid: 0 });
});

test('a transfer that is being sent back for a canceled charge is waited for, and not credited to another one', async () => {
  const dependencies = stage.onTheWire({});
  const [canceled, open] = await canceledAndOpen(dependencies);
  const transfer = transferFor(canceled);
  const other = await dependencies.database.pool.connect();
  try {
    await other.query('begin');
    await other.query('lock table orphan_receipt in exclusive mode');
    const sendingBack = report(dependencies, canceled, transfer);
    await untilWaiting(1, sendingBack);
    const crediting = report(dependencies, open, transfer);
    await untilWaiting(2, crediting);
    await other.query('commit');
    await Promise.all([sendingBack, crediting]);
  } finally {
    other.release();
  }
  expect(await countedFor([canceled, open])).toEqual({ credited: 0, sentBack: 1, paid: 0 });
});

test('a transfer that comes for two charges with typed amounts at the same time pays one of them', async () => {
  const dependencies = stage.onTheWire({});
  for (let round = 0; round < rounds; round++) {
    const charges = [await charge(dependencies, 'MXN'), await charge(dependencies, 'MXN')] as const;
    await reportBoth(dependencies, charges);
    expect(await countedFor(charges)).toEqual({ credited: 1, sentBack: 0, paid: 1 });
  }
});
