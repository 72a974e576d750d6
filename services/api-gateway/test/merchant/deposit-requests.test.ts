import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeposit, getDeposit, listDeposits, simulatePayment, type Deposit } from '@gateway/contracts/deposits';
import { DomainError, NotFoundError, ValidationError } from '@gateway/contracts/errors';
import { checkTargetUrl } from '@gateway/contracts/webhooks';
import { answering } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { depositOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const made: Deposit[] = [];
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

/** What the questions of the last request could wait for their answers. */
const waited: number[] = [];
/** More than what is lost by rounding to a millisecond. */
const clockStepMs = 5;

const amountsPaid: (number | null)[] = [];
beforeAll(async () => {
  gateway = await startGateway([
    answering(createDeposit, async (request, { timeoutMs }) => {
      waited.push(timeoutMs);
      if (request.externalId === 'no-provider') throw new DomainError('PROVIDER_UNAVAILABLE', 'no provider');
      const known = made.find((deposit) => deposit.externalId === request.externalId);
      if (known) return { created: false, deposit: known };
      const deposit = depositOf(request);
      made.push(deposit);
      return { created: true, deposit };
    }),
    answering(listDeposits, async ({ externalId, accountId }) => ({
      deposits: made.filter((each) => each.externalId === externalId && each.accountId === accountId),
      nextCursor: null,
    })),
    answering(checkTargetUrl, async ({ url, member }, { timeoutMs }) => {
      waited.push(timeoutMs);
      if (url.includes('away')) throw new DomainError('SERVICE_UNAVAILABLE', 'webhooks does not answer');
      const answerAt = performance.now() + clockStepMs;
      await eventually(() => expect(performance.now()).toBeGreaterThan(answerAt));
      if (url.startsWith('https:')) return {};
      throw new ValidationError([{ path: member, message: 'must be https' }]);
    }),
    answering(getDeposit, async ({ id, environment, accountId }) => {
      const deposit = made.find((each) => each.id === id);
      if (deposit?.environment !== environment || deposit.accountId !== accountId) throw new NotFoundError('deposit');
      return { deposit };
    }),
    answering(simulatePayment, async ({ id, amount }) => {
      amountsPaid.push(amount ?? null);
      const deposit = made.find((each) => each.id === id);
      if (!deposit) throw new NotFoundError('deposit');
      return { deposit: { ...deposit, status: 'PAID' as const, paidAt: '2026-01-02T03:04:05.678Z', e2eId: 'E1' } };
    }),
  ]);
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

let count = 0;
const valid = () => ({ amount_cents: 1_990, external_id: `order-${++count}` });
const post = (body: unknown) => gateway.asMerchant(account.test, 'POST', '/v1/deposits', { body });
const text = (length: number) => 'x'.repeat(length);
const entries = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, 'v']));

test('the check of its callback_url is taken from the time a deposit has', async () => {
  waited.length = 0;
  const answer = await post({ ...valid(), callback_url: 'https://shop.example/paid' });
  expect(answer.status).toBe(201);
  const [check = 0, creation = 0] = waited;
  expect(waited).toHaveLength(2);
  expect(check - creation).toBeGreaterThanOrEqual(clockStepMs - 1);
});

