import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providersFromConfig, simulatorConfigs } from '@gateway/providers';
import { chargeInput, newReference, payoutInput } from '@gateway/providers/testing';
import { eventually } from '@gateway/test-kit';
import { callFaults } from '#src/faults/fault.ts';
import { WireBench } from './wire-bench.ts';

let bench: WireBench;
beforeAll(async () => {
  bench = await WireBench.start();
  await bench.register('spei');
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const clabe = { type: 'clabe', value: '032180000118359719' } as const;

async function charged(amount = 50_000) {
  const input = chargeInput({ createdAt: bench.now(), money: { currency: 'MXN', amount } });
  // The same reference again is the same charge: an answer that came too late is asked for once more.
  const charge = await eventually(async () => {
    const outcome = await bench.provider('spei').createCharge(input);
    if (outcome.kind !== 'accepted' || outcome.charge.kind !== 'account') throw new Error('no account number');
    return outcome.charge;
  });
  return { input, charge };
}

const stateOf = ({ ref, ...rest }: ReturnType<typeof chargeInput>) =>
  bench.provider('spei').getCharge({ ref, charge: { ref, ...rest } });

describe('charges', () => {
  test('have an account number each, and nobody else the same', async () => {
    const clabes = await Promise.all(Array.from({ length: 10 }, async () => (await charged()).charge.account));
    expect(new Set(clabes).size).toBe(10);
    expect((await charged()).charge.beneficiary).toBe('PSP SIMULATOR SA DE CV');
  });

  test('show every transfer of theirs, whatever its amount, and tell it signed', async () => {
    const { input } = await charged(50_000);
    const first = await bench.pay(input, { amount_cents: 20_000 });
    const second = await bench.pay(input, { amount_cents: 45_000 });
    expect(await stateOf(input)).toMatchObject({
      status: 'PAID',
      receipts: [
        { e2eId: first.e2eId, money: { currency: 'MXN', amount: 20_000 } },
        { e2eId: second.e2eId, money: { currency: 'MXN', amount: 45_000 } },
      ],
    });
    for (const { e2eId, money } of [first, second]) {
      const received = await bench.eventWith('spei', { type: 'charge.paid', ref: input.ref, e2eId });
      const transferId = received.type === 'charge.paid' ? received.transferId : undefined;
      expect(received).toMatchObject({ money, dedupeKey: `spei:payment:${transferId}` });
      expect(transferId).toMatch(/^tr_in/);
    }
    expect(bench.received.every(({ ok, grade }) => ok && grade === 'ours')).toBe(true);
  });

  test('of a used reference with another amount are not answered as ours', async () => {
    const { input } = await charged();
    const other = { ...input, money: { currency: 'MXN', amount: 1 } } as const;
    expect(await bench.provider('spei').createCharge(other)).toMatchObject({ kind: 'unknown' });
  });

  test('are listed with their payments for whoever missed the notifications', async () => {
    const { input } = await charged();
    const { e2eId } = await bench.pay(input);
    expect(await bench.listed('spei')).toContainEqual(
      expect.objectContaining({ type: 'charge.paid', ref: input.ref, e2eId }),
    );
  });
});

describe('account numbers', () => {
  const posted = async (metadata: object, key = newReference()) => {
    const answer = await fetch(`${bench.url}/fintoc/v2/account_numbers`, {
      method: 'POST',
      headers: { authorization: 'sk_test_simulator', 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ account_id: 'acc_simulator', metadata }),
    });
    return { status: answer.status, body: await answer.json() };
  };

  test.each([
    { amount: '' },
    { amount: '0' },
    { amount: '-1' },
    { amount: '1e3' },
    { amount: '12.50' },
    { amount: 'ten' },
    { expires_at: 'tomorrow' },
  ])('with %j, which no payer could follow, are refused', async (metadata) => {
    const [member] = Object.keys(metadata);
    expect(await posted(metadata)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_parameter', message: `Invalid parameter: metadata.${member}` } },
    });
  });

  test('are answered again under the same key, and not to another request', async () => {
    const key = newReference();
    const first = await posted({ reference: key, kind: 'charge', amount: '500' }, key);
    expect(first).toMatchObject({ status: 201 });
    expect(await posted({ reference: key, kind: 'charge', amount: '500' }, key)).toEqual(first);
    expect(await posted({ reference: key, kind: 'charge', amount: '501' }, key)).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_key_reused' } },
    });
  });
});

describe('refunds', () => {
  test('go up to what arrived in the transfer that goes back, and not beyond', async () => {
    const { input } = await charged(50_000);
    const { e2eId: earlier } = await bench.pay(input, { amount_cents: 20_000 });
    const { e2eId: later } = await bench.pay(input, { amount_cents: 30_000 });
    const refund = (e2eId: string, amount: number) =>
      bench.provider('spei').refund({
        ref: newReference(),
        sentAt: bench.now(),
        receipt: { e2eId, chargeRef: input.ref },
        money: { currency: 'MXN', amount },
      });
    expect(await refund(later, 30_001)).toMatchObject({ kind: 'refused', code: 'amount_limit' });
    expect(await refund(later, 25_000)).toMatchObject({ kind: 'accepted' });
    expect(await refund(later, 5_001)).toMatchObject({ kind: 'refused', code: 'amount_limit' });
    expect(await refund(later, 5_000)).toMatchObject({ kind: 'accepted' });
    expect(await refund(earlier, 20_001)).toMatchObject({ kind: 'refused', code: 'amount_limit' });
    expect(await refund(earlier, 20_000)).toMatchObject({ kind: 'accepted' });
  });
});

