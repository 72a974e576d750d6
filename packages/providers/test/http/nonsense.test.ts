import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargeInput, payoutInput, refundInput } from '@gateway/providers/testing';
import { providersConfigSchema, providersFromConfig, type ConnectedProvider, type Providers } from '#src/index.ts';
import { newRsaKey } from '../scripted-providers.ts';
import { ScriptedServer } from './scripted-server.ts';

const at = new Date('2026-01-02T10:44:37.000Z');
let server: ScriptedServer;
let providers: Providers;
let answer = { status: 200, body: '' };
const unreadable: { readonly id: string; readonly cause: string }[] = [];

beforeAll(async () => {
  server = await ScriptedServer.start(({ path }, response) => {
    if (path === '/oauth/token') return void response.end('{"access_token":"t","expires_in":3600}');
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  const configs = [
    {
      ...{ kind: 'efi', id: 'efi', baseUrl: server.url.href, tokenUrl: new URL('/oauth/token', server.url).href },
      ...{ clientId: 'id', clientSecret: 'secret', receivingKey: 'key@example.com', payingKey: 'pay@example.com' },
      notifications: { secret: 'a-secret-of-some-length' },
    },
    { kind: 'woovi', id: 'woovi', baseUrl: server.url.href, appId: 'app' },
    {
      ...{ kind: 'bacen', id: 'bacen', baseUrl: server.url.href, tokenUrl: new URL('/oauth/token', server.url).href },
      ...{ clientId: 'id', clientSecret: 'secret', receivingKey: 'key@example.com' },
      notifications: { secret: 'a-secret-of-some-length' },
    },
    {
      ...{ kind: 'fintoc', id: 'spei', baseUrl: server.url.href, secretKey: 'sk_test_key', accountId: 'acc_1' },
      ...{ jwsPrivateKey: newRsaKey(), webhookSecrets: ['a-secret-of-some-length'] },
    },
  ];
  providers = providersFromConfig(providersConfigSchema.parse(configs), {
    now: () => at,
    onUnreadableOf: (id) => (cause) => void unreadable.push({ id, cause }),
  });
});
afterAll(async () => {
  await providers[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Words the protocols use, so that chance comes near to real answers. */
const member = fc.constantFrom(
  ...['txid', 'status', 'valor', 'original', 'calendario', 'expiracao', 'pixCopiaECola', 'idEnvio', 'e2eId', 'id'],
  ...['charge', 'payment', 'refund', 'transaction', 'correlationID', 'value', 'error', 'nome', 'mensagem', 'saldo'],
);
const content = fc.constantFrom(
  'ATIVA',
  'CONCLUIDA',
  'REALIZADO',
  'COMPLETED',
  'CONFIRMED',
  'DEVOLVIDO',
  '1.00',
  1,
  null,
);
const nonsense = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    content,
    fc.dictionary(member, tie('value'), { maxKeys: 5 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
})).value;

describe.each(['efi', 'woovi'])('%s answering nonsense', (id) => {
  const provider = (): ConnectedProvider => {
    const found = providers.find(id);
    if (!found) throw new Error('no provider');
    return found;
  };

  test('makes nothing throw, and nothing accepted, paid or refused', async () => {
    const charge = chargeInput({ createdAt: at });
    const payout = payoutInput({ sentAt: at, destination: { type: 'email', value: 'a@example.com' } });
    const refund = refundInput({ sentAt: at, receipt: { e2eId: 'E1', chargeRef: charge.ref } });
    await fc.assert(
      fc.asyncProperty(nonsense, fc.constantFrom(200, 201), async (value, status) => {
        answer = { status, body: JSON.stringify(value) };
        const unknown = { kind: 'unknown' };
        expect(await provider().createCharge(charge)).toMatchObject(unknown);
        expect(await provider().createPayout(payout)).toMatchObject(unknown);
        expect(await provider().refund(refund)).toMatchObject(unknown);
        const unavailable = { status: 'UNAVAILABLE' };
        expect(await provider().getCharge({ ref: charge.ref, charge })).toMatchObject(unavailable);
        expect(await provider().getPayout({ ref: payout.ref, payout })).toMatchObject(unavailable);
        expect(await provider().getRefund({ ref: refund.ref, refund })).toMatchObject(unavailable);
        expect(await provider().balance()).toMatchObject({ ok: false });
      }),
      { numRuns: 60 },
    );
  });

  test('in a list is an unreadable page, and no end of the list', async () => {
    answer = { status: 200, body: '{"pix":"x","transactions":"x","disputes":"x","infracoes":"x"}' };
    const at2 = new Date(at.getTime() + 60_000);
    for (const feed of provider().feeds ?? []) {
      expect(await feed.readPage({ from: at, to: at2 })).toMatchObject({ kind: 'unreadable' });
    }
  });
});

describe.each(['bacen', 'efi', 'spei', 'woovi'])('every answer of %s that makes no sense is told', (id) => {
  const unreadableCauses = async (status: number, body: string) => {
    answer = { status, body };
    unreadable.length = 0;
    const money = { currency: id === 'spei' ? 'MXN' : 'BRL', amount: 1_000 } as const;
    const charge = chargeInput({ createdAt: at, money });
    return { outcome: await providers.find(id)?.createCharge(charge), unreadableCauses: [...unreadable] };
  };

  test.each([
    ['another shape', 200, '{"nome":"Maria Silva","saldo":12}', '{nome: string, saldo: number}'],
    ['no JSON', 200, '<html>Maria Silva</html>', 'bytes that are not JSON'],
    ['no JSON with a status between', 404, '<html>Maria Silva</html>', 'bytes that are not JSON'],
    ['nothing', 201, '', 'no body'],
  ])('%s: with its shape, and without its content', async (_case, status, body, shape) => {
    const { outcome, unreadableCauses: causes } = await unreadableCauses(status, body);
    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(causes).not.toEqual([]);
    for (const each of causes) {
      expect(each).toEqual({ id, cause: expect.stringContaining(shape) as string });
      expect(each.cause).not.toContain('Maria');
    }
  });

  test('a failure it admits to is none', async () => {
    expect(await unreadableCauses(503, '<html>busy</html>')).toMatchObject({
      outcome: { kind: 'unknown' },
      unreadableCauses: [],
    });
  });
});