describe('a deposit request', () => {
  test.each<[string, object]>([
    ['the smallest amount', { amount_cents: 1 }],
    ['the largest amount', { amount_cents: 100_000_000_000 }],
    ['an external_id of 120 characters', { external_id: text(120) }],
    ['the shortest life', { expires_in_sec: 60 }],
    ['the longest life', { expires_in_sec: 2_592_000 }],
    ['the shortest name', { payer: { name: 'Ana' } }],
    ['the longest name', { payer: { name: text(64) } }],
    ['a document with punctuation', { payer: { document: '529.982.247-25' } }],
    ['an alphanumeric CNPJ', { payer: { document: '12.ABC.345/01DE-35' } }],
    ['an e-mail of 255 characters', { payer: { email: `ana@${text(251)}` } }],
    ['an e-mail with letters of any language', { payer: { email: 'joão+loja@açaí.example' } }],
    ['no e-mail', { payer: { email: null } }],
    ['a phone of 20 characters', { payer: { phone: text(20) } }],
    ['20 metadata keys', { metadata: entries(20) }],
    ['a metadata key of 40 and a value of 500 characters', { metadata: { [text(40)]: text(500) } }],
    ['a callback of 2048 characters', { callback_url: `https://shop.example/${text(2_027)}` }],
    ['null in every optional member', { payer: null, expires_in_sec: null, callback_url: null, metadata: null }],
  ])('with %s is created', async (_case, members) => {
    expect((await post({ ...valid(), ...members })).status).toBe(201);
  });

  test('has its metadata returned as given, whatever scalar a value is', async () => {
    const metadata = {
      ...{ text: 'a "quoted" Ação', empty: '', digits: '0042', zero: 0, whole: -7, large: 9_007_199_254_740_991 },
      ...{ decimal: 19.9, small: 1e-7, yes: true, no: false, nothing: null },
    };
    const created = await post({ ...valid(), metadata });
    expect([created.status, (created.body as unknown as { metadata: unknown }).metadata]).toEqual([201, metadata]);
    const read = await gateway.asMerchant(account.test, 'GET', `/v1/deposits/${created.body.id}`);
    expect((read.body as unknown as { metadata: unknown }).metadata).toEqual(metadata);
    const versioned = { amount: 1_990, external_id: valid().external_id, metadata };
    expect(((await post(versioned)).body as unknown as { metadata: unknown }).metadata).toEqual(metadata);
  });

  test('whose metadata is of the wrong kind is answered with what it may be', async () => {
    const messageFor = async (note: unknown) =>
      (await post({ ...valid(), metadata: { note } })).body.error.details[0]?.message;
    expect(await messageFor([])).toBe('must be text, a number, true, false or null');
    expect(await messageFor(text(501))).toBe('must be at most 500 characters long');
    expect(await messageFor('a\0')).toBe('must be well-formed text without NUL');
    expect(await messageFor(2 ** 53)).toContain('send another number as text');
  });

  test.each<[string, object, string]>([
    ['no amount', { amount_cents: undefined }, 'amount_cents'],
    ['a member it does not know', { unknown: { deep: [1] } }, 'unknown'],
    ['an amount of zero', { amount_cents: 0 }, 'amount_cents'],
    ['a negative amount', { amount_cents: -1 }, 'amount_cents'],
    ['half a cent', { amount_cents: 0.5 }, 'amount_cents'],
    ['an amount in text', { amount_cents: '1990' }, 'amount_cents'],
    ['an amount above the maximum', { amount_cents: 100_000_000_001 }, 'amount_cents'],
    ['no external_id', { external_id: undefined }, 'external_id'],
    ['an empty external_id', { external_id: '' }, 'external_id'],
    ['an external_id of 121 characters', { external_id: text(121) }, 'external_id'],
    ['a number as external_id', { external_id: 7 }, 'external_id'],
    ['NUL in external_id', { external_id: 'a\0b' }, 'external_id'],
    ['half a surrogate pair in external_id', { external_id: 'a\ud800' }, 'external_id'],
    ['a life of 59 seconds', { expires_in_sec: 59 }, 'expires_in_sec'],
    ['a life of more than 30 days', { expires_in_sec: 2_592_001 }, 'expires_in_sec'],
    ['a name of two characters', { payer: { name: 'Jo' } }, 'payer.name'],
    ['a name of blanks', { payer: { name: '     ' } }, 'payer.name'],
    ['a name of 65 characters', { payer: { name: text(65) } }, 'payer.name'],
    ['wrong check digits', { payer: { document: '52998224726' } }, 'payer.document'],
    ['one digit repeated', { payer: { document: '11111111111' } }, 'payer.document'],
    ['an e-mail without an @', { payer: { email: 'ana.loja.example' } }, 'payer.email'],
    ['an e-mail with a blank', { payer: { email: 'ana lima@loja.example' } }, 'payer.email'],
    ['an empty e-mail', { payer: { email: '' } }, 'payer.email'],
    ['an e-mail of 256 characters', { payer: { email: `ana@${text(252)}` } }, 'payer.email'],
    ['a number as e-mail', { payer: { email: 7 } }, 'payer.email'],
    ['NUL in an e-mail', { payer: { email: 'a\0@loja.example' } }, 'payer.email'],
    ['a phone of 21 characters', { payer: { phone: text(21) } }, 'payer.phone'],
    ['a list as payer', { payer: [] }, 'payer'],
    ['21 metadata keys', { metadata: entries(21) }, 'metadata'],
    ['a metadata key of 41 characters', { metadata: { [text(41)]: 'v' } }, `metadata.${text(41)}`],
    ['a metadata value of 501 characters', { metadata: { note: text(501) } }, 'metadata.note'],
    ['an object in metadata', { metadata: { note: { deep: 1 } } }, 'metadata.note'],
    ['a list in metadata', { metadata: { note: [1] } }, 'metadata.note'],
    ['a number that no double holds in metadata', { metadata: { note: 9_007_199_254_740_993 } }, 'metadata.note'],
    ['a number of 17 digits in metadata', { metadata: { note: 0.123_456_789_012_345_67 } }, 'metadata.note'],
    ['NUL in metadata', { metadata: { note: '\0' } }, 'metadata.note'],
    ['an empty callback', { callback_url: '' }, 'callback_url'],
    ['a callback of 2049 characters', { callback_url: `https://shop.example/${text(2_028)}` }, 'callback_url'],
    ['NUL in the callback', { callback_url: 'https://shop.example/\0' }, 'callback_url'],
    ['a callback that may not be called', { callback_url: 'http://shop.example' }, 'callback_url'],
  ])('with %s is refused by name', async (_case, members, path) => {
    const { status, body } = await post({ ...valid(), ...members });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details.map(({ path: named }) => named)).toEqual([path]);
    expect(body.error.message).toBe(`${path} ${body.error.details[0]?.message ?? ''}`);
    expect(body.error.message).not.toMatch(/Invalid|undefined|expected/);
  });

  test('with several faults names every field', async () => {
    const { body } = await post({ amount_cents: -1, payer: { name: 'J', document: '1' }, metadata: [] });
    const paths = body.error.details.map(({ path: named }) => named);
    expect(paths).toEqual(['amount_cents', 'external_id', 'payer.name', 'payer.document', 'metadata']);
  });

  test.each(['[]', 'null', '"text"', '7'])('that is %s is refused', async (body) => {
    expect((await post(body)).status).toBe(400);
  });

  test('reaches the deposits service with its defaults, the document without punctuation', async () => {
    const body = { ...valid(), payer: { name: 'Ana Lima', email: 'ana@loja.example', document: '529.982.247-25' } };
    const answer = await post(body);
    expect(answer.body).toMatchObject({
      object: 'deposit',
      status: 'PENDING',
      amount_cents: 1_990,
      payer: { name: 'Ana Lima', email: 'ana@loja.example', phone: null, document: '52998224725' },
      metadata: {},
      environment: 'test',
    });
    expect(answer.body.expires_at - answer.body.created_at).toBe(86_400);
    expect(answer.body).not.toHaveProperty('deposit');
  });

  test('repeated with another body answers 200 with the record as it is', async () => {
    const first = await post(valid());
    const again = await post({ amount_cents: 5, external_id: first.body.external_id });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
  });

  test.each<[string, object]>([
    ['a callback that may not be called any more', { callback_url: 'http://shop.example' }],
    ['a callback that cannot be checked now', { callback_url: 'https://away.example' }],
    ['a currency that does not exist', { amount_cents: undefined, amount: 1_990, currency: 'XYZ' }],
  ])(
    'repeated with %s answers 200 with the record as it is, and is refused where there is none',
    async (_case, members) => {
      const first = await post(valid());
      const again = await post({ ...valid(), ...members, external_id: first.body.external_id });
      expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id]);
      const unknown = await post({ ...valid(), ...members });
      expect(unknown.status).toBeGreaterThanOrEqual(400);
      const foreign = await gateway.newAccount();
      const body = { ...valid(), ...members, external_id: first.body.external_id };
      expect((await gateway.asMerchant(foreign.test, 'POST', '/v1/deposits', { body })).status).toBe(unknown.status);
    },
  );

  test('that no provider takes is 503 with Retry-After', async () => {
    const answer = await post({ amount_cents: 1, external_id: 'no-provider' });
    expect([answer.status, answer.body.error.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

describe('a deposit', () => {
  const read = (id: string, key = account.test) => gateway.asMerchant(key, 'GET', `/v1/deposits/${id}`);

  test('is read by its account in its environment, and does not exist for anybody else', async () => {
    const { body: deposit } = await post(valid());
    const other = await gateway.newAccount();
    expect((await read(deposit.id)).body).toEqual(deposit);
    const answers = [await read(deposit.id, account.live), await read(deposit.id, other.test)];
    const unknown = await read('dep_01k9zzzzzzzzzzzzzzzzzzzzzz');
    for (const { status, body } of [...answers, unknown, await read('nonsense'), await read('dep_%00')]) {
      expect(status).toBe(404);
      expect({ ...body.error, request_id: '' }).toEqual({ ...unknown.body.error, request_id: '' });
    }
  });

  test('in test mode is paid with or without a body, and by another amount where somebody says so', async () => {
    const { body: deposit } = await post(valid());
    const pay = (body?: unknown) =>
      gateway.asMerchant(account.test, 'POST', `/v1/test/deposits/${deposit.id}/pay`, { body });
    expect((await pay()).body).toMatchObject({ status: 'PAID', paid_at: '2026-01-02T03:04:05.678Z', e2e_id: 'E1' });
    expect((await pay({})).status).toBe(200);
    expect(amountsPaid).toEqual([null, null]);
    expect((await pay({ amount_cents: 5 })).status).toBe(200);
    expect((await pay({ amount: 6 })).status).toBe(200);
    expect(amountsPaid).toEqual([null, null, 5, 6]);
    expect((await pay({ amount_cents: 0 })).body.error.details[0]?.path).toBe('amount_cents');
  });
});
