import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import {
  type Asked,
  type ChargeReceipt,
  type PaymentProvider,
  type ProviderEvent,
  sandboxProvider,
} from '@gateway/providers';
import { asked, notificationResult } from '@gateway/providers/testing';
import { finishCreations } from '#src/charge/open-charge.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { applyDisputeEvent, type DisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { finishDisputes } from '#src/dispute/resume-dispute.ts';
import { creditReceivedPayments } from '#src/payment/credit-payment.ts';
import { handleNotification } from '#src/provider-feed/handle-notification.ts';
import { atEveryStep } from './mortal-process.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
let wired: Dependencies;
beforeAll(async () => {
  stage = await Stage.open();
  wired = stage.onTheWire(bank);
});
afterAll(async () => stage[Symbol.asyncDispose]());

const createdEvent = 'event.deposits.deposit.created.v1';
const paidEvent = 'event.deposits.deposit.paid.v1';
const creationLeaseSec = 16;
const creditLeaseSec = 6;

/** References of the charges the provider has, recorded here or not. */
const charges = new Set<string>();
/** What has arrived there, by the reference of the charge. */
const receipts = new Map<string, Asked<ChargeReceipt>>();
const bank: Partial<PaymentProvider> = {
  createCharge: async (charge) => {
    charges.add(charge.ref);
    return await sandboxProvider({ now: stage.dependencies.now }).createCharge(charge);
  },
  getCharge: async ({ ref }) => {
    const receipt = receipts.get(ref);
    return receipt ? { status: 'PAID', receipts: [receipt] } : { status: 'OPEN' };
  },
  verifyAndParseNotification: async ({ rawBody }) => {
    const reported = JSON.parse(Buffer.from(rawBody).toString()) as ProviderEvent & { at: string };
    return notificationResult('ours', [{ ...reported, at: new Date(reported.at) }]);
  },
};

async function referencesOf(accountId: string): Promise<string[]> {
  const rows = await stage.dependencies.database.query<{ reference: string }>(
    'select reference from deposit where account_id = $1',
    [accountId],
  );
  return rows.map(({ reference }) => reference);
}

/** After the sweepers and a repeated request: one record, its charge and no other, one event. */
async function expectCreatedOnce(wanted: ReturnType<typeof request>, dependencies: Dependencies): Promise<void> {
  const known = await referencesOf(wanted.account.id);
  for (const reference of charges) expect(known).toContain(reference);
  stage.passSeconds(creationLeaseSec);
  await finishCreations(dependencies);
  const { deposit } = await stage.create(wanted, dependencies);
  expect(deposit.status).toBe('PENDING');
  const references = await referencesOf(wanted.account.id);
  expect(references).toHaveLength(1);
  if (dependencies === wired) expect([...charges]).toEqual(references);
  expect(await stage.eventsOf(deposit.id)).toEqual([createdEvent]);
}

describe('a creation whose process ends at any step', () => {
  const prepare = async () => {
    charges.clear();
    return request(account());
  };

  test.each([
    ['with a charge of a provider', () => wired, 6],
    ['in test mode', () => stage.dependencies, 4],
  ])('%s comes to one record with the one charge there is', async (_mode, of, stepsMin) => {
    const steps = await atEveryStep(of(), {
      prepare,
      act: async (dependencies, wanted) => await stage.create(wanted, dependencies),
      expectWell: async (wanted) => await expectCreatedOnce(wanted, of()),
    });
    expect(steps).toBeGreaterThanOrEqual(stepsMin);
  });

  test('of the sweeper that finishes it comes to the same', async () => {
    const steps = await atEveryStep(wired, {
      prepare: async () => {
        const wanted = await prepare();
        const dying = stage.onTheWire({ createCharge: async () => Promise.reject(new Error('the process ends here')) });
        await expect(stage.create(wanted, dying)).rejects.toThrow('the process ends here');
        stage.passSeconds(creationLeaseSec);
        return wanted;
      },
      act: async (dependencies) => await finishCreations(dependencies),
      expectWell: async (wanted) => await expectCreatedOnce(wanted, wired),
    });
    expect(steps).toBeGreaterThanOrEqual(6);
  });
});

let payments = 0;
function notificationOf({ id }: Deposit) {
  const e2eId = `E12345678202603040508${String(++payments).padStart(12, '0')}`;
  const money = { currency: 'BRL', amount: 10_000 } as const;
  const at = stage.dependencies.now();
  const event: ProviderEvent = {
    ...{ type: 'charge.paid', dedupeKey: e2eId, at, raw: null, ref: id.slice(4), e2eId, money },
  };
  receipts.set(id.slice(4), asked<ChargeReceipt>({ e2eId, money, paidAt: at }));
  const rawBody = Buffer.from(JSON.stringify(event)).toString('base64');
  const facts = { receivedAt: 1, headers: {}, query: {}, pathSuffix: '', remoteIp: '192.0.2.1' };
  return { data: { id: newId('event'), provider: 'wired', rawBody, ...facts } };
}

/** PAID, credited once, one event, and no orphan receipt. */
async function expectCreditedOnce({ accountId, id }: Deposit): Promise<void> {
  const { deposit } = await getDeposit(stage.dependencies, { environment: 'test', accountId, id });
  expect(deposit.status).toBe('PAID');
  expect(stage.ledger.books.balanceOf(accountId)).toEqual({ available: 9_850, pending: 0, blocked: 0 });
  expect(await stage.eventsOf(id)).toEqual([createdEvent, paidEvent]);
  const orphans = 'select id from orphan_receipt where deposit_id = $1';
  expect(await stage.dependencies.database.query(orphans, [id])).toEqual([]);
}

