import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import { asked } from '@gateway/providers/testing';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { applyDisputeEvent } from '#src/dispute/apply-dispute-event.ts';
import { listDisputes } from '#src/dispute/read-disputes.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => stage[Symbol.asyncDispose]());

const environment = 'test' as const;
type Returns = Readonly<Record<string, number>>;

/** A report of a dispute, each a second after the one before. */
async function report(
  { e2eId }: Deposit,
  type: 'dispute.opened' | 'dispute.lost' | 'dispute.won',
  disputeRef: string,
  {
    amount,
    returns = {},
    times = 1,
  }: { readonly amount?: number; readonly returns?: Returns; readonly times?: number } = {},
) {
  stage.passSeconds(1);
  const at = stage.dependencies.now();
  const named = Object.entries(returns).map(([id, part]) => ({ id, amount: part }));
  const parts = Array.from({ length: times }, () => named).flat();
  const money = { currency: 'BRL', amount: amount ?? parts.reduce((sum, part) => sum + part.amount, 0) } as const;
  const last = parts.at(-1)?.id;
  const event = asked({
    ...({ type, dedupeKey: `${type}:${at.toISOString()}`, at, raw: null, disputeRef, e2eId: e2eId!, money } as const),
    ...(last === undefined ? {} : { returnId: last, returns: parts }),
  });
  await applyDisputeEvent(stage.dependencies, { environment, provider: 'sandbox' }, event, 5_000);
}

async function stateOf({ accountId, id }: Deposit) {
  const { deposit } = await getDeposit(stage.dependencies, { environment, accountId, id });
  const query = { environment, accountId, depositId: id, limit: 10 } as const;
  const { disputes } = await listDisputes(stage.dependencies, query);
  const { available, blocked } = stage.ledger.books.balanceOf(accountId);
  return { refunded: deposit.refunded, disputes: disputes.map(({ status }) => status).sort(), available, blocked };
}

/** 100.00, of which 98.50 are in the balance. */
const paid = async () => await stage.paid();

describe('a return under MED of a part', () => {
  test('is counted once when its claim is listed after it', async () => {
    const deposit = await paid();
    await report(deposit, 'dispute.lost', 'return-1', { returns: { 'return-1': 3_000 } });
    await report(deposit, 'dispute.lost', 'claim-1', { returns: { 'return-1': 3_000 } });
    await report(deposit, 'dispute.lost', 'return-1', { returns: { 'return-1': 3_000 } });
    const once = { refunded: 3_000, disputes: ['LOST'], available: 6_850, blocked: 0 };
    expect(await stateOf(deposit)).toEqual(once);
  });

  test('is counted once when its claim was listed before it, also under the reference of the return', async () => {
    const deposit = await paid();
    await report(deposit, 'dispute.opened', 'claim-2', { amount: 5_000 });
    await report(deposit, 'dispute.lost', 'return-2', { returns: { 'return-2': 3_000 } });
    await report(deposit, 'dispute.lost', 'claim-2', { returns: { 'return-2': 3_000 } });
    const once = { refunded: 3_000, disputes: ['LOST'], available: 6_850, blocked: 0 };
    expect(await stateOf(deposit)).toEqual(once);
  });

  test.each([
    ['of its own', 'return-4'],
    ['of its claim', 'claim-4'],
  ])('is counted once where a report under the reference %s names it twice', async (_, ref) => {
    const deposit = await paid();
    await report(deposit, 'dispute.lost', ref, { returns: { 'return-4': 3_000 }, times: 2 });
    const once = { refunded: 3_000, disputes: ['LOST'], available: 6_850, blocked: 0 };
    expect(await stateOf(deposit)).toEqual(once);
  });

  test('is counted for its own payment where a return of another one has the same id', async () => {
    const [first, second] = [await paid(), await paid()];
    const returned = { returns: { '1': 3_000 } };
    for (const deposit of [first, second, first, second]) await report(deposit, 'dispute.lost', '1', returned);
    const once = { refunded: 3_000, disputes: ['LOST'], available: 6_850, blocked: 0 };
    expect([await stateOf(first), await stateOf(second)]).toEqual([once, once]);
  });

  test('leaves its claim to be decided: won after all, what was taken is given back', async () => {
    const deposit = await paid();
    await report(deposit, 'dispute.lost', 'return-3', { returns: { 'return-3': 3_000 } });
    await report(deposit, 'dispute.lost', 'claim-3', { returns: { 'return-3': 3_000 } });
    await report(deposit, 'dispute.won', 'claim-3', { amount: 3_000 });
    const nothing = { refunded: 0, disputes: ['WON'], available: 9_850, blocked: 0 };
    expect(await stateOf(deposit)).toEqual(nothing);
  });
});

