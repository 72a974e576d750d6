import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargeInput, newReference, payoutInput } from '@gateway/providers/testing';
import type { ReceivedRequest } from './http/scripted-server.ts';
import { ScriptedProviders } from './scripted-providers.ts';

const at = new Date('2026-01-02T10:44:37.000Z');
let now = at;
let scripted: ScriptedProviders;
beforeAll(async () => {
  scripted = await ScriptedProviders.start(() => now);
});
afterAll(async () => scripted[Symbol.asyncDispose]());

const money = { currency: 'MXN', amount: 50_000 } as const;
const number = (ref: string, metadata: object | null = { reference: ref, kind: 'charge', amount: '50000' }) => ({
  id: 'acno_1',
  number: '990180000000000011',
  status: 'enabled',
  created_at: at.toISOString(),
  metadata,
});
const payment = (id: string, amount: number, clabe: string) => ({
  ...{ id, direction: 'inbound', amount, currency: 'MXN', status: 'succeeded', tracking_key: 'CLAVE1' },
  ...{ transaction_date: at.toISOString(), account_number: { id: 'acno_1' }, metadata: null },
  counterparty: { account_number: clabe, holder_name: `PAYER OF ${id}`, holder_id: null },
});

describe('payments to which two banks have given the same tracking key', () => {
  const transfers = [payment('tr_ana', 20_000, '032180000118359719'), payment('tr_rui', 30_000, '002010077777777771')];
  const answering = (ref: string) => (request: ReceivedRequest) => {
    const { method, path } = request;
    if (path.startsWith('/v2/account_numbers')) return { body: number(ref) };
    if (method === 'GET') return { body: transfers };
    const { amount, counterparty, metadata } = JSON.parse(request.body) as Record<string, unknown>;
    const sent = { id: 'tr_out', direction: 'outbound', currency: 'MXN', status: 'pending', tracking_key: null };
    return { status: 201, body: { ...sent, amount, counterparty, metadata } };
  };

  test('are told apart by the id of the transfer', async () => {
    const charge = chargeInput({ createdAt: at, money });
    scripted.answering = answering(charge.ref);
    const state = await scripted.provider('spei').getCharge({ ref: charge.ref, providerRef: 'acno_1', charge });
    expect(state).toMatchObject({
      status: 'PAID',
      receipts: [
        { e2eId: 'CLAVE1', transferId: 'tr_ana', money: { amount: 20_000 } },
        { e2eId: 'CLAVE1', transferId: 'tr_rui', money: { amount: 30_000 } },
      ],
    });
  });

  const refund = async (transferId: string | undefined, amount: number) => {
    const ref = newReference();
    scripted.answering = answering(ref);
    scripted.takeRequests();
    const outcome = await scripted.provider('spei').refund({
      ...{ ref, sentAt: now, money: { currency: 'MXN', amount } },
      receipt: { e2eId: 'CLAVE1', ...(transferId ? { transferId } : {}), chargeRef: ref, chargeProviderRef: 'acno_1' },
    });
    const [sent] = scripted.takeRequests().filter(({ method }) => method === 'POST');
    return { outcome, sentTo: sent && (JSON.parse(sent.body) as { counterparty: object }).counterparty };
  };

  test.each([
    ['tr_ana', 20_000, '032180000118359719'],
    ['tr_rui', 5_000, '002010077777777771'],
  ])('go back to the payer of %s', async (id, amount, account) => {
    const { outcome, sentTo } = await refund(id, amount);
    expect(outcome).toMatchObject({ kind: 'accepted' });
    expect(sentTo).toMatchObject({ account_number: account, holder_name: `PAYER OF ${id}` });
  });

  test('never go back by more than the one that is named, nor where none is', async () => {
    const tooMuch = await refund('tr_ana', 20_001);
    expect(tooMuch).toMatchObject({ outcome: { kind: 'refused', code: 'amount_limit' }, sentTo: undefined });
    const unnamed = await refund(undefined, 1_000);
    expect(unnamed).toMatchObject({ outcome: { kind: 'refused' }, sentTo: undefined });
  });
});

