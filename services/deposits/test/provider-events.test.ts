import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, type Deposit, type StoredNotification } from '@gateway/contracts';
import type { NotificationGrade, PaymentProvider, ProviderEvent } from '@gateway/providers';
import { asked, verdictOf } from '@gateway/providers/testing';
import { getDeposit } from '#src/deposit/get-deposit.ts';
import { takeNotification } from '#src/notifications/take-notification.ts';
import { pollChanges } from '#src/polling/poll-changes.ts';
import { account, request, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const environment = 'test' as const;

/** A provider whose notifications are the events themselves, as far believed as the test says. */
function telling(grade: NotificationGrade, rest: Partial<PaymentProvider> = {}): Partial<PaymentProvider> {
  return {
    verifyAndParseNotification: async ({ rawBody }) => {
      const told = JSON.parse(Buffer.from(rawBody).toString()) as (ProviderEvent & { at: string })[];
      return verdictOf(
        grade,
        told.map((event) => ({ ...event, at: new Date(event.at) })),
      );
    },
    ...rest,
  };
}

function notificationOf(events: readonly ProviderEvent[], provider = 'wired'): { data: StoredNotification } {
  const rawBody = Buffer.from(JSON.stringify(events)).toString('base64');
  const facts = { receivedAt: 1, headers: {}, query: {}, pathSuffix: '', remoteIp: '192.0.2.1' };
  return { data: { id: newId('event'), provider, rawBody, ...facts } };
}

async function pending(provider: Partial<PaymentProvider>) {
  const dependencies = stage.onTheWire(provider);
  const { deposit } = await stage.create(request(account()), dependencies);
  return { dependencies, deposit, ref: deposit.id.slice(4) };
}

let payments = 0;
function paid(ref: string, amount = 10_000): Extract<ProviderEvent, { type: 'charge.paid' }> {
  const e2eId = `E12345678202603040507${String(++payments).padStart(12, '0')}`;
  const at = stage.dependencies.now();
  return { type: 'charge.paid', dedupeKey: e2eId, at, raw: null, ref, e2eId, money: { currency: 'BRL', amount } };
}

async function current({ accountId, id }: Deposit) {
  return (await getDeposit(stage.dependencies, { environment, accountId, id })).deposit;
}

async function orphansOf({ id }: Deposit): Promise<number> {
  const [row] = await stage.dependencies.database.query<{ orphans: number }>(
    'select count(*)::bigint as orphans from orphan_receipt where deposit_id = $1',
    [id],
  );
  return row!.orphans;
}

describe('a notification', () => {
  test('that is signed credits its payment, once however often it comes', async () => {
    const { dependencies, deposit, ref } = await pending(telling('ours'));
    const event = paid(ref);
    const message = notificationOf([event, event]);
    await Promise.all([takeNotification(dependencies, message), takeNotification(dependencies, message)]);
    expect(await current(deposit)).toMatchObject({ status: 'PAID', e2eId: event.e2eId });
    expect(stage.ledger.books.balanceOf(deposit.accountId).available).toBe(9_850);
    expect(await orphansOf(deposit)).toBe(0);
  });

  test('that is a hint moves money only as far as the provider confirms it', async () => {
    let isPaid = false;
    const confirmed = { money: { currency: 'BRL', amount: 10_000 }, paidAt: stage.dependencies.now() } as const;
    const { dependencies, deposit, ref } = await pending(
      telling('hint', {
        getCharge: async () =>
          isPaid ? { status: 'PAID', receipts: [asked({ e2eId: 'E-confirmed', ...confirmed })] } : { status: 'OPEN' },
      }),
    );
    const message = notificationOf([paid(ref, 999_999)]);
    await takeNotification(dependencies, message);
    expect(await current(deposit)).toMatchObject({ status: 'PENDING' });
    isPaid = true;
    await takeNotification(dependencies, message);
    expect(await current(deposit)).toMatchObject({ status: 'PAID', amount: 10_000, e2eId: 'E-confirmed' });
  });

  test('whose provider cannot be asked is to be told again', async () => {
    const { dependencies, ref } = await pending(
      telling('hint', { getCharge: async () => ({ status: 'UNAVAILABLE', cause: 'timeout' }) }),
    );
    await expect(takeNotification(dependencies, notificationOf([paid(ref)]))).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    });
  });

  test('with an event that cannot be taken yet takes the others', async () => {
    const { dependencies, deposit, ref } = await pending(telling('ours'));
    const early: ProviderEvent = { ...paid(ref), type: 'dispute.opened', disputeRef: 'd1', e2eId: 'E-unknown' };
    await expect(takeNotification(dependencies, notificationOf([early, paid(ref)]))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await current(deposit)).toMatchObject({ status: 'PAID' });
  });

  test('of a charge that is not ours, of another provider, or that is not authentic changes nothing', async () => {
    const { dependencies, deposit, ref } = await pending(telling('ours'));
    await takeNotification(dependencies, notificationOf([paid('somebodyelses')]));
    await takeNotification(dependencies, notificationOf([paid(ref)], 'unheard-of'));
    const forged = stage.onTheWire({ verifyAndParseNotification: async () => ({ ok: false, reason: 'signature' }) });
    await takeNotification(forged, notificationOf([paid(ref)]));
    expect(await current(deposit)).toMatchObject({ status: 'PENDING' });
  });
});

