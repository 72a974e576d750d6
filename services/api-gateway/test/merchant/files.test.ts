import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Dispute,
  getDispute,
  getOperatorDispute,
  type OperatorDispute,
  type StoredFile,
  submitEvidence,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';
import { dropUnused } from '#src/files/stored-files.ts';
import { jpegOf, pdfOf, pngOf, sendForm, sha256Of } from '../harness/evidence-files.ts';
import { contradicted, operatorDisputeOf } from '../harness/returned-money.ts';
import {
  operatorTokens,
  startGateway,
  type GatewayUnderTest,
  type KeyPair,
  type Shown,
} from '../harness/start-gateway.ts';

type Account = Awaited<ReturnType<GatewayUnderTest['newAccount']>>;
let gateway: GatewayUnderTest;
let shop: Account;
let other: Account;
let dispute: OperatorDispute;
const submitted: { text: string; files: readonly StoredFile[] | undefined }[] = [];

const requireOwn = (asked: Partial<Pick<Dispute, 'id' | 'accountId' | 'environment'>>): OperatorDispute => {
  const { id, accountId = dispute.accountId, environment = dispute.environment } = asked;
  const isOwn = id === dispute.id && accountId === dispute.accountId && environment === dispute.environment;
  if (!isOwn) throw new NotFoundError('dispute');
  return dispute;
};

