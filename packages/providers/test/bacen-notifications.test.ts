import { afterAll, describe, expect, test } from 'vitest';
import { bacenProvider, efiProvider, type NotificationResult, type ProviderEvent } from '#src/index.ts';

const now = new Date('2026-01-02T10:44:37.000Z');
const secret = 'a-secret-of-some-length';
const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
const shared = {
  baseUrl: new URL('https://pix.example.com'),
  tokenUrl: new URL('https://pix.example.com/oauth/token'),
  ...{ clientId: 'id', clientSecret: 'secret', receivingKey: 'key@example.com', callTimeoutMs: 1_000 },
};
const bacen = bacenProvider(
  { ...shared, id: 'bank', notifications: { certificateFingerprints: [fingerprint] } },
  { now: () => now },
);
const efi = efiProvider(
  {
    ...shared,
    id: 'efi',
    payingKey: 'pay@example.com',
    notifications: { secret, sourceAddresses: ['34.193.116.226'] },
  },
  { now: () => now },
);
afterAll(async () => {
  await bacen[Symbol.asyncDispose]();
  await efi[Symbol.asyncDispose]();
});

const body = (content: unknown) => Buffer.from(JSON.stringify(content));
const proven = {
  ...{ query: { hmac: secret, ignorar: '/pix' }, remoteIp: '34.193.116.226' },
  ...{ headers: {}, pathSuffix: '', receivedAt: now },
};
const atEfi = (content: unknown, change: object = {}): Promise<NotificationResult> =>
  efi.verifyAndParseNotification({ ...proven, rawBody: body(content), ...change });
const eventsOf = async (content: unknown): Promise<readonly ProviderEvent[]> => {
  const result = await atEfi(content);
  if (!result.ok) throw new Error(result.reason);
  expect(result.grade).toBe('hint');
  return result.events;
};

const pix = {
  endToEndId: 'E12345678202009091221abcdef12345',
  txid: 'c3e0e7a4e7f1469a9f782d3d4999343c',
  valor: '110.00',
  horario: '2020-09-09T20:15:00.358Z',
};
const devolucao = {
  id: '123ABC',
  rtrId: 'D12345678202009091221abcdf098765',
  valor: '10.00',
  horario: { solicitacao: '2020-09-09T20:15:00.358Z' },
  status: 'DEVOLVIDO',
};

describe('who may knock', () => {
  test('Efí with its secret and its address', async () => {
    expect(await atEfi({ pix: [pix] })).toMatchObject({ ok: true, grade: 'hint' });
    expect(await atEfi({ pix: [pix] }, { remoteIp: '::ffff:34.193.116.226' })).toMatchObject({ ok: true });
  });

  test.each([
    ['no secret', { query: {} }],
    ['a wrong secret', { query: { hmac: `${secret}x` } }],
    ['the secret twice', { query: { hmac: [secret, secret] } }],
    ['another address', { remoteIp: '34.193.116.227' }],
  ])('nobody with %s', async (_name, change) => {
    expect(await atEfi({ pix: [pix] }, change)).toMatchObject({ ok: false });
  });

  test('a bank with its certificate, and nobody without', async () => {
    const knock = (tlsPeer?: { subject: string; fingerprint256: string }) =>
      bacen.verifyAndParseNotification({ ...proven, rawBody: body({ pix: [pix] }), tlsPeer });
    expect(await knock({ subject: 'CN=bank', fingerprint256: fingerprint })).toMatchObject({ ok: true, grade: 'hint' });
    expect(await knock({ subject: 'CN=bank', fingerprint256: fingerprint.replace('AB', 'AC') })).toMatchObject({
      ok: false,
    });
    expect(await knock()).toMatchObject({ ok: false });
  });

  test.each(['', '{', '[]', '{"pix":"x"}', '7'])('what is no notification is refused: %s', async (text) => {
    expect(await efi.verifyAndParseNotification({ ...proven, rawBody: Buffer.from(text) })).toMatchObject({
      ok: false,
    });
  });

  test('a test of the address is a probe', async () => {
    expect(await eventsOf({ evento: 'teste_webhook', data_criacao: '2026-01-02T10:44:37Z' })).toMatchObject([
      { type: 'probe' },
    ]);
  });
});

