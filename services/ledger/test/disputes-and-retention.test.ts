import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  DisputeHoldingChanged,
  getDisputeHolding,
  releasePendingDeposits,
  type LedgerCommand,
  type LedgerCommandKind,
  type LedgerCommandOf,
  ledgerCommand,
} from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { streams } from '@gateway/contracts/broker';
import { LedgerCommandClient, callRpc, type Bus } from '@gateway/messaging';
import { createTestBus, createTestDatabase, eventually, testNatsUrl } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { creditDeposit, debitPayout } from './support/commands.ts';
import { LedgerProcess } from './support/ledger-process.ts';

const stack = new AsyncDisposableStack();
let bus: Bus;
let ledgerClient: LedgerCommandClient;
let accountId: string;
let depositId: string;
const inAnHour = Math.floor(Date.now() / 1_000) + 3_600;

beforeAll(async () => {
  const db = stack.use(await createTestDatabase('ledger', { migrations }));
  bus = stack.use(await createTestBus());
  await stack.use(await LedgerProcess.start(db.url, testNatsUrl())).untilReady();
  ledgerClient = stack.use(new LedgerCommandClient(bus));
});
afterAll(async () => await stack.disposeAsync());
beforeEach(() => {
  accountId = newId('account');
  depositId = newId('deposit');
});

const ask = async (question: LedgerCommand) => await ledgerClient.request(ledgerCommand, question);

function command<K extends LedgerCommandKind>(
  kind: K,
  given: Omit<LedgerCommandOf<K>, 'kind' | 'id' | 'environment' | 'accountId' | 'currency'>,
): LedgerCommandOf<K> {
  const id = `${kind}:${newId('event')}`;
  return { kind, id, environment: 'test', accountId, currency: 'BRL', ...given } as unknown as LedgerCommandOf<K>;
}

const credit = async (amount: number) =>
  await ask(creditDeposit(accountId, { depositId: newId('deposit'), amount, fee: 0 }));

/** A deposit of 10,000 whose money is mostly paid out, then disputed: 2,000 are there. */
async function openDispute(captureUntil = inAnHour): Promise<string> {
  const disputeId = newId('dispute');
  await ask(creditDeposit(accountId, { depositId, fee: 0 }));
  await ask(debitPayout(accountId, { amount: 8_000, fee: 0 }));
  const result = await ask(command('block-dispute', { disputeId, depositId, amount: 10_000, captureUntil }));
  expect(result).toMatchObject({ amounts: { blocked: 2_000 }, balances: [{ available: 0, blocked: 2_000 }] });
  return disputeId;
}

const holding = async (disputeId: string) =>
  await callRpc(bus, getDisputeHolding, { environment: 'test', accountId, disputeId });

test('money that belongs to no deposit waits in suspense until it has gone back, once, and no merchant sees it', async () => {
  const refundId = newId('refund');
  const receipt = { refundId, provider: 'sandbox', amount: 700 };
  const answers = [];
  for (const amount of [700, 700]) {
    answers.push(await ask(command('hold-receipt', { ...receipt, amount, depositId })));
  }
  answers.push(await ask(command('return-receipt', { ...receipt, amount: 699 })));
  answers.push(await ask(command('return-receipt', receipt)));
  answers.push(await ask(command('return-receipt', receipt)));
  expect(answers.map(({ refusal }) => refusal)).toEqual([
    null,
    'invalid_state',
    'exceeds_reference',
    null,
    'invalid_state',
  ]);
  expect((await credit(100)).balances).toMatchObject([{ available: 100, pending: 0, blocked: 0 }]);
});