beforeAll(async () => {
  gateway = await startGateway([
    answering(getDispute, async (request) => ({ dispute: requireOwn(request) })),
    answering(getOperatorDispute, async (request) => ({ dispute: { ...dispute, ...requireOwn(request) } })),
    answering(submitEvidence, async ({ text, files, ...request }) => {
      requireOwn(request);
      submitted.push({ text, files });
      return { dispute };
    }),
  ]);
  [shop, other] = [await gateway.newAccount(), await gateway.newAccount()];
  dispute = operatorDisputeOf({ ...contradicted, environment: 'live', accountId: shop.id });
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const by = ({ public_key, secret_key }: KeyPair) => ({ 'x-api-key': public_key, 'x-api-secret': secret_key });
const store = async (key: KeyPair, content: Buffer, name = 'receipt.pdf') =>
  await sendForm(`${gateway.baseUrl}/v1/files`, by(key), { file: { content, name } });
const submit = async (files: readonly object[], key = shop.live) =>
  await gateway.asMerchant(key, 'POST', `/v1/disputes/${dispute.id}/evidence`, { body: { text: 'sent', files } });
const detailsOf = ({ body }: { readonly body: Pick<Shown, 'error'> }): string[] =>
  body.error.details.map(({ path, message }) => `${path} ${message}`);

describe('a file', () => {
  test.each([
    ['application/pdf', pdfOf()],
    ['image/png', pngOf()],
    ['image/jpeg', jpegOf()],
  ])('of the type %s is stored as it is, and read back by its account', async (mediaType, content) => {
    const { status, body } = await store(shop.live, content, '../etc\\recibo 1\u202e.exe');
    expect([status, body]).toMatchObject([
      201,
      {
        ...{ object: 'file', name: 'recibo 1.exe', media_type: mediaType, bytes: content.length },
        ...{ sha256: sha256Of(content), environment: 'live' },
      },
    ]);
    expect((await gateway.asMerchant(shop.live, 'GET', `/v1/files/${body.id}`)).body).toEqual(body);
    const read = await fetch(`${gateway.baseUrl}/v1/files/${body.id}/content`, { headers: by(shop.live) });
    expect(Buffer.from(await read.arrayBuffer())).toEqual(content);
    expect(read.headers.get('content-disposition')).toMatch(/^attachment; filename="fil_[^"]+\.(pdf|png|jpg)"$/);
  });

  test('of another account, or of the other environment, does not exist', async () => {
    const { body } = await store(shop.live, pdfOf());
    for (const key of [shop.test, other.live, other.test]) {
      for (const path of [`/v1/files/${body.id}`, `/v1/files/${body.id}/content`]) {
        expect((await gateway.asMerchant(key, 'GET', path)).status, path).toBe(404);
      }
    }
  });

  test('that is hostile is refused by name, and nothing is stored', async () => {
    const before = await gateway.database.query('select id from evidence_file');
    const answer = await store(shop.live, pngOf({ width: 100_000, height: 100_000 }));
    expect(answer.status).toBe(400);
    expect(detailsOf(answer)).toEqual([expect.stringMatching(/^file must be at most 12000 by 12000/)]);
    expect(await gateway.database.query('select id from evidence_file')).toEqual(before);
  });

  test('of 5 MiB is taken, and one byte more is 413', async () => {
    const padded = (bytes: number) => pdfOf(`<< ${' '.repeat(bytes - pdfOf('<<  >>').length)} >>`);
    expect((await store(shop.live, padded(5 * 1_024 * 1_024))).status).toBe(201);
    expect((await store(shop.live, padded(5 * 1_024 * 1_024 + 1))).status).toBe(413);
    expect((await store(shop.live, Buffer.alloc(20 * 1_024 * 1_024))).status).toBe(413);
  });

  test.each([
    ['no file', {}, 'file is required'],
    ['an empty one', { file: { content: Buffer.alloc(0) } }, 'file is required'],
    ['another member', { file: { content: pdfOf() }, kind: 'x' }, 'kind is not a member of this operation'],
    ['a file of another name', { document: { content: pdfOf() } }, 'document is not a member of this operation'],
  ])('is the only member of its form: %s is refused', async (_what, members, refusal) => {
    const answer = await sendForm(`${gateway.baseUrl}/v1/files`, by(shop.live), members);
    expect([answer.status, detailsOf(answer)]).toEqual([400, [refusal]]);
  });

  test('comes in a form that can be read', async () => {
    const send = async (type: string, body = '--x--') =>
      await gateway.asMerchant(shop.live, 'POST', '/v1/files', { body, headers: { 'content-type': type } });
    expect((await send('application/json', '{}')).status).toBe(415);
    expect((await send('multipart/form-data')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=x', 'no form')).status).toBe(400);
  });

  test('that no evidence names is dropped after a week, and one that is named is kept', async () => {
    const [kept, dropped] = [await store(other.test, pdfOf()), await store(other.test, pdfOf())];
    const age = (days: number) =>
      gateway.database.query(`update evidence_file set created_at = now() - $2 * interval '1 day' where id = any($1)`, [
        [kept.body.id, dropped.body.id],
        days,
      ]);
    await gateway.database.query(`update evidence_file set attached_at = now() where id = $1`, [kept.body.id]);
    await age(6.9);
    expect(await dropUnused(gateway.database)).toBe(0);
    await age(7.1);
    expect(await dropUnused(gateway.database)).toBe(1);
    const statusOf = async (id: string) => (await gateway.asMerchant(other.test, 'GET', `/v1/files/${id}`)).status;
    expect([await statusOf(kept.body.id), await statusOf(dropped.body.id)]).toEqual([200, 404]);
  });

  test('is one too many where an account has a hundred that no evidence names', async () => {
    const { id, test: key } = await gateway.newAccount();
    await gateway.database.query(
      `insert into evidence_file (id, environment, account_id, name, media_type, bytes, sha256, content, created_at)
       select 'fil_' || n, 'live', $1, 'x', 'image/png', 1, '', '\\x00', now() from generate_series(1, 99) n`,
      [id],
    );
    const both = await Promise.all([store(key, pdfOf()), store(key, pdfOf())]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
  });
});

describe('evidence', () => {
  test('names files by their content too, and the service of disputes is given what they are', async () => {
    const { id, sha256, name, media_type: mediaType, bytes } = (await store(shop.live, pdfOf())).body;
    expect((await submit([{ id, sha256 }])).status).toBe(200);
    expect(submitted.at(-1)).toEqual({ text: 'sent', files: [{ id, name, mediaType, bytes, sha256 }] });
    expect(detailsOf(await submit([{ id, sha256: 'a'.repeat(64) }]))).toEqual([
      'files.0.sha256 is not the SHA-256 of the file',
    ]);
    expect(detailsOf(await submit([{ id }]))).toEqual(['files.0.sha256 is required']);
    expect((await submit(Array(2).fill({ id, sha256 }))).status).toBe(400);
  });

  test('takes no file of another account or of the other environment, nor keeps one for a dispute of others', async () => {
    const before = submitted.length;
    for (const key of [shop.test, other.live]) {
      const { id, sha256 } = (await store(key, pdfOf())).body;
      expect(detailsOf(await submit([{ id, sha256 }]))).toEqual([
        'files.0.id is no file of this account and environment',
      ]);
      expect((await submit([{ id, sha256 }], key)).status).toBe(404);
      const attached = `select attached_at from evidence_file where id = $1 and attached_at is not null`;
      expect(await gateway.database.query(attached, [id])).toEqual([]);
    }
    expect(submitted.length).toBe(before);
  });

  test('is submitted by operators with files of the merchant’s account, and both stand in the audit trail', async () => {
    const authorization = `Bearer ${operatorTokens.ana}`;
    const at = `/ops/disputes/${dispute.id}`;
    const { status, body } = await sendForm(
      `${gateway.opsUrl}${at}/files`,
      { authorization },
      {
        file: { content: jpegOf(), name: 'letter.jpg' },
      },
    );
    expect([status, body.environment]).toEqual([201, 'live']);
    expect((await gateway.asMerchant(shop.live, 'GET', `/v1/files/${body.id}`)).status).toBe(200);
    const evidence = { text: 'by us', files: [{ id: body.id, sha256: body.sha256 }] };
    expect((await gateway.asOperator('POST', `${at}/evidence`, { body: evidence })).status).toBe(200);
    expect(submitted.at(-1)).toMatchObject({ text: 'by us', files: [{ id: body.id }] });
    const { body: trail } = await gateway.asOperator('GET', `/ops/audit?account_id=${shop.id}&kind=change&limit=5`);
    const actions = trail.data.map((row) => (row as unknown as { readonly action: string }).action);
    expect(actions.slice(0, 2)).toEqual(['dispute.submit-evidence', 'dispute.store-file']);
    const foreign = (await store(other.live, pdfOf())).body;
    expect((await gateway.asOperator('GET', `${at}/files/${foreign.id}`)).status).toBe(404);
    expect((await gateway.asOperator('GET', `${at}/files/${body.id}`)).status).toBe(200);
  });
});

test('files of two shops do not mix: a dispute of one is no place for a file of the other', async () => {
  const foreign = (await store(other.live, pngOf())).body;
  const body = { text: 'x', files: [{ id: foreign.id, sha256: foreign.sha256 }] };
  const answer = await gateway.asOperator('POST', `/ops/disputes/${dispute.id}/evidence`, { body });
  expect([answer.status, answer.body.error.details[0]?.path]).toEqual([400, 'files.0.id']);
  const unknown = await gateway.asOperator('POST', `/ops/disputes/${newId('dispute')}/evidence`, { body });
  expect(unknown.status).toBe(404);
});