describe('a claim that was lost, won, and is lost again', () => {
  async function won(claim: string, first: string) {
    const deposit = await paid();
    await report(deposit, 'dispute.opened', claim, { amount: 8_000 });
    await report(deposit, 'dispute.lost', claim, { returns: { [first]: 3_000 } });
    await report(deposit, 'dispute.won', claim, { amount: 8_000 });
    expect(await stateOf(deposit)).toEqual({ refunded: 0, disputes: ['WON'], available: 9_850, blocked: 0 });
    return deposit;
  }
  const attentionOf = async ({ id }: Deposit) =>
    await stage.dependencies.database.query('select state, attention from dispute where deposit_id = $1', [id]);

  test('loses what has gone since then, and not what was given back', async () => {
    const deposit = await won('claim-20', 'return-20');
    const both = { 'return-20': 3_000, 'return-21': 2_000 };
    for (let time = 0; time < 2; time += 1) await report(deposit, 'dispute.lost', 'claim-20', { returns: both });
    const lost = { refunded: 2_000, disputes: ['LOST', 'WON'], available: 7_850, blocked: 0 };
    expect(await stateOf(deposit)).toEqual(lost);
    await report(deposit, 'dispute.won', 'claim-20', { amount: 2_000 });
    expect(await stateOf(deposit)).toMatchObject({ refunded: 0, available: 9_850, blocked: 0 });
    const three = { ...both, 'return-22': 1_000 };
    for (let time = 0; time < 2; time += 1) await report(deposit, 'dispute.lost', 'claim-20', { returns: three });
    expect(await stateOf(deposit)).toMatchObject({ refunded: 1_000, available: 8_850, blocked: 0 });
  });

  test('by no more than what was given back moves nothing and is for operators', async () => {
    const deposit = await won('claim-23', 'return-23');
    const again = { returns: { 'return-23': 3_000 } };
    for (let time = 0; time < 2; time += 1) await report(deposit, 'dispute.lost', 'claim-23', again);
    expect(await stateOf(deposit)).toEqual({ refunded: 0, disputes: ['WON'], available: 9_850, blocked: 0 });
    expect(await attentionOf(deposit)).toEqual([{ state: 'WON', attention: 'contradiction' }]);
  });
});

test('a claim is not lost by a return that another claim has counted', async () => {
  const deposit = await paid();
  await report(deposit, 'dispute.opened', 'claim-7', { amount: 4_000 });
  await report(deposit, 'dispute.lost', 'return-7', { returns: { 'return-7': 4_000 } });
  await report(deposit, 'dispute.opened', 'claim-8', { amount: 4_000 });
  await report(deposit, 'dispute.lost', 'claim-8', { returns: { 'return-7': 4_000 } });
  // One return of 40.00 was debited, and the other claim holds its 40.00 until it is decided.
  expect(await stateOf(deposit)).toMatchObject({ refunded: 4_000, available: 1_850, blocked: 4_000 });
});

test('a claim that was lost whole takes no more than its amount, however its return comes in parts', async () => {
  const deposit = await paid();
  await report(deposit, 'dispute.opened', 'claim-9', { amount: 5_000 });
  await report(deposit, 'dispute.lost', 'claim-9', { amount: 5_000 });
  await report(deposit, 'dispute.lost', 'claim-9', { returns: { 'return-9': 3_000 } });
  await report(deposit, 'dispute.lost', 'claim-9', { returns: { 'return-9': 3_000, 'return-10': 2_000 } });
  expect(await stateOf(deposit)).toEqual({ refunded: 5_000, disputes: ['LOST'], available: 4_850, blocked: 0 });
});

test('returns that were counted one by one are counted once each when their claim names all of them, and further ones too', async () => {
  const deposit = await paid();
  await report(deposit, 'dispute.lost', 'return-4', { returns: { 'return-4': 3_000 } });
  await report(deposit, 'dispute.lost', 'return-5', { returns: { 'return-5': 1_000 } });
  const both = { 'return-4': 3_000, 'return-5': 1_000 };
  await report(deposit, 'dispute.lost', 'claim-4', { returns: both });
  expect(await stateOf(deposit)).toMatchObject({ refunded: 4_000, available: 5_850 });
  const three = { ...both, 'return-6': 500 };
  await report(deposit, 'dispute.lost', 'claim-4', { returns: three });
  await report(deposit, 'dispute.lost', 'claim-4', { returns: three });
  expect(await stateOf(deposit)).toMatchObject({ refunded: 4_500, available: 5_350, blocked: 0 });
});