describe('a dispute larger than the balance', () => {
  test('takes what is missing from later credits, and no more', async () => {
    const disputeId = await openDispute();
    expect((await credit(5_000)).balances).toMatchObject([{ available: 0, blocked: 7_000 }]);
    expect((await credit(5_000)).balances).toMatchObject([{ available: 2_000, blocked: 10_000 }]);
    expect(await holding(disputeId)).toMatchObject({ state: 'open', blocked: 10_000, shortfall: 0, returned: 0 });
  });

  test('that is won after it was lost gives back all that went, and takes no more from later credits', async () => {
    const disputeId = await openDispute();
    await ask(command('return-dispute', { disputeId, provider: 'sandbox' }));
    await credit(3_000);
    expect(await holding(disputeId)).toMatchObject({ state: 'lost', returned: 5_000, shortfall: 5_000 });
    const overturned = await ask(command('overturn-dispute', { disputeId, provider: 'sandbox' }));
    expect(overturned).toMatchObject({ amounts: { released: 5_000 }, balances: [{ available: 5_000, blocked: 0 }] });
    expect((await credit(1_000)).balances).toMatchObject([{ available: 6_000, blocked: 0 }]);
    expect(await holding(disputeId)).toMatchObject({ state: 'won', returned: 0, shortfall: 0 });
    const again = await ask(command('overturn-dispute', { disputeId, provider: 'sandbox' }));
    expect(again).toMatchObject({ outcome: 'refused', refusal: 'invalid_state' });
  });

  test('counts a reversed payout as a credit', async () => {
    const payout = debitPayout(accountId, { amount: 8_000, fee: 0 });
    await ask(creditDeposit(accountId, { depositId, fee: 0 }));
    await ask(payout);
    await ask(
      command('block-dispute', { disputeId: newId('dispute'), depositId, amount: 10_000, captureUntil: inAnHour }),
    );
    const { payoutId, amount, fee } = payout;
    const reversed = await ask(command('reverse-payout', { payoutId, amount, fee }));
    expect(reversed.balances).toMatchObject([{ available: 0, blocked: 10_000 }]);
  });

  test('when won gives back everything and captures nothing more', async () => {
    const disputeId = await openDispute();
    await credit(1_000);
    const won = await ask(command('release-dispute', { disputeId }));
    expect(won).toMatchObject({ amounts: { released: 3_000 }, balances: [{ available: 3_000, blocked: 0 }] });
    expect((await credit(500)).balances).toMatchObject([{ available: 3_500, blocked: 0 }]);
  });

  test('when lost sends back what is blocked, and the shortfall from later credits', async () => {
    const disputeId = await openDispute();
    const lost = await ask(command('return-dispute', { disputeId, provider: 'sandbox' }));
    expect(lost).toMatchObject({ amounts: { returned: 2_000, shortfall: 8_000 }, balances: [{ blocked: 0 }] });
    expect((await credit(9_000)).balances).toMatchObject([{ available: 1_000, blocked: 0 }]);
    expect(await holding(disputeId)).toMatchObject({ state: 'lost', blocked: 0, shortfall: 0, returned: 10_000 });
  });

  test('captures until its shortfall lapses, which is a decision of its own and not one of a credit', async () => {
    const disputeId = await openDispute(1);
    expect((await credit(5_000)).balances).toMatchObject([{ available: 0, blocked: 7_000 }]);
    expect(await ask(command('lapse-dispute', { disputeId }))).toMatchObject({ amounts: { lapsed: 3_000 } });
    expect((await credit(5_000)).balances).toMatchObject([{ available: 5_000, blocked: 7_000 }]);
    expect(await holding(disputeId)).toMatchObject({ blocked: 7_000, shortfall: 0 });
    expect(await ask(command('lapse-dispute', { disputeId }))).toMatchObject({ refusal: 'invalid_state' });
  });

  test('does not lapse before its time', async () => {
    const disputeId = await openDispute();
    expect(await ask(command('lapse-dispute', { disputeId }))).toMatchObject({ refusal: 'invalid_state' });
    expect((await credit(5_000)).balances).toMatchObject([{ available: 0, blocked: 7_000 }]);
  });

  test('leaves nothing of the deposit to be refunded as well', async () => {
    await openDispute();
    await credit(50_000);
    const refund = { depositId, provider: 'sandbox', amount: 1, depositAmount: 10_000 };
    const refused = await ask(command('refund-deposit', { ...refund, refundId: newId('refund') }));
    expect(refused).toMatchObject({ outcome: 'refused', refusal: 'exceeds_reference' });
  });
});