describe('what is told', () => {
  test('several payments in one body, each on its own; one that cannot be read takes none with it', async () => {
    const other = { ...pix, endToEndId: 'E2', valor: '0.01' };
    const events = await eventsOf({ pix: [pix, { ...pix, valor: 110.5, endToEndId: 'E3' }, other] });
    expect(events).toMatchObject([
      { type: 'charge.paid', ref: pix.txid, e2eId: pix.endToEndId, money: { amount: 110_00 } },
      { type: 'unreadable', reason: expect.stringContaining('valor: number') as string },
      { type: 'charge.paid', e2eId: 'E2', money: { amount: 1 } },
    ]);
    expect(new Set(events.map(({ dedupeKey }) => dedupeKey)).size).toBe(3);
  });

  test('the largest amount the schema knows is exact', async () => {
    expect(await eventsOf({ pix: [{ ...pix, valor: '9999999999.99' }] })).toMatchObject([
      { money: { amount: 999_999_999_999 } },
    ]);
  });

  test.each([
    ['an array', [devolucao]],
    ['a single object', devolucao],
  ])('a refund, the returns being %s', async (_name, devolucoes) => {
    const [paid, refunded] = await eventsOf({ pix: [{ ...pix, devolucoes }] });
    const [alone] = await eventsOf({ pix: [pix] });
    expect(paid?.dedupeKey).toBe(alone?.dedupeKey);
    expect(refunded).toMatchObject({ type: 'refund.done', ref: '123ABC', returnId: devolucao.rtrId });
  });

  test('a refund that failed says why, one under way says nothing yet', async () => {
    const failed = { ...devolucao, status: 'NAO_REALIZADO', motivo: 'Saldo insuficiente' };
    const [, event] = await eventsOf({ pix: [{ ...pix, devolucoes: [failed] }] });
    expect(event).toMatchObject({ type: 'refund.failed', ref: '123ABC', message: 'Saldo insuficiente' });
    expect(
      await eventsOf({ pix: [{ ...pix, devolucoes: [{ ...devolucao, status: 'EM_PROCESSAMENTO' }] }] }),
    ).toHaveLength(1);
  });

  test('a payment without txid belongs to no charge', async () => {
    const { txid: _txid, ...without } = pix;
    expect(await eventsOf({ pix: [without] })).toMatchObject([{ type: 'ignored' }]);
  });

  test("Efí's payer", async () => {
    const gnExtras = { pagador: { nome: 'Consultoria Efi', cnpj: '09089356000118', codigoBanco: '00416968' } };
    expect(await eventsOf({ pix: [{ ...pix, gnExtras }] })).toMatchObject([
      { payer: { name: 'Consultoria Efi', document: '09089356000118', ispb: '00416968' } },
    ]);
  });

  test("Efí's payouts, as documented", async () => {
    const sent = {
      ...{
        endToEndId: 'E090893562021030PIf25a7868',
        chave: '2c3c7441-b91e-4982-3c25-6105581e18ae',
        tipo: 'SOLICITACAO',
      },
      ...{ status: 'REALIZADO', valor: '0.01', horario: '2021-03-04T20:39:47.000Z', gnExtras: { idEnvio: '123ABC' } },
    };
    const erro = { codigo: 'AC03', origem: 'PSP do usuário recebedor', motivo: 'conta inexistente' };
    const failed = { ...sent, status: 'NAO_REALIZADO', horario: null, gnExtras: { idEnvio: '123ABC', erro } };
    expect(await eventsOf({ pix: [sent, failed] })).toMatchObject([
      { type: 'payout.paid', ref: '123ABC', e2eId: sent.endToEndId, at: new Date('2021-03-04T20:39:47.000Z') },
      { type: 'payout.failed', ref: '123ABC', code: 'invalid_account', message: 'conta inexistente', at: now },
    ]);
  });
});
