import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import type { ChargeReceipt } from '@gateway/providers';
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

/** The provider reports the same transfer for both charges at the same time. */
async function reportBoth(dependencies: Dependencies, charges: readonly Deposit[]): Promise<void> {
  const [{ currency, id }] = charges as [Deposit];
  const money = { currency: currency as 'BRL' | 'MXN', amount: 10_000 };
  const receipt = asked<ChargeReceipt>({ e2eId: `E${id.slice(4)}`, money, paidAt: stage.dependencies.now() });
  await Promise.all(
    charges.map(async ({ id: depositId }) =>
      applyReceipt(dependencies, { environment, provider: 'wired', reference: depositId.slice(4) }, receipt, 5_000),
    ),
  );
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
    const charges = [await charge(dependencies), await charge(dependencies)];
    await reportBoth(dependencies, round % 2 === 0 ? charges : charges.toReversed());
    expect(await countedFor(charges)).toEqual({ credited: 1, sentBack: 0, paid: 1 });
  }
});

test('a transfer that comes for a charge and a canceled one at the same time is credited or goes back, never both', async () => {
  const dependencies = stage.onTheWire({});
  for (let round = 0; round < rounds; round++) {
    const charges = [await charge(dependencies), await charge(dependencies)];
    const [canceled] = charges;
    await cancelDeposit(dependencies, { environment, accountId: canceled!.accountId, id: canceled!.id });
    await reportBoth(dependencies, round % 2 === 0 ? charges : charges.toReversed());
    const { credited, sentBack, paid } = await countedFor(charges);
    expect(credited + sentBack).toBe(1);
    expect(paid).toBe(credited);
  }
});

test('a transfer that comes for two charges with typed amounts at the same time pays one of them', async () => {
  const dependencies = stage.onTheWire({});
  for (let round = 0; round < rounds; round++) {
    const charges = [await charge(dependencies, 'MXN'), await charge(dependencies, 'MXN')];
    await reportBoth(dependencies, charges);
    expect(await countedFor(charges)).toEqual({ credited: 1, sentBack: 0, paid: 1 });
  }
});