test('any order and repetition of provider events ends in the same balances', async () => {
  const order = fc.array(fc.nat({ max: 3 }), { minLength: 0, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(order, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), async (repeats, each) => {
      const { dependencies, deposit, ref } = await pending(telling('ours'));
      await stage.give(deposit.accountId, 1_000_000);
      const payment = paid(ref);
      const { e2eId, money } = payment;
      const later = (seconds: number) => new Date(payment.at.getTime() + seconds * 1_000);
      const dispute = { ...{ raw: null, disputeRef: `d-${ref}`, e2eId }, money: { ...money, amount: 4_000 } };
      const events: ProviderEvent[] = [
        payment,
        { ...dispute, type: 'dispute.opened', dedupeKey: 'opened', at: later(1) },
        { ...dispute, type: 'dispute.review', dedupeKey: 'review', at: later(2) },
        { ...dispute, type: 'dispute.lost', dedupeKey: 'lost', at: later(3) },
      ];
      // What cannot be taken yet is told again, as the bus does it.
      const told = [...repeats, ...each].map((index) => notificationOf([events[index]!]));
      for (let waiting = told; waiting.length > 0;) {
        const again: typeof waiting = [];
        for (const message of waiting) {
          await takeNotification(dependencies, message).catch(() => again.push(message));
        }
        waiting = again;
      }
      expect(stage.ledger.books.balanceOf(deposit.accountId)).toEqual({ available: 1_005_850, pending: 0, blocked: 0 });
      expect(await current(deposit)).toMatchObject({ status: 'PAID', refunded: 4_000, e2eId });
      expect(await orphansOf(deposit)).toBe(0);
    }),
    { numRuns: 25 },
  );
});