test('what a dispute holds is answered to its own account alone', async () => {
  const disputeId = await openDispute();
  expect(await holding(disputeId)).toMatchObject({ blocked: 2_000 });
  const foreign = { environment: 'test', accountId: newId('account'), disputeId } as const;
  await expect(callRpc(bus, getDisputeHolding, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('a refund under way while its deposit is disputed', () => {
  test('that fails does not cap the dispute: the rest is held for it too, once', async () => {
    const disputeId = newId('dispute');
    const refund = { depositId, refundId: newId('refund'), provider: 'sandbox', amount: 6_000 };
    await ask(creditDeposit(accountId, { depositId, fee: 0 }));
    await ask(command('refund-deposit', { ...refund, depositAmount: 10_000 }));
    await ask(command('block-dispute', { disputeId, depositId, amount: 10_000, captureUntil: inAnHour }));
    expect(await holding(disputeId)).toMatchObject({ blocked: 4_000, shortfall: 0 });
    await ask(command('reverse-refund', refund));
    for (const extended of [6_000, 0]) {
      expect(await ask(command('extend-dispute', { disputeId, amount: 10_000 }))).toMatchObject({
        outcome: 'applied',
        amounts: { extended },
      });
      expect(await holding(disputeId)).toMatchObject({ blocked: 10_000, shortfall: 0 });
    }
    const back = { depositId, refundId: newId('refund'), provider: 'sandbox', amount: 1, depositAmount: 10_000 };
    expect(await ask(command('refund-deposit', back))).toMatchObject({ refusal: 'exceeds_reference' });
    await ask(command('return-dispute', { disputeId, provider: 'sandbox' }));
    expect(await holding(disputeId)).toMatchObject({ state: 'lost', returned: 10_000, shortfall: 0 });
  });
});

describe('a dispute that is lost', () => {
  test('has what a failed refund sets free sent back as well, and what is missing taken from later credits', async () => {
    const disputeId = newId('dispute');
    const refund = { depositId, refundId: newId('refund'), provider: 'sandbox', amount: 6_000 };
    await ask(creditDeposit(accountId, { depositId, fee: 0 }));
    await ask(command('refund-deposit', { ...refund, depositAmount: 10_000 }));
    await ask(command('block-dispute', { disputeId, depositId, amount: 10_000, captureUntil: inAnHour }));
    await ask(command('return-dispute', { disputeId, provider: 'sandbox' }));
    await ask(command('reverse-refund', refund));
    await ask(debitPayout(accountId, { amount: 5_000, fee: 0 }));
    await ask(command('extend-dispute', { disputeId, amount: 10_000 }));
    expect(await holding(disputeId)).toMatchObject({ state: 'lost', returned: 5_000, shortfall: 5_000 });
    await credit(5_000);
    expect(await holding(disputeId)).toMatchObject({ returned: 10_000, shortfall: 0 });
  });
});

test('a dispute over a deposit that was refunded in part blocks at most what is left of it', async () => {
  await ask(creditDeposit(accountId, { depositId, fee: 0 }));
  await credit(50_000);
  const refund = { depositId, refundId: newId('refund'), provider: 'sandbox', amount: 6_000, depositAmount: 10_000 };
  await ask(command('refund-deposit', refund));
  const block = { disputeId: newId('dispute'), depositId, amount: 10_000, captureUntil: inAnHour };
  expect(await ask(command('block-dispute', block))).toMatchObject({ amounts: { blocked: 4_000 } });
});

describe('a dispute that is lost in part', () => {
  test('lets that part go and releases the rest in one decision; the deposit can be refunded by the rest', async () => {
    const disputeId = newId('dispute');
    await ask(creditDeposit(accountId, { depositId, fee: 0 }));
    await ask(command('block-dispute', { disputeId, depositId, amount: 6_000, captureUntil: inAnHour }));
    const lost = command('return-dispute', { disputeId, provider: 'sandbox', amount: 2_500 });
    const result = await ask(lost);
    expect(result.amounts).toEqual({ returned: 2_500, shortfall: 0, released: 3_500 });
    expect(result.balances).toEqual([{ currency: 'BRL', available: 7_500, pending: 0, blocked: 0 }]);
    expect(await ask(lost)).toEqual({ ...result, replayed: true });
    expect(await ask({ ...lost, amount: 2_501 })).toMatchObject({ outcome: 'conflict', field: 'amount' });
    const refund = { depositId, provider: 'sandbox', depositAmount: 10_000 };
    const tooMuch = await ask(command('refund-deposit', { ...refund, refundId: newId('refund'), amount: 7_501 }));
    expect(tooMuch).toMatchObject({ refusal: 'exceeds_reference' });
    const rest = await ask(command('refund-deposit', { ...refund, refundId: newId('refund'), amount: 7_500 }));
    expect(rest.balances).toMatchObject([{ available: 0 }]);
  });

  test('beyond the balance leaves only that part due', async () => {
    const disputeId = await openDispute();
    const lost = await ask(command('return-dispute', { disputeId, provider: 'sandbox', amount: 2_500 }));
    expect(lost.amounts).toEqual({ returned: 2_000, shortfall: 500, released: 0 });
    expect((await credit(9_000)).balances).toMatchObject([{ available: 8_500, blocked: 0 }]);
    expect(await holding(disputeId)).toMatchObject({ state: 'lost', shortfall: 0, returned: 2_500 });
  });
});

test('twenty refunds racing for one deposit never give back more than was paid', async () => {
  await credit(100_000);
  await ask(creditDeposit(accountId, { depositId }));
  const results = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const refund = { depositId, refundId: newId('refund'), provider: 'sandbox', depositAmount: 10_000 };
      return await ask(command('refund-deposit', { ...refund, amount: 700 + index }));
    }),
  );
  const given = results.flatMap((result, index) => (result.outcome === 'applied' ? [700 + index] : []));
  expect(given.reduce((sum, amount) => sum + amount, 0)).toBeLessThanOrEqual(10_000);
  expect(given.length).toBeGreaterThanOrEqual(13);
  expect(results.filter(({ refusal }) => refusal === 'exceeds_reference')).toHaveLength(20 - given.length);
});

describe('retention', () => {
  test('keeps the net amount pending, and releases it by itself when it is due', async () => {
    const credited = await ask(creditDeposit(accountId, { depositId, releaseAt: 1 }));
    expect(credited.balances).toMatchObject([{ available: 0, pending: 9_900 }]);
    await eventually(async () => {
      const { balances } = await ask(debitPayout(newId('account'))).then(() => ask(creditDeposit(accountId)));
      expect(balances).toMatchObject([{ pending: 0 }]);
    });
  });

  test('in test mode ends at once on demand, for everything pending', async () => {
    for (let count = 0; count < 3; count++) await ask(creditDeposit(accountId, { releaseAt: inAnHour }));
    const reply = await callRpc(bus, releasePendingDeposits, { environment: 'test', accountId });
    expect(reply.balances).toEqual([{ currency: 'BRL', available: 29_700, pending: 0, blocked: 0 }]);
    const again = await callRpc(bus, releasePendingDeposits, { environment: 'test', accountId });
    expect(again).toEqual(reply);
  });

  test('that one account ends on demand stays for the others', async () => {
    const other = newId('account');
    await ask(creditDeposit(other, { releaseAt: inAnHour }));
    await ask(creditDeposit(accountId, { releaseAt: inAnHour }));
    const reply = await callRpc(bus, releasePendingDeposits, { environment: 'test', accountId });
    expect(reply.balances).toMatchObject([{ available: 9_900, pending: 0 }]);
    expect(await ask(creditDeposit(other, { amount: 1, fee: 0 }))).toMatchObject({ balances: [{ pending: 9_900 }] });
  });

  test('holds back a refund until the money is available', async () => {
    await ask(creditDeposit(accountId, { depositId, releaseAt: inAnHour }));
    const refund = { depositId, refundId: newId('refund'), provider: 'sandbox', amount: 100, depositAmount: 10_000 };
    expect(await ask(command('refund-deposit', refund))).toMatchObject({ refusal: 'insufficient_funds' });
  });
});

test('a credit that is captured for a dispute tells what the dispute holds now, committed with the money', async () => {
  const consumer = await bus.jetstream.consumers.get(streams.ledgerEvents.name);
  const messages = await consumer.consume();
  const disputeId = await openDispute();
  await ask(creditDeposit(newId('account')));
  await credit(5_000);
  await credit(6_000);
  await ask(debitPayout(accountId, { amount: 500, fee: 0 }));
  const events: unknown[] = [];
  for await (const message of messages) {
    const event = DisputeHoldingChanged.payload.parse(message.json());
    if (event.accountId !== accountId) continue;
    expect(message.headers?.get('Nats-Msg-Id')).toContain(event.id);
    events.push(event);
    if (events.length === 2) break;
  }
  const same = { accountId, disputeId, environment: 'test', state: 'open', returned: 0 };
  expect(events).toMatchObject([
    { ...same, blocked: 7_000, shortfall: 3_000 },
    { ...same, blocked: 10_000, shortfall: 0 },
  ]);
});