describe('a transfer whose answer was lost', () => {
  const dayMs = 86_400_000;
  const listed = (index: number, metadata: object | null) => ({
    ...{ id: `tr_${index}`, direction: 'outbound', amount: 1, currency: 'MXN', status: 'pending', tracking_key: null },
    metadata,
  });

  test('is found in the hour of its sending, however many have followed since', async () => {
    const payout = payoutInput({ sentAt: at, destination: { type: 'clabe', value: '032180000118359719' }, money });
    const mine = { ...listed(0, { reference: payout.ref, kind: 'payout' }), amount: money.amount };
    scripted.answering = ({ path }) => {
      const query = new URL(path, 'http://fintoc').searchParams;
      if (query.get('until') === new Date(at.getTime() + 3_600_000).toISOString()) return { body: [mine] };
      // Everything since then: every page is full.
      return { body: Array.from({ length: 300 }, (_, index) => listed(index + 1, null)) };
    };
    now = new Date(at.getTime() + 3 * dayMs);
    scripted.takeRequests();
    const found = await scripted.provider('spei').getPayout({ ref: payout.ref, payout });
    expect(found).toMatchObject({ status: 'PROCESSING', providerRef: 'tr_0' });
    expect(scripted.takeRequests()).toHaveLength(1);
    now = at;
  });

  test('is found by our reference where that is all that is on record of it', async () => {
    const payout = payoutInput({ sentAt: at, destination: { type: 'clabe', value: '032180000118359719' }, money });
    const mine = { ...listed(0, { reference: payout.ref, kind: 'payout' }), amount: money.amount };
    scripted.answering = ({ path }) =>
      path.startsWith('/v2/transfers?') ? { body: [mine] } : { status: 404, body: {} };
    const lookup = { ref: payout.ref, providerRef: payout.ref, payout };
    expect(await scripted.provider('spei').getPayout(lookup)).toMatchObject({
      status: 'PROCESSING',
      providerRef: 'tr_0',
    });
  });

  test('is not found where no part of the time since then has it, also among transfers without metadata', async () => {
    const payout = payoutInput({ sentAt: at, destination: { type: 'clabe', value: '032180000118359719' }, money });
    scripted.answering = () => ({ body: [listed(1, null), listed(2, { reference: 'another', kind: 'payout' })] });
    now = new Date(at.getTime() + 3 * dayMs);
    scripted.takeRequests();
    expect(await scripted.provider('spei').getPayout({ ref: payout.ref, payout })).toEqual({ status: 'NOT_FOUND' });
    const parts = scripted.takeRequests().map(({ path }) => new URL(path, 'http://fintoc').searchParams);
    const [starts, ends] = ['since', 'until'].map((name) => parts.map((part) => Date.parse(part.get(name) ?? '')));
    expect(starts!.slice(1).every((start, index) => start < ends![index]!)).toBe(true);
    const { metadata: _none, ...withoutMetadata } = listed(3, null);
    for (const open of [withoutMetadata, { ...listed(4, null), amount: money.amount }]) {
      scripted.answering = () => ({ body: [open] });
      const state = await scripted.provider('spei').getPayout({ ref: payout.ref, payout });
      expect(state).toMatchObject({ status: 'UNAVAILABLE' });
    }
    now = at;
  });
});

test('an account number whose creation was not answered is searched back to its charge and no further', async () => {
  const charge = chargeInput({ createdAt: at, money });
  const older = (page: number, index: number) => ({
    ...number('another', null),
    id: `acno_${page}_${index}`,
    created_at: new Date(at.getTime() - (page * 300 + index) * 60_000).toISOString(),
  });
  scripted.answering = ({ path }) => {
    const after = new URL(path, 'http://fintoc').searchParams.get('starting_after');
    const page = after === null ? 0 : Number(after.split('_')[1]) + 1;
    return { body: Array.from({ length: 300 }, (_, index) => older(page, index)) };
  };
  scripted.takeRequests();
  expect(await scripted.provider('spei').getCharge({ ref: charge.ref, charge })).toEqual({ status: 'NOT_FOUND' });
  expect(scripted.takeRequests()).toHaveLength(1);
});

test("a charge names the holder of the account, and does without where Fintoc doesn't", async () => {
  const create = async (entity: unknown) => {
    const charge = chargeInput({ createdAt: at, money });
    scripted.answering = ({ path }) =>
      path.startsWith('/v2/accounts/')
        ? { body: { available_balance: 0, currency: 'MXN', entity } }
        : { status: 201, body: number(charge.ref) };
    const outcome = await scripted.provider('spei').createCharge(charge);
    return outcome.kind === 'accepted' && outcome.charge.kind === 'account' ? outcome.charge.beneficiary : outcome;
  };
  expect(await create({ holder_name: null })).toBeUndefined();
  now = new Date(at.getTime() + 2 * 3_600_000);
  expect(await create({ holder_name: 'LOJA SA DE CV' })).toBe('LOJA SA DE CV');
  now = at;
});

test.each([
  ['returned', true],
  ['failed', undefined],
])(
  'a refund that is %s has failed, and has come back where the payer’s bank sent it back',
  async (status, cameBack) => {
    const ref = newReference();
    scripted.answering = () => ({
      body: {
        ...{ id: 'tr_out', direction: 'outbound', amount: 500, currency: 'MXN', status, tracking_key: 'CLAVE2' },
        metadata: { reference: ref, kind: 'refund' },
      },
    });
    const refund = { ref, sentAt: now, money: { ...money, amount: 500 }, receipt: { e2eId: 'C', chargeRef: 'c' } };
    const lookup = { ref, providerRef: 'tr_out', refund };
    const state = await scripted.provider('spei').getRefund(lookup);
    expect(state).toMatchObject({ status: 'FAILED', providerRef: 'tr_out' });
    expect('cameBack' in state ? state.cameBack : undefined).toBe(cameBack);
  },
);