describe('payouts', () => {
  test.each([7000_43, 7000_44])(
    'of %i centavos that the bank sends back come back whole, and stay paid',
    async (amount) => {
      const payout = payoutInput({ sentAt: bench.now(), destination: clabe, money: { currency: 'MXN', amount } });
      expect(await bench.provider('spei').createPayout(payout)).toMatchObject({ kind: 'accepted' });
      await bench.passTime(500);
      await bench.eventWith('spei', { type: 'payout.paid', ref: payout.ref });
      await bench.eventWith('spei', { type: 'payout.returned', ref: payout.ref, money: payout.money });
      const received = bench
        .eventsOf('spei')
        .filter((event) => event.type === 'payout.returned' && event.ref === payout.ref);
      const listed = await bench.listed('spei', 60_000, ['payouts']);
      const keysOf = (events: typeof received) => events.map(({ dedupeKey }) => dedupeKey).sort();
      expect(keysOf(listed.filter((event) => 'ref' in event && event.ref === payout.ref))).toEqual(keysOf(received));
      const lookup = { ref: payout.ref, payout };
      expect(await bench.provider('spei').getPayoutReturns?.(lookup)).toMatchObject({
        status: 'FOUND',
        returns: [{ money: payout.money }],
      });
      expect(await bench.provider('spei').getPayout(lookup)).toMatchObject({ status: 'PAID' });
    },
  );

  test('sent again under a reference that is a day old are searched before anything is sent', async () => {
    const payout = payoutInput({ sentAt: bench.now(), destination: clabe, money: { currency: 'MXN', amount: 998 } });
    expect(await bench.provider('spei').createPayout(payout)).toMatchObject({ kind: 'accepted' });
    await bench.passTime(25 * 3_600_000);
    const seen: string[] = [];
    const again = await bench.provider('spei').createPayout(payout, {
      beforeSending: async () => {
        seen.push('sent');
        return true;
      },
    });
    expect(again).toMatchObject({ kind: 'accepted', status: 'PAID' });
    expect(seen).toEqual([]);
    expect(await bench.transfersOf(payout.ref)).toBe(1);
  });

  test.each(callFaults)('struck by %s are sent once, whatever the caller does next', async (fault) => {
    await bench.control('POST', '/faults', { dialect: 'spei', operation: 'create-transfer', fault, times: 1 });
    const payout = payoutInput({ sentAt: bench.now(), destination: clabe, money: { currency: 'MXN', amount: 999 } });
    const first = await bench.provider('spei').createPayout(payout);
    expect(['accepted', 'unknown', 'not_sent']).toContain(first.kind);
    expect(await bench.provider('spei').createPayout(payout)).toMatchObject({ kind: 'accepted' });
    expect(await bench.transfersOf(payout.ref)).toBe(1);
    const sent = await bench.provider('spei').getPayout({ ref: payout.ref, payout });
    expect(['PROCESSING', 'PAID']).toContain(sent.status);
  });
});

test('a charge that is paid in full cannot be canceled, and takes nothing more', async () => {
  const { input, charge } = await charged(1_000);
  await bench.pay(input);
  const lookup = { ref: input.ref, providerRef: charge.providerRef, charge: input };
  const canceled = () => bench.provider('spei').cancelCharge(lookup);
  await eventually(async () => expect(await canceled()).toMatchObject({ kind: 'not_cancelable' }));
  const { input: open, charge: number } = await charged(1_000);
  const other = { ref: open.ref, providerRef: number.providerRef, charge: open };
  expect(await bench.provider('spei').cancelCharge(other)).toEqual({ kind: 'accepted' });
  expect(await stateOf(open)).toEqual({ status: 'CANCELED' });
});

test('a call that moves money and is not signed by the customer is not carried out', async () => {
  const [config] = (await simulatorConfigs(bench.url)).filter(({ kind }) => kind === 'fintoc');
  if (config?.kind !== 'fintoc') throw new Error('no account');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwsPrivateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await using providers = providersFromConfig([{ ...config, jwsPrivateKey }], { now: bench.now });
  const payout = payoutInput({ sentAt: bench.now(), destination: clabe, money: { currency: 'MXN', amount: 997 } });
  const outcome = await providers.find('spei')?.createPayout(payout);
  expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'unauthorized' });
  expect(await bench.transfersOf(payout.ref)).toBe(0);
});

describe('notifications', () => {
  const notification = (body: string, signature: string) => ({
    rawBody: Buffer.from(body),
    headers: { 'fintoc-signature': signature },
    query: {},
    pathSuffix: '',
    receivedAt: new Date(),
    remoteIp: '127.0.0.1',
  });

  test.each(['', 't=1', 'v1=', 't=1,v1=', `t=1,v1=${'0'.repeat(64)}`])(
    'signed %j are not believed',
    async (signature) => {
      const body = '{"id":"evt_1","type":"link.created","created_at":"2026-01-02T03:04:05Z","data":{}}';
      const result = await bench.provider('spei').verifyAndParseNotification(notification(body, signature));
      expect(result).toMatchObject({ ok: false });
    },
  );
});