async function sweepPayments(): Promise<void> {
  stage.passSeconds(creditLeaseSec);
  await creditReceivedPayments(stage.dependencies);
}

describe('a payment whose process ends at any step', () => {
  test('told by a provider, and told again, is credited once', async () => {
    const steps = await atEveryStep(wired, {
      prepare: async () => {
        const { deposit } = await stage.create(request(account()), wired);
        return { deposit, message: notificationOf(deposit) };
      },
      act: async (dependencies, { message }) => await handleNotification(dependencies, message),
      expectWell: async ({ deposit, message }) => {
        await sweepPayments();
        await handleNotification(wired, message);
        await expectCreditedOnce(deposit);
      },
    });
    expect(steps).toBeGreaterThanOrEqual(6);
  });

  test('in test mode, and asked for again, is credited once', async () => {
    const steps = await atEveryStep(stage.dependencies, {
      prepare: async () => (await stage.create(request(account()))).deposit,
      act: async (dependencies, { accountId, id }) => await stage.pay(accountId, id, dependencies),
      expectWell: async (deposit) => {
        await sweepPayments();
        await stage.pay(deposit.accountId, deposit.id);
        await expectCreditedOnce(deposit);
      },
    });
    expect(steps).toBeGreaterThanOrEqual(6);
  });

  test('of the sweeper that credits it is credited once by the next', async () => {
    const dying: Dependencies = {
      ...wired,
      askLedger: async () => Promise.reject(new Error('the process ends here')),
    };
    const steps = await atEveryStep(stage.dependencies, {
      prepare: async () => {
        const { deposit } = await stage.create(request(account()), wired);
        await handleNotification(dying, notificationOf(deposit));
        stage.passSeconds(creditLeaseSec);
        return deposit;
      },
      act: async (dependencies) => await creditReceivedPayments(dependencies),
      expectWell: async (deposit) => {
        stage.passSeconds(600);
        await creditReceivedPayments(stage.dependencies);
        await expectCreditedOnce(deposit);
      },
    });
    expect(steps).toBeGreaterThanOrEqual(6);
  });
});

/** What a provider says about the payment of a deposit. */
function reportOf({ id, e2eId, amount: paid }: Deposit, type: DisputeEvent['type'], amount = paid): DisputeEvent {
  const money = { currency: 'BRL', amount } as const;
  const at = stage.dependencies.now();
  return asked({ type, dedupeKey: `${type}:${id}`, at, raw: null, disputeRef: id, e2eId: e2eId!, money });
}

async function report(event: DisputeEvent, dependencies: Dependencies = stage.dependencies) {
  return await applyDisputeEvent(dependencies, { environment: 'test', provider: 'sandbox' }, event, 5_000);
}

describe('a dispute whose process died', () => {
  test('at any step of losing a part has that part gone, once, and never lets it be spent', async () => {
    const steps = await atEveryStep(stage.dependencies, {
      prepare: async () => {
        const deposit = await stage.paid();
        await report(reportOf(deposit, 'dispute.opened', 6_000));
        stage.passSeconds(60);
        return { deposit, lost: reportOf(deposit, 'dispute.lost', 2_500) };
      },
      act: async (dependencies, { lost }) => await report(lost, dependencies),
      expectWell: async ({ deposit, lost }) => {
        const { available, blocked } = stage.ledger.books.balanceOf(deposit.accountId);
        expect([
          [3_850, 6_000],
          [7_350, 0],
        ]).toContainEqual([available, blocked]);
        stage.passSeconds(600);
        await finishDisputes(stage.dependencies);
        await report(lost);
        expect(stage.ledger.books.balanceOf(deposit.accountId)).toEqual({ available: 7_350, pending: 0, blocked: 0 });
        const key = { environment: 'test', accountId: deposit.accountId, id: deposit.id } as const;
        expect(await getDeposit(stage.dependencies, key)).toMatchObject({ deposit: { refunded: 2_500 } });
      },
    });
    expect(steps).toBeGreaterThanOrEqual(6);
  });

  const dyingAfter = (kind: string): Dependencies => ({
    ...stage.dependencies,
    askLedger: async (command, timeoutMs) => {
      const result = await stage.dependencies.askLedger(command, timeoutMs);
      if (command.kind === kind) throw new Error('the process ends here');
      return result;
    },
  });

  test('after the lost money was given back is finished by the sweeper, and it is given back once', async () => {
    const deposit = await stage.paid();
    await report(reportOf(deposit, 'dispute.lost', 4_000));
    stage.passSeconds(60);
    const won = reportOf(deposit, 'dispute.won', 4_000);
    await expect(report(won, dyingAfter('overturn-dispute'))).rejects.toThrow('the process ends here');
    stage.passSeconds(60);
    await Promise.all([finishDisputes(stage.dependencies), finishDisputes(stage.dependencies)]);
    expect(stage.ledger.books.balanceOf(deposit.accountId)).toEqual({ available: 9_850, pending: 0, blocked: 0 });
  });

  test.each(['block-dispute', 'release-dispute', 'return-dispute'])(
    'after %s is finished by the sweeper',
    async (kind) => {
      const deposit = await stage.paid();
      const event = reportOf(deposit, kind === 'release-dispute' ? 'dispute.won' : 'dispute.lost', 4_000);
      await expect(report(event, dyingAfter(kind))).rejects.toThrow('the process ends here');
      stage.passSeconds(60);
      await Promise.all([finishDisputes(stage.dependencies), finishDisputes(stage.dependencies)]);
      const available = kind === 'release-dispute' ? 9_850 : 5_850;
      expect(stage.ledger.books.balanceOf(deposit.accountId)).toEqual({ available, pending: 0, blocked: 0 });
    },
  );
});
