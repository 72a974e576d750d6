import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ExportCompleted } from '@gateway/contracts/exports';
import { newId } from '@gateway/money';
import type { ExportResource } from '@gateway/public-api';
import { LinkTokens } from '@gateway/runtime';
import { eventually } from '@gateway/test-kit';
import { secretsKey, startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';
import { StatementLedger } from '../harness/statement-ledger.ts';

const day = '2026-11-20';
const ledger = new StatementLedger();
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;
let key: KeyPair;

const fiveMovements = [
  {
    at: '2026-11-19T12:00:00Z',
    type: 'ADJUSTMENT',
    refType: 'adjustment',
    amount: 100_000,
    refId: newId('adjustment'),
  },
  { at: '2026-11-20T12:00:05.120Z', type: 'DEPOSIT_NET', refType: 'deposit', amount: 9_850 },
  { at: '2026-11-20T13:10:02.004Z', type: 'PAYOUT', refType: 'payout', amount: -5_000 },
  { at: '2026-11-20T13:10:02.004Z', type: 'PAYOUT_FEE', refType: 'payout', amount: -100 },
  { at: '2026-11-20T15:00:41.500Z', type: 'DEPOSIT_REFUND', refType: 'refund', amount: -2_500 },
  // The last moment of the day in São Paulo.
  { at: '2026-11-21T02:59:59.999Z', type: 'MED_BLOCK', refType: 'dispute', amount: -3_000 },
  { at: '2026-11-21T03:00:00.000Z', type: 'ADJUSTMENT', refType: 'adjustment', amount: 1, refId: newId('adjustment') },
] as const;

beforeAll(async () => {
  gateway = await startGateway(ledger.routes());
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(async () => {
  ledger.pagesMax = Infinity;
  account = await gateway.newAccount({ document: '11222333000181' });
  key = account.test;
});

let references = 0;
const wanted = (more: object = {}) => {
  references += 1;
  return {
    kind: 'statement',
    format: 'csv',
    currency: 'BRL',
    from: day,
    to: day,
    external_id: `e-${references}`,
    ...more,
  };
};
const create = (more: object = {}, by = key, headers = {}) =>
  gateway.asMerchant(by, 'POST', '/v1/exports', { body: wanted(more), headers });
const read = async (id: string, by = key, headers = {}) => {
  const { status, body } = await gateway.asMerchant(by, 'GET', `/v1/exports/${id}`, { headers });
  return { status, exported: body as unknown as ExportResource };
};
const ended = async (id: string): Promise<ExportResource> =>
  await eventually(async () => {
    const { exported } = await read(id);
    expect(exported.status).not.toBe('PROCESSING');
    return exported;
  });
const fileOf = async ({ download_url: url }: Pick<ExportResource, 'download_url'>) =>
  await gateway.call('GET', new URL(url!).pathname);
const completed = async (more: object = {}) => {
  const exported = await ended((await create(more)).body.id);
  expect(exported.status).toBe('COMPLETED');
  return { exported, text: (await fileOf(exported)).text };
};
/** A credit of 1.00 in each second from midnight on. */
const addCredits = (count: number) => {
  const credit = { type: 'ADJUSTMENT', refType: 'adjustment', amount: 100, refId: newId('adjustment') } as const;
  const midnight = Date.parse(`${day}T03:00:00Z`);
  const at = (place: number) => new Date(midnight + place * 1_000).toISOString();
  ledger.add(
    account.id,
    Array.from({ length: count }, (_, place) => ({ ...credit, at: at(place) })),
  );
};
const storedParts = async (id: string) => {
  const sql = `select coalesce((progress ->> 'parts')::int, 0) as parts from export where id = $1`;
  return (await gateway.database.query<{ parts: number }>(sql, [id]))[0]?.parts;
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('an export of a day', () => {
  test.each(['csv', 'ofx', 'ofx102', 'camt053', 'cnab240'])(
    'in %s has its movements, both balances and the digest of its file',
    async (format) => {
      ledger.add(account.id, fiveMovements);
      const { exported, text } = await completed({ format });
      expect(exported).toMatchObject({ rows: 5, opening_cents: 100_000, closing_cents: 99_250, checkpoint: 'test.0' });
      expect(exported.sha256).toBe(sha256(text));
      expect(exported.expires_at! - exported.completed_at!).toBe(7 * 86_400);
      const amount = format === 'cnab240' ? '000000000000009850C' : '98.50';
      expect(text.split(amount).length - 1).toBeGreaterThan(0);
      expect(text).toMatch(format === 'csv' ? /,-30\.00,992\.50\r\n$/ : /99250|992\.50/);
    },
  );

  test('says the same of its days as the settlement report, which adds up to the ledger by type', async () => {
    ledger.add(account.id, fiveMovements);
    const { exported, text } = await completed({ kind: 'settlement' });
    expect(exported).toMatchObject({ rows: 5, opening_cents: 100_000, closing_cents: 99_250 });
    expect(text.trimEnd().split('\r\n')).toEqual([
      'local_date,line,count,currency,gross,fee,net,balance',
      `${day},OPENING,,BRL,,,,1000.00`,
      `${day},DEPOSIT_NET,1,BRL,100.00,1.50,98.50,`,
      `${day},PAYOUT,1,BRL,-50.00,0.00,-50.00,`,
      `${day},PAYOUT_FEE,1,BRL,0.00,1.00,-1.00,`,
      `${day},DEPOSIT_REFUND,1,BRL,-25.00,0.00,-25.00,`,
      `${day},MED_BLOCK,1,BRL,-30.00,0.00,-30.00,`,
      `${day},CLOSING,,BRL,,,,992.50`,
      ',PENDING,,BRL,,,,7.00',
      ',BLOCKED,,BRL,,,,3.00',
      ',SHORTFALL,,BRL,,,,0.00',
    ]);
  });

  test('without movements has the balance it began with at its end', async () => {
    ledger.add(account.id, fiveMovements);
    const { exported } = await completed({ format: 'camt053', from: '2026-11-18', to: '2026-11-18' });
    expect(exported).toMatchObject({ rows: 0, opening_cents: 0, closing_cents: 0 });
  });

  test('joins the day after it, and a period is the sum of its days', async () => {
    ledger.add(account.id, fiveMovements);
    const [first, second, both] = [
      await completed(),
      await completed({ from: '2026-11-21', to: '2026-11-21' }),
      await completed({ to: '2026-11-21' }),
    ];
    expect(second.exported.opening_cents).toBe(first.exported.closing_cents);
    expect(both.exported.rows).toBe(first.exported.rows! + second.exported.rows!);
    expect(both.text).toBe(first.text + second.text.slice(second.text.indexOf('\r\n') + 2));
  });

  test('is shown with amounts under the names of contract 1.0', async () => {
    ledger.add(account.id, fiveMovements);
    const { exported } = await completed();
    const beta = (await read(exported.id, key, { 'x-api-version': '1.0' })).exported;
    expect(beta).toMatchObject({ opening: 100_000, closing: 99_250 });
    expect(beta).not.toHaveProperty('opening_cents');
  });

  test('is published once when it is complete, without a link', async () => {
    ledger.add(account.id, fiveMovements);
    const published: string[] = [];
    gateway.bus.connection.subscribe(ExportCompleted.subject, {
      callback: (_error, message) => void published.push(message.string()),
    });
    const { exported } = await completed();
    const about = () => published.filter((text) => text.includes(exported.id));
    await eventually(() => expect(about()).toHaveLength(1));
    expect(about()[0]).toContain(exported.sha256);
    expect(about()[0]).not.toContain('/exports/');
  });
});

describe('a file', () => {
  test('of many pages is whole when its process ends in the middle and another goes on', async () => {
    addCredits(4_300);
    ledger.pages = 0;
    ledger.pagesMax = 21;
    const [first, second] = [await gateway.startReplica(), await gateway.startReplica()];
    const { body } = await first.asMerchant(key, 'POST', '/v1/exports', { body: wanted({ format: 'ofx' }) });
    await eventually(async () => expect(await storedParts(body.id)).toBe(1));
    // One that was killed with a page in its hands still has the lease; what it writes later is refused.
    await gateway.database.query(`update export set claims = claims + 1, due_at = now() where id = $1`, [body.id]);
    ledger.pagesMax = Infinity;
    const exported = await ended(body.id);
    expect(exported).toMatchObject({ status: 'COMPLETED', rows: 4_300, closing_cents: 430_000 });
    const { text, headers } = await second.call('GET', new URL(exported.download_url!).pathname);
    expect(sha256(text)).toBe(exported.sha256);
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
    const ids = [...text.matchAll(/<FITID>(led_\w+)</g)].map(([, id]) => id);
    expect(ids).toEqual(ledger.entries.filter(({ accountId }) => accountId === account.id).map(({ id }) => id));
    expect(text.match(/<LEDGERBAL>/g)).toHaveLength(1);
  }, 120_000);

  test('whose pages are slow is kept part by part, each well within its lease', async () => {
    addCredits(1_300);
    ledger.pages = 0;
    ledger.pagesMax = 5;
    const clock = Date.now.bind(Date);
    const slow = vi.spyOn(Date, 'now').mockImplementation(() => clock() + ledger.pages * 15_000);
    const { body } = await create();
    await eventually(async () => expect(await storedParts(body.id)).toBeGreaterThan(0));
    slow.mockRestore();
    ledger.pagesMax = Infinity;
    await gateway.database.query(`update export set due_at = now() where id = $1`, [body.id]);
    expect(await ended(body.id)).toMatchObject({ status: 'COMPLETED', rows: 1_300, closing_cents: 130_000 });
  });

  test('whose movements do not lead to the closing balance is never given out', async () => {
    ledger.add(account.id, fiveMovements);
    const forged = ledger.entries.findIndex(({ accountId, type }) => accountId === account.id && type === 'PAYOUT');
    ledger.entries[forged] = { ...ledger.entries[forged]!, amount: -4_999 };
    const exported = await ended((await create()).body.id);
    expect(exported).toMatchObject({ status: 'FAILED', reason: 'does_not_add_up', download_url: null, sha256: null });
  });

  test('is behind a link of its own account that is whole and not older than 15 minutes', async () => {
    ledger.add(account.id, fiveMovements);
    const { exported } = await completed();
    const other = await gateway.newAccount();
    expect((await read(exported.id, other.test)).status).toBe(404);
    expect((await read(exported.id, account.live)).status).toBe(404);
    const tokens = new LinkTokens([secretsKey]);
    const nowSec = Math.floor(Date.now() / 1_000);
    const grant = { environment: 'test', accountId: account.id, expiresAt: nowSec + 60 };
    const path = new URL(exported.download_url!).pathname;
    expect(Number(path.split('.')[2]) - nowSec).toBeLessThanOrEqual(900);
    const status = async (token: string) => (await gateway.call('GET', `/exports/${exported.id}/${token}`)).status;
    expect(await status(tokens.issue(`export ${exported.id}`, grant))).toBe(200);
    const refused = [
      tokens.issue(`export ${exported.id}`, { ...grant, expiresAt: nowSec - 1 }),
      tokens.issue(`export ${exported.id}`, { ...grant, accountId: other.id }),
      tokens.issue(`export ${exported.id}`, { ...grant, environment: 'live' }),
      tokens.issue(`export ${newId('export')}`, grant),
      path
        .split('/')
        .at(-1)!
        .replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    ];
    for (const token of refused) expect(await status(token)).toBe(404);
  });

  test('is gone after seven days, and its export stays', async () => {
    ledger.add(account.id, fiveMovements);
    const { exported } = await completed();
    await gateway.database.query(`update export set expires_at = now() - interval '1 s' where id = $1`, [exported.id]);
    expect((await fileOf(exported)).status).toBe(404);
    expect((await read(exported.id)).exported).toMatchObject({ status: 'COMPLETED', rows: 5, download_url: null });
  });
});

test('an export whose ledger is away goes on when it is back, however often it was tried meantime', async () => {
  addCredits(250);
  [ledger.pages, ledger.pagesMax] = [0, 1];
  for (const code of ['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'] as const) {
    ledger.refusal = code;
    const { body } = await create();
    // One more attempt that counts would be the last one.
    await gateway.database.query(`update export set failures = 149 where id = $1`, [body.id]);
    const claims = async () =>
      (await gateway.database.query<{ claims: number }>(`select claims from export where id = $1`, [body.id]))[0]!.claims;
    const before = await claims();
    await eventually(async () => expect(await claims()).toBeGreaterThan(before + 1));
    expect((await read(body.id)).exported.status).toBe('PROCESSING');
    ledger.pagesMax = Infinity;
    expect(await ended(body.id)).toMatchObject({ status: 'COMPLETED', rows: 250 });
    [ledger.pages, ledger.pagesMax] = [0, 1];
  }
});

describe('what is asked for', () => {
  test('once under one external id, however often and by how many callers', async () => {
    const body = wanted();
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => gateway.asMerchant(key, 'POST', '/v1/exports', { body })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 202]);
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
  });

  test.each([
    [{ format: 'ofx', to: '2999-01-01', from: '2998-12-31' }, 'from'],
    [{ from: '2026-11-21' }, 'to'],
    [{ from: '2025-11-19' }, 'to'],
    [{ kind: 'settlement', from: '2026-10-01' }, 'to'],
    [{ kind: 'settlement', format: 'ofx' }, 'format'],
    [{ from: '2026-02-30' }, 'from'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ amount: 7 }, 'amount'],
  ])('%j is refused by name', async (more, path) => {
    const answer = await create(more, key, { 'x-api-version': '0.1' });
    expect([answer.status, answer.body.error.details[0]?.path]).toEqual([400, path]);
  });

  test.each(['ofx', 'ofx102', 'camt053', 'cnab240'])('in %s has to be over; CSV may go on', async (format) => {
    const today = new Date().toISOString().slice(0, 10);
    const open = { from: today, to: today, timezone: 'Etc/UTC' };
    const refused = await create({ ...open, format });
    expect([refused.status, refused.body.error.details[0]?.path]).toEqual([400, 'to']);
    expect((await completed(open)).exported.rows).toBe(0);
  });

  test.each(['MXN', 'USDT'])('in %s has its own currency and account, and no CNAB', async (currency) => {
    ledger.add(account.id, [{ ...fiveMovements[1], currency: currency as 'MXN' }]);
    const refused = await create({ currency, format: 'cnab240' });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'CURRENCY_NOT_SUPPORTED']);
    const { exported, text } = await completed({ currency, format: 'ofx' });
    expect(exported).toMatchObject({ currency, closing_cents: 9_850 });
    expect(text).toContain(`<CURDEF>${currency === 'MXN' ? 'MXN' : 'XXX'}</CURDEF>`);
    expect(text).toContain(`-${currency}</ACCTID>`);
  });

  test('five times at once is refused a sixth time, until one is done', async () => {
    ledger.add(account.id, fiveMovements);
    ledger.pagesMax = 0;
    const running = await Promise.all(Array.from({ length: 5 }, async () => create()));
    expect(running.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    const refused = await create();
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    ledger.pagesMax = Infinity;
    for (const { body } of running) expect((await ended(body.id)).status).toBe('COMPLETED');
    expect((await create()).status).toBe(202);
  });

  test('is refused while a thousand files are kept, until one of them expires', async () => {
    const { exported } = await completed();
    await gateway.database.query(
      `insert into export select other.* from export e, generate_series(2, 1000) n,
         jsonb_populate_record(e, jsonb_build_object('id', id || n, 'external_id', external_id || n)) other where e.id = $1`,
      [exported.id],
    );
    const refused = await create();
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    await gateway.database.query(`update export set expires_at = now() where id = $1`, [exported.id]);
    expect((await create()).status).toBe(202);
  });

  test('is listed newest first, by kind and status', async () => {
    const made = [await completed(), await completed({ kind: 'settlement' })].map(({ exported }) => exported.id);
    const list = async (query: string) =>
      (await gateway.asMerchant(key, 'GET', `/v1/exports${query}`)).body.data.map(({ id }) => id);
    expect(await list('')).toEqual(made.toReversed());
    expect(await list('?kind=statement')).toEqual([made[0]]);
    expect(await list('?status=PROCESSING')).toEqual([]);
    expect(await list(`?limit=1&cursor=${made[1]!}`)).toEqual([made[0]]);
  });
});
