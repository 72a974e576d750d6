import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseBrCode } from '@gateway/pix';
import { type PaymentProvider, sandboxProvider } from '@gateway/providers';
import { eventually } from '@gateway/test-kit';
import { createdEvent } from '#src/charge/creation.ts';
import { draftDeposit } from '#src/charge/draft-deposit.ts';
import { finishCreations } from '#src/charge/open-charge.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const created = 'event.deposits.deposit.created.v1';
const accepting = sandboxProvider({ now: () => new Date() }).createCharge;
const unreachable = async () => ({ kind: 'not_sent', reason: 'unreachable', cause: 'ECONNREFUSED' }) as const;

async function rowsOf(externalId: string) {
  return await stage.dependencies.database.query('select state, reference from deposit where external_id = $1', [
    externalId,
  ]);
}

/** A provider that answers when the test says so, and remembers what it was asked. */
function heldProvider() {
  const references: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const createCharge: PaymentProvider['createCharge'] = async (charge) => {
    references.push(charge.ref);
    await released;
    return await accepting(charge);
  };
  return { createCharge, references, release };
}

describe('a new deposit', () => {
  test('is PENDING with a readable code, the fee of the schedule, and its event', async () => {
    const payer = { name: 'Ana Souza', email: null, phone: null, document: '52998224725' };
    const { created: isNew, deposit } = await stage.create(request(account(), { payer }));
    expect(isNew).toBe(true);
    expect(deposit).toMatchObject({ status: 'PENDING', amount: 10_000, fee: 150, net: 9_850, payer, paidAt: null });
    expect(deposit.metadata).toEqual({ order: '42' });
    expect(deposit.expiresAt - deposit.createdAt).toBe(3_600);
    expect(parseBrCode(deposit.emv ?? '')).toMatchObject({ ok: true });
    expect(await stage.eventsOf(deposit.id)).toEqual([created]);
    const { accountId, id } = deposit;
    expect(await getDeposit(stage.dependencies, { environment: 'test', accountId, id })).toEqual({ deposit });
  });

  test('keeps every scalar of its metadata as it was given', async () => {
    const metadata = {
      text: 'Ação "1"',
      zero: 0,
      decimal: 19.9,
      small: 1e-7,
      large: 2 ** 53 - 1,
      yes: true,
      none: null,
    };
    const { deposit } = await stage.create(request(account(), { metadata }));
    const { accountId, id } = deposit;
    const { deposit: read } = await getDeposit(stage.dependencies, { environment: 'test', accountId, id });
    expect([deposit.metadata, read.metadata]).toEqual([metadata, metadata]);
  });

  test('not larger than its fee is refused naming amount_cents, and leaves the external_id free', async () => {
    const owner = account({ fees: { deposit: { fixedCents: 100, bps: 0 }, payout: { fixedCents: 0, bps: 0 } } });
    const small = request(owner, { amount: 100 });
    await expect(stage.create(small)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'amount_cents' }],
    });
    expect(await stage.create({ ...small, amount: 101 })).toMatchObject({ created: true, deposit: { net: 1 } });
  });

  test('has the fee of its currency where the account has one for it, and that of the account where not', async () => {
    const fees = (fixedCents: number) => ({ deposit: { fixedCents, bps: 0 }, payout: { fixedCents: 0, bps: 0 } });
    const owner = account({ fees: fees(100), currencies: { MXN: { fees: fees(800) } } });
    const mexican = { currency: 'MXN', paymentMethod: 'SPEI' } as const;
    const { deposit } = await stage.create(request(owner, { ...mexican, amount: 5_000 }));
    const brazilian = await stage.create(request(owner, { amount: 5_000 }));
    const without = await stage.create(request(account({ fees: fees(100) }), { ...mexican, amount: 5_000 }));
    expect([deposit.fee, brazilian.deposit.fee, without.deposit.fee]).toEqual([800, 100, 100]);
    await expect(stage.create(request(owner, { ...mexican, amount: 800 }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  test('in an environment without a provider is refused and leaves nothing', async () => {
    const live = request(account(), { environment: 'live' });
    await expect(stage.create(live)).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryAfterSec: 5 });
    expect(await rowsOf(live.externalId)).toEqual([]);
  });

  test('by a method its currency does not move by is refused', async () => {
    const odd = request(account(), { currency: 'MXN' });
    await expect(stage.create(odd)).rejects.toMatchObject({ code: 'CURRENCY_NOT_SUPPORTED' });
  });
});

describe('a repeated external_id', () => {
  test('answers the record as it is, whatever the repeated body says', async () => {
    const first = request(account());
    const { deposit } = await stage.create(first);
    const { deposit: paid } = await stage.pay(first.account.id, deposit.id);
    for (const repeat of [first, { ...first, amount: 77 }, { ...first, amount: 1 }]) {
      expect(await stage.create(repeat)).toEqual({ created: false, deposit: paid });
    }
  });

  test('is answered with its record while no provider is sent anything', async () => {
    const first = request(account());
    const { deposit } = await stage.create(first);
    const [route] = stage.dependencies.chargeRoutes.test;
    const createCharge = async () => ({ kind: 'not_sent', reason: 'circuit_open', cause: 'many failures' }) as const;
    const routes = [{ ...route!, provider: { ...route!.provider, createCharge } }];
    const dependencies = { ...stage.dependencies, chargeRoutes: { test: routes, live: [] } };
    expect(await stage.create(first, dependencies)).toEqual({ created: false, deposit });
    await expect(stage.create(request(account()), dependencies)).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    });
  });

  test('is free for another account and another environment', async () => {
    const first = request(account());
    await stage.create(first);
    expect(await stage.create({ ...first, account: account() })).toMatchObject({ created: true });
    await expect(stage.create({ ...first, environment: 'live' })).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    });
  });

  test('raced by ten first calls makes one record, one of them created', async () => {
    const first = request(account());
    const answers = await Promise.all(Array.from({ length: 10 }, () => stage.create(first)));
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.deposit.id)).size).toBe(1);
    expect(await stage.eventsOf(answers[0]!.deposit.id)).toEqual([created]);
  });
});