describe('the poller', () => {
  test('finds a payment whose notification never came, and does not look again before its time', async () => {
    let questions = 0;
    const changes: ProviderEvent[] = [];
    const { dependencies, deposit, ref } = await pending({
      id: 'polled',
      async *listChanges() {
        questions += 1;
        yield* changes;
      },
    });
    changes.push({ ...paid('somebodyelses'), type: 'dispute.opened', disputeRef: 'd9' }, paid(ref));
    await pollChanges(dependencies);
    await pollChanges(dependencies);
    expect(questions).toBe(1);
    expect(await current(deposit)).toMatchObject({ status: 'PAID' });
    stage.passSeconds(31);
    await pollChanges(dependencies);
    expect(questions).toBe(2);
    expect(stage.ledger.books.balanceOf(deposit.accountId).available).toBe(9_850);
  });

  test('goes on behind a change that cannot be taken, and tries that again', async () => {
    const changes: ProviderEvent[] = [];
    const { dependencies, deposit, ref } = await pending({
      id: 'stumbling',
      async *listChanges() {
        yield* changes;
      },
    });
    const other = await stage.create(request(account()), dependencies);
    const transfer = paid(other.deposit.id.slice(4));
    changes.push({ ...transfer, money: { currency: 'BRL', amount: 1e19 } }, paid(ref));
    await pollChanges(dependencies);
    expect(await current(deposit)).toMatchObject({ status: 'PAID' });
    changes[0] = transfer;
    stage.passSeconds(31);
    await pollChanges(dependencies);
    expect(await current(other.deposit)).toMatchObject({ status: 'PAID' });
  });

  test('reads again what it could not read to the end', async () => {
    const from: Date[] = [];
    const dependencies = stage.onTheWire({
      id: 'interrupted',

      async *listChanges(since) {
        from.push(since);
        throw new Error('the list is not available');
      },
    });
    for (let round = 0; round < 2; round++) {
      await pollChanges(dependencies);
      stage.passSeconds(61);
    }
    expect(from).toHaveLength(2);
    expect(from[0]).toEqual(from[1]);
  });
});

describe('a new charge', () => {
  const unreachable = async () => ({ kind: 'not_sent', reason: 'unreachable', cause: 'ECONNREFUSED' }) as const;

  test('goes to the next provider under the same reference when the first was not reached', async () => {
    const dependencies = stage.onTheWire(
      { id: 'first', createCharge: unreachable },
      { id: 'second', createCharge: unreachable },
      { id: 'third' },
    );
    const { deposit } = await stage.create(request(account()), dependencies);
    const [row] = await dependencies.database.query('select provider, reference from deposit where id = $1', [
      deposit.id,
    ]);
    expect(row).toEqual({ provider: 'third', reference: deposit.id.slice(4) });
  });

  test('is drawn by weight, and not from a provider whose calls fail while another is there', async () => {
    const dependencies = stage.onTheWire({ id: 'heavy' }, { id: 'light' }, { id: 'down' }, { id: 'reserve' });
    const weights = [3, 1, 5, 0];
    const routes = dependencies.chargeRoutes.test.map((route, index) => ({
      ...route,
      weight: () => weights[index]!,
      isHealthy: () => route.provider.id !== 'down',
    }));
    const drawn = { ...dependencies, chargeRoutes: { test: routes, live: [] } };
    const owner = account();
    const draw = (number: number) =>
      stage.create(request(owner, { externalId: `draw-${number}`, account: { ...owner, id: fixedAccount } }), drawn);
    // A few at a time: all at once, a slow machine has them wait for a connection until they are turned away.
    for (let turn = 0; turn < 10; turn++) {
      await Promise.all(Array.from({ length: 8 }, (_, index) => draw(turn * 8 + index)));
    }
    const rows = await drawn.database.query<{ provider: string; charges: number }>(
      'select provider, count(*)::bigint as charges from deposit where account_id = $1 group by provider',
      [fixedAccount],
    );
    const charges = Object.fromEntries(rows.map(({ provider, charges: count }) => [provider, count]));
    expect(Object.keys(charges).toSorted()).toEqual(['heavy', 'light']);
    expect(charges['heavy']).toBeGreaterThan(charges['light']!);
  });

  test('whose answer was lost is asked for again and found by its reference', async () => {
    const references: string[] = [];
    const dependencies = stage.onTheWire({
      createCharge: async (charge) => {
        references.push(charge.ref);
        if (references.length === 1) return { kind: 'unknown', cause: 'timeout' };
        return await stage.dependencies.chargeRoutes.test[0]!.provider.createCharge(charge);
      },
    });
    expect(await stage.create(request(account()), dependencies)).toMatchObject({ created: true });
    expect(references).toHaveLength(2);
    expect(new Set(references).size).toBe(1);
  });
});

/** The draw follows from account and external_id: with a fixed account it is the same on every run. */
const fixedAccount = 'acc_01k9z3m4v6t8x0a2c4e6g8jk01';
