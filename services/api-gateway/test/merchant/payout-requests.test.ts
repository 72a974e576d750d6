import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { createPayout, listPayouts, showPayouts, type Payout } from '@gateway/contracts/payouts';
import { answering } from '@gateway/messaging';
import { listing } from '../harness/listing.ts';
import { payoutOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const made: Payout[] = [];
const owners: boolean[] = [];
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

beforeAll(async () => {
  gateway = await startGateway([
    answering(createPayout, async (request) => {
      if (request.externalId === 'poor') throw new DomainError('INSUFFICIENT_FUNDS', 'the balance does not cover it');
      if (request.externalId === 'slow') {
        throw new DomainError('PROVIDER_TIMEOUT', 'no answer', { extra: { payout_id: 'pyt_1' } });
      }
      if (request.externalId.startsWith('unknown key')) {
        const why = { failureReason: 'key_not_found', failureMessage: 'A chave informada não existe' } as const;
        const failed = { ...payoutOf(request), status: 'REJECTED', ...why } as const;
        made.push(failed);
        return { created: true, payout: failed };
      }
      if (request.externalId === 'waits') {
        const waiting = { status: 'PENDING', pendingReason: 'limit' } as const;
        return { created: true, payout: { ...payoutOf(request), ...waiting } };
      }
      const known = made.find((payout) => payout.externalId === request.externalId);
      if (known) return { created: false, payout: known };
      const payout = payoutOf(request);
      made.push(payout);
      owners.push(request.enforceOwnership);
      return { created: true, payout };
    }),
    ...listing('payout', { list: listPayouts, show: showPayouts }, async ({ externalId }) => ({
      payouts: externalId === undefined ? made.slice(-1) : made.filter((each) => each.externalId === externalId),
      nextCursor: null,
    })),
  ]);
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

let count = 0;
const recipient = { name: 'Ana Lima', document: '52998224725' };
const valid = () => ({
  amount_cents: 1_990,
  external_id: `out-${++count}`,
  pix_key: 'ana@example.com',
  pix_key_type: 'email',
  recipient,
});
const post = (body: unknown, headers: Record<string, string> = {}) =>
  gateway.asMerchant(account.test, 'POST', '/v1/payouts', { body, headers });
const text = (length: number) => 'x'.repeat(length);

describe('a payout request', () => {
  test.each<[string, object]>([
    ['the smallest amount', { amount_cents: 1 }],
    ['an external_id of 120 characters', { external_id: text(120) }],
    ['a CPF key', { pix_key_type: 'cpf', pix_key: '529.982.247-25' }],
    ['a CNPJ key', { pix_key_type: 'cnpj', pix_key: '11222333000181' }],
    ['a phone key', { pix_key_type: 'phone', pix_key: '+5511987654321' }],
    ['a random key', { pix_key_type: 'random', pix_key: '123e4567-e89b-12d3-a456-426614174000' }],
    ['an e-mail key of 77 characters', { pix_key: `${text(65)}@example.com` }],
    ['the longest name', { recipient: { ...recipient, name: text(64) } }],
    ['a CNPJ recipient', { recipient: { ...recipient, document: '11.222.333/0001-81' } }],
    ['a phone of 20 characters', { recipient: { ...recipient, phone: text(20) } }],
    ['a settlement', { kind: 'SETTLEMENT' }],
    ['null in every optional member', { kind: null, enforce_ownership: null, metadata: null }],
  ])('with %s is created', async (_case, members) => {
    expect((await post({ ...valid(), ...members })).status).toBe(201);
  });

  test.each<[string, object, string]>([
    ['an amount of zero', { amount_cents: 0 }, 'amount_cents'],
    ['an amount above the maximum', { amount_cents: 100_000_000_001 }, 'amount_cents'],
    ['no external_id', { external_id: undefined }, 'external_id'],
    ['an external_id of 121 characters', { external_id: text(121) }, 'external_id'],
    ['no key', { pix_key: undefined }, 'pix_key'],
    ['a key of two characters', { pix_key: 'a@' }, 'pix_key'],
    ['an e-mail key of 78 characters', { pix_key: `${text(66)}@example.com` }, 'pix_key'],
    ['a CPF key with wrong check digits', { pix_key_type: 'cpf', pix_key: '52998224726' }, 'pix_key'],
    ['a CNPJ as CPF key', { pix_key_type: 'cpf', pix_key: '11222333000181' }, 'pix_key'],
    ['a phone key that is none', { pix_key_type: 'phone', pix_key: '+55 one' }, 'pix_key'],
    ['a random key that is no UUID', { pix_key_type: 'random', pix_key: 'abc' }, 'pix_key'],
    ['an unknown key type', { pix_key_type: 'clabe' }, 'pix_key_type'],
    ['no recipient', { recipient: undefined }, 'recipient'],
    ['a name of two characters', { recipient: { ...recipient, name: 'Jo' } }, 'recipient.name'],
    ['a name of 65 characters', { recipient: { ...recipient, name: text(65) } }, 'recipient.name'],
    ['no document', { recipient: { name: 'Ana' } }, 'recipient.document'],
    ['a document of ten digits', { recipient: { ...recipient, document: '5299822472' } }, 'recipient.document'],
    ['a phone of 21 characters', { recipient: { ...recipient, phone: text(21) } }, 'recipient.phone'],
    ['an unknown kind', { kind: 'GIFT' }, 'kind'],
    ['text as a flag', { enforce_ownership: 'true' }, 'enforce_ownership'],
  ])('with %s is refused by name', async (_case, members, path) => {
    const { status, body } = await post({ ...valid(), ...members });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details.map(({ path: named }) => named)).toEqual([path]);
  });

  test('names a key that does not fit its type beside the other faults', async () => {
    const { body } = await post({ ...valid(), amount_cents: 0, pix_key_type: 'cpf' });
    expect(body.error.details.map(({ path: named }) => named)).toEqual(['amount_cents', 'pix_key']);
  });

  test.each<[unknown]>([['no address'], [`${text(250)}@example.com`], [7], [{}], [null]])(
    'with %j as recipient e-mail is created without it',
    async (email) => {
      const answer = await post({ ...valid(), recipient: { ...recipient, email } });
      expect([answer.status, answer.body.payout.recipient.email]).toEqual([201, null]);
    },
  );

  test('keeps an e-mail of its recipient with letters of any language', async () => {
    const email = 'josé@açaí.com.br';
    const answer = await post({ ...valid(), recipient: { ...recipient, email } });
    expect([answer.status, answer.body.payout.recipient.email]).toEqual([201, email]);
  });

  test('answers { payout } with every member, the key in the form DICT keeps it', async () => {
    const answer = await post({ ...valid(), pix_key: ' Ana@Example.com ', enforce_ownership: true });
    expect(Object.keys(answer.body)).toEqual(['payout']);
    expect(answer.body.payout).toMatchObject({
      object: 'payout',
      status: 'PROCESSING',
      pix_key: 'ana@example.com',
      recipient: { name: 'Ana Lima', document: '52998224725', email: null, phone: null },
      kind: 'PLAYER_PAYOUT',
      e2e_id: null,
      failure_reason: null,
      failure_message: null,
      paid_at: null,
    });
    expect(owners.at(-1)).toBe(true);
  });

  test('repeated answers 200 with the same payout', async () => {
    const body = valid();
    const [first, again] = [await post(body), await post({ ...body, amount_cents: 1 })];
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    const { amount_cents: amount, ...members } = body;
    const elsewhere = { ...members, amount, currency: 'XYZ' };
    const known = await post(elsewhere);
    const idOf = (answer: { readonly body: { readonly payout: unknown } }) => (answer.body.payout as { id: string }).id;
    expect([known.status, idOf(known)]).toEqual([200, idOf(first)]);
    expect((await post({ ...elsewhere, external_id: valid().external_id })).status).toBe(422);
  });

  test('without the balance is 422, and one whose provider is silent is 504 naming the record', async () => {
    const poor = await post({ ...valid(), external_id: 'poor' });
    const slow = await post({ ...valid(), external_id: 'slow' });
    expect([poor.status, poor.body.error.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect([slow.status, slow.body.error.code, slow.body.error.payout_id]).toEqual([504, 'PROVIDER_TIMEOUT', 'pyt_1']);
  });

  test('that waits for approval says why', async () => {
    const { body } = await post({ ...valid(), external_id: 'waits' });
    expect(body.payout).toMatchObject({ status: 'PENDING', pending_reason: 'limit' });
  });

  const portuguese = 'Nenhuma conta está registrada com a chave.';
  const spanish = 'No hay ninguna cuenta registrada con la clave.';
  const english = 'No account is registered under the key.';

  test.each([
    ['pt-BR', portuguese],
    ['es-MX, en;q=0.9', spanish],
    ['en;q=0.1, pt;q=0.2', portuguese],
    ['fr, de', english],
    ['pt;q=0', english],
    ['*', english],
    [';;q=;,=,-pt;q=9', english],
    ['x'.repeat(4_000), english],
  ])(
    'that failed tells it in the language of %j, in our words, and never in those of the provider',
    async (wanted, shown) => {
      const headers = { 'accept-language': wanted };
      const { body } = await post({ ...valid(), external_id: `unknown key ${wanted.slice(0, 40)}` }, headers);
      expect(body.payout).toMatchObject({ failure_reason: 'key_not_found', failure_message: shown });
      const list = await gateway.asMerchant(account.test, 'GET', '/v1/payouts', { headers });
      expect(list.body.data).toMatchObject([{ failure_message: shown }]);
    },
  );
});