describe('a charge at a provider on the wire', () => {
  test('that takes its time makes a racing call wait for the record, with one charge', async () => {
    const provider = heldProvider();
    const dependencies = stage.onTheWire(provider);
    const first = request(account());
    const winner = stage.create(first, dependencies);
    await eventually(() => expect(provider.references).toHaveLength(1));
    const loser = stage.create(first, dependencies);
    provider.release();
    const [won, lost] = await Promise.all([winner, loser]);
    expect(won).toMatchObject({ created: true, deposit: { status: 'PENDING' } });
    expect(lost).toEqual({ created: false, deposit: won.deposit });
    expect(provider.references).toHaveLength(1);
  });

  test('is opened by one write where its provider is sent nothing, and by two where it is', async () => {
    const { deposits } = stage.dependencies;
    const written = { insert: vi.spyOn(deposits, 'insert'), open: vi.spyOn(deposits, 'open') };
    const writesOf = async (dependencies = stage.dependencies) => {
      vi.clearAllMocks();
      await stage.create(request(account()), dependencies);
      return [written.insert.mock.calls.length, written.open.mock.calls.length];
    };
    expect([await writesOf(), await writesOf(stage.onTheWire({}))]).toEqual([
      [1, 0],
      [1, 1],
    ]);
    vi.restoreAllMocks();
  });

  test('that cannot be opened leaves nothing, and the external_id is free', async () => {
    const first = request(account());
    await expect(stage.create(first, stage.onTheWire({ createCharge: unreachable }))).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    });
    expect(await rowsOf(first.externalId)).toEqual([]);
    expect(await stage.create(first)).toMatchObject({ created: true });
  });

  test('is not written into a record that another process has given to another provider', async () => {
    const { database, deposits, chargeRoutes, now } = stage.onTheWire({ createCharge: accepting });
    const claimed = draftDeposit(request(account()), chargeRoutes.test[0]!, now());
    expect(await deposits.insert(claimed)).toBe(true);
    expect(await deposits.reassign(claimed, 'another')).toBe(true);
    const opened = { ...claimed, state: 'PENDING', creationDueAt: null, emv: 'code' } as const;
    const event = createdEvent(toDeposit(opened), now());
    expect(await deposits.open(opened, event)).toBe(false);
    expect(await deposits.open({ ...opened, provider: 'another' }, event)).toBe(true);
    expect(await deposits.open({ ...opened, provider: 'another' }, event)).toBe(false);
    expect(await stage.eventsOf(claimed.id)).toEqual([created]);
    const [row] = await database.query('select state, provider, emv from deposit where id = $1', [claimed.id]);
    expect(row).toEqual({ state: 'PENDING', provider: 'another', emv: 'code' });
  });

  test('whose process died during the call is invisible, then finished under the same reference', async () => {
    const references: string[] = [];
    const dying = stage.onTheWire({
      createCharge: async (charge) => {
        references.push(charge.ref);
        throw new Error('the process ends here');
      },
    });
    const first = request(account());
    await expect(stage.create(first, dying)).rejects.toThrow('the process ends here');
    expect(await rowsOf(first.externalId)).toEqual([{ state: 'CREATING', reference: references[0] }]);
    const survivor = heldProvider();
    survivor.release();
    await finishCreations(stage.onTheWire(survivor));
    expect(survivor.references).toEqual([]);
    stage.passSeconds(16);
    await finishCreations(stage.onTheWire(survivor));
    expect(survivor.references).toEqual(references);
    const { created: isNew, deposit } = await stage.create(first);
    expect({ isNew, status: deposit.status }).toEqual({ isNew: false, status: 'PENDING' });
    expect(await stage.eventsOf(deposit.id)).toEqual([created]);
  });

  test('that a sweeper gave up answers nothing created, even when the provider accepts it late', async () => {
    const provider = heldProvider();
    const first = request(account());
    const slow = stage.create(first, stage.onTheWire(provider));
    await eventually(() => expect(provider.references).toHaveLength(1));
    stage.passSeconds(16);
    await finishCreations(stage.onTheWire({ createCharge: unreachable }));
    provider.release();
    await expect(slow).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
    expect(await rowsOf(first.externalId)).toEqual([]);
  });
});
