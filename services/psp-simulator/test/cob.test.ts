import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseBrCode } from '@gateway/pix';
import { runSimulator, type RunningSimulator } from './running-simulator.ts';

let simulator: RunningSimulator;
beforeAll(async () => {
  simulator = await runSimulator();
});
afterAll(async () => simulator[Symbol.asyncDispose]());

const newTxid = () => randomBytes(13).toString('hex');
const request = {
  calendario: { expiracao: 3_600 },
  devedor: { cpf: '12345678909', nome: 'Francisco da Silva' },
  valor: { original: '37.05' },
  chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  solicitacaoPagador: 'Serviço realizado.',
  infoAdicionais: [{ nome: 'Campo 1', valor: 'Informação' }],
};
const put = (txid: string, body: unknown = request) => simulator.authorized('PUT', `/v2/cob/${txid}`, body);
const get = (txid: string) => simulator.authorized('GET', `/v2/cob/${txid}`);

describe('PUT /v2/cob/{txid}', () => {
  test('answers 201 with the whole charge, and GET the same', async () => {
    const txid = newTxid();
    const created = await put(txid);
    expect(created.status).toBe(201);
    const criacao = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    const location = expect.stringMatching(/^pix\.simulator\.invalid\/qr\/v2\/[0-9a-f]{32}$/) as string;
    expect(created.body).toEqual({
      ...request,
      calendario: { criacao, expiracao: 3_600 },
      txid,
      revisao: 0,
      loc: { id: expect.any(Number) as number, location, tipoCob: 'cob', criacao },
      location,
      status: 'ATIVA',
      pixCopiaECola: expect.any(String) as string,
    });
    expect(await get(txid)).toMatchObject({ status: 200, body: created.body });
  });

  test('gives a code that is well-formed, carries the amount and location, and can be paid by nobody', async () => {
    const { body } = await put(newTxid());
    const parsed = parseBrCode(String(body['pixCopiaECola']));
    expect(parsed).toMatchObject({
      ok: true,
      brCode: { kind: 'dynamic', location: body['location'], amountCents: 3_705 },
    });
    expect(body['location']).toMatch(/^[^/]+\.invalid\//);
  });

  test('lives a day when the request does not say, and takes an alphanumeric CNPJ', async () => {
    const { devedor: _debtor, solicitacaoPagador: _text, infoAdicionais: _info, ...least } = request;
    const { status, body } = await put(newTxid(), { ...least, calendario: {}, futuro: { x: 1 } });
    expect(status).toBe(201);
    expect(body['calendario']).toMatchObject({ expiracao: 86_400 });
    for (const absent of ['devedor', 'solicitacaoPagador', 'infoAdicionais', 'futuro'])
      expect(body).not.toHaveProperty(absent);
    const company = { ...request, devedor: { cnpj: '12ABC34501DE35', nome: 'Empresa' } };
    expect(await put(newTxid(), company)).toMatchObject({ status: 201, body: { devedor: company.devedor } });
  });

  test('repeated is the same charge, however many ask at once', async () => {
    const txid = newTxid();
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(txid)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('with other content revises an active charge and keeps its location', async () => {
    const txid = newTxid();
    const first = await put(txid);
    const second = await put(txid, { ...request, valor: { original: '1.00' } });
    expect(second).toMatchObject({ status: 201, body: { revisao: 1, location: first.body['location'] } });
    expect(parseBrCode(String(second.body['pixCopiaECola']))).toMatchObject({ brCode: { amountCents: 100 } });
  });

  test('does not alter a charge that is no longer active', async () => {
    const txid = newTxid();
    const created = await put(txid);
    const { database } = simulator.testDatabase;
    await database.query("update charge set status = 'COMPLETED' where reference = $1", [txid]);
    const altered = await put(txid, { ...request, valor: { original: '1.00' } });
    expect(altered.status).toBe(400);
    expect(altered.body).toMatchObject({
      type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida',
      violacoes: [{ propriedade: 'cob.status' }],
    });
    expect((await get(txid)).body).toEqual({ ...created.body, status: 'CONCLUIDA' });
  });

  test('survives a restart', async () => {
    const txid = newTxid();
    const { body } = await put(txid);
    await simulator.restart();
    expect((await get(txid)).body).toEqual(body);
  });
});

describe('a charge that does not fit', () => {
  test.each<[string, unknown, string]>([
    ['a zero amount', { ...request, valor: { original: '0.00' } }, 'cob.valor.original'],
    ['an amount with a comma', { ...request, valor: { original: '1,00' } }, 'cob.valor.original'],
    ['an amount as a number', { ...request, valor: { original: 1 } }, 'cob.valor.original'],
    ['an amount of eleven digits', { ...request, valor: { original: '12345678901.00' } }, 'cob.valor.original'],
    ['a life of nothing', { ...request, calendario: { expiracao: 0 } }, 'cob.calendario.expiracao'],
    [
      'a debtor with both documents',
      { ...request, devedor: { ...request.devedor, cnpj: '12345678000195' } },
      'cob.devedor',
    ],
    ['a debtor without a name', { ...request, devedor: { cpf: '12345678909' } }, 'cob.devedor'],
    ['a key too long', { ...request, chave: 'x'.repeat(78) }, 'cob.chave'],
    ['no key', { ...request, chave: undefined }, 'cob.chave'],
    ['a text too long', { ...request, solicitacaoPagador: 'x'.repeat(141) }, 'cob.solicitacaoPagador'],
    ['a list', [], 'cob'],
  ])('is a problem naming it: %s', async (_name, body, property) => {
    const txid = newTxid();
    const answer = await put(txid, body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({
      type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida',
      title: 'Cobrança inválida.',
      status: 400,
      violacoes: [{ propriedade: property, razao: expect.stringContaining(property) as string }],
    });
    expect(await get(txid)).toMatchObject({ status: 404 });
  });

  test.each(['short', 'x'.repeat(36), 'with-a-hyphen-in-its-26-chars'])('nor does the txid %s', async (txid) => {
    const answer = await put(txid);
    expect(answer).toMatchObject({ status: 400, body: { violacoes: [{ propriedade: 'cob.txid' }] } });
  });
});

describe('what the provider does not have', () => {
  test.each([newTxid(), 'short', '%00'])('an unknown charge is CobNaoEncontrado: %s', async (txid) => {
    const answer = await get(txid);
    expect(answer.body).toMatchObject({ type: 'https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado', status: 404 });
    expect(answer.status).toBe(404);
  });

  test('an unknown resource is NaoEncontrado, malformed JSON RequisicaoInvalida', async () => {
    const unknown = await simulator.authorized('GET', '/v2/nothing');
    expect(unknown).toMatchObject({ status: 404, body: { type: 'https://pix.bcb.gov.br/api/v2/error/NaoEncontrado' } });
    const { body } = await simulator.call('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    expect(body).toMatchObject({ error: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  test('its database is what its readiness asks', async () => {
    simulator.readiness.started();
    expect(await simulator.readiness.report()).toEqual({ ready: true, checks: { database: 'ok' } });
  });
});
