import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listOperatorConversions } from '@gateway/contracts/conversions';
import {
  listOperatorDeposits,
  listOperatorDisputes,
  listOperatorRefunds,
  listOrphanReceipts,
} from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import { listOperatorPayouts } from '@gateway/contracts/payouts';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { operatorDepositOf, operatorPayoutOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

/** Newest first, as their owners answer. */
const behind = <Row extends { readonly id: string }>(rows: readonly Row[], cursor: string | undefined, limit: number) =>
  rows.filter(({ id }) => cursor === undefined || id < cursor).slice(0, limit);
/** Made in the order of their ids. */
const created = (['deposit', 'payout', 'payout', 'deposit', 'deposit'] as const).map((kind) => ({
  kind,
  id: newId(kind),
}));
const idsOfKind = (wanted: string) => created.flatMap(({ kind, id }) => (kind === wanted ? [id] : [])).reverse();
const deposits = idsOfKind('deposit').map((id) => ({ ...operatorDepositOf({}), id }));
const payouts = idsOfKind('payout').map((id) => ({ ...operatorPayoutOf({}), id }));
const asked: object[] = [];
let payoutsAnswer = true;
let gateway: GatewayUnderTest;
let accountId: string;

beforeAll(async () => {
  gateway = await startGateway([
    answering(listOperatorDeposits, async ({ cursor, limit, ...filter }) => {
      asked.push(filter);
      return { deposits: behind(deposits, cursor, limit), nextCursor: null };
    }),
    answering(listOperatorPayouts, async ({ cursor, limit }) => {
      if (!payoutsAnswer) throw new DomainError('SERVICE_UNAVAILABLE', 'the database is away');
      return { payouts: behind(payouts, cursor, limit), nextCursor: null };
    }),
    answering(listOperatorRefunds, async () => ({ refunds: [], nextCursor: null })),
    answering(listOperatorDisputes, async () => ({ disputes: [], nextCursor: null })),
    answering(listOrphanReceipts, async () => ({ receipts: [], nextCursor: null })),
    answering(listOperatorConversions, async () => ({ conversions: [], nextCursor: null })),
  ]);
  accountId = (await gateway.newAccount()).id;
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  payoutsAnswer = true;
});

const activity = async (query = '') => {
  const { status, body } = await gateway.asOperator('GET', `/ops/accounts/${accountId}/activity${query}`);
  return { status, body: body as typeof body & { readonly incomplete: readonly string[] } };
};
const idsOf = (data: unknown) => (data as { id: string }[]).map(({ id }) => id);

test('records of all kinds stand in the order of their creation, and every page goes on where the one before ended', async () => {
  const inOrder = created.map(({ id }) => id).reverse();
  const whole = await activity('?environment=live');
  expect([whole.status, idsOf(whole.body.data), whole.body.next_cursor, whole.body.incomplete]).toEqual([
    200,
    inOrder,
    null,
    [],
  ]);
  expect(whole.body.data[0]).toMatchObject({ kind: 'deposit', amount_cents: expect.any(Number) as number });
  expect(asked.at(-1)).toEqual({ accountId, environment: 'live' });
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await activity(`?limit=2${cursor}`);
    seen.push(...idsOf(body.data));
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  expect(seen).toEqual(inOrder);
});

test('a service that does not answer is named, and what the others have is shown', async () => {
  payoutsAnswer = false;
  const { body } = await activity();
  expect([idsOf(body.data), body.incomplete]).toEqual([deposits.map(({ id }) => id), ['payouts']]);
});

test('a file has every record, or is refused where a service does not answer', async () => {
  const file = await gateway.asOperator('GET', `/ops/accounts/${accountId}/activity?format=csv`);
  const [head = '', ...rows] = file.text.trim().split('\n');
  expect(head).toMatch(/^kind,id,/);
  expect(rows.map((row) => row.split(',')[1])).toEqual(created.map(({ id }) => id).reverse());
  payoutsAnswer = false;
  const refused = await gateway.asOperator('GET', `/ops/accounts/${accountId}/activity?format=csv`);
  expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
});

test('an account that is not there, and a cursor of another list, are refused', async () => {
  expect((await gateway.asOperator('GET', `/ops/accounts/${newId('account')}/activity`)).status).toBe(404);
  for (const cursor of ['nonsense', deposits[0]!.id, 'deposits:']) {
    const { status, body } = await activity(`?cursor=${cursor}`);
    expect([status, body.error.details[0]?.path]).toEqual([400, 'cursor']);
  }
});
