import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readRecordEvents } from '@gateway/persistence';
import { eventually } from '@gateway/test-kit';
import { exportEvents } from '#src/exports/export.ts';
import { Exporting, fiveMovements } from '../harness/exporting.ts';

const exporting = new Exporting();
beforeAll(async () => exporting.start());
afterAll(async () => exporting.gateway[Symbol.asyncDispose]());
beforeEach(async () => exporting.useNewAccount());

test('an export whose ledger is away goes on when it is back, however often it was tried meantime', async () => {
  exporting.addCredits(250);
  [exporting.ledger.pages, exporting.ledger.pagesMax] = [0, 1];
  for (const code of ['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'] as const) {
    exporting.ledger.refusal = code;
    const { body } = await exporting.create();
    // One more attempt that counts would be the last one.
    await exporting.gateway.database.query(`update export set failures = 149 where id = $1`, [body.id]);
    const claims = async () =>
      (
        await exporting.gateway.database.query<{ claims: number }>(`select claims from export where id = $1`, [body.id])
      )[0]!.claims;
    const before = await claims();
    await eventually(async () => expect(await claims()).toBeGreaterThan(before + 1));
    expect((await exporting.read(body.id)).exported.status).toBe('PROCESSING');
    exporting.ledger.pagesMax = Infinity;
    expect(await exporting.ended(body.id)).toMatchObject({ status: 'COMPLETED', rows: 250 });
    const page = { environment: 'test', after: null, limit: 500 } as const;
    const { events } = await readRecordEvents(exporting.gateway.database, exportEvents, page);
    expect(events).toContainEqual(expect.objectContaining({ recordId: body.id, event: 'export.completed' }));
    [exporting.ledger.pages, exporting.ledger.pagesMax] = [0, 1];
  }
});

test('an export that another service answers with an error for a week ends, and gives its place free', async () => {
  exporting.addCredits(250);
  [exporting.ledger.pages, exporting.ledger.pagesMax] = [0, 0];
  exporting.ledger.refusal = 'INTERNAL_ERROR';
  const { body } = await exporting.create();
  const { database } = exporting.gateway;
  const aged = `update export set failures = 149, created_at = created_at - interval '8 days' where id = $1`;
  await eventually(async () => {
    // An attempt that is under way writes how many there were before.
    await database.query(aged, [body.id]);
    expect((await exporting.read(body.id)).exported.status).toBe('FAILED');
  });
  exporting.ledger.pagesMax = Infinity;
});

describe('a file is never given out', () => {
  const failed = async () => {
    const exported = await exporting.ended((await exporting.create()).body.id);
    expect(exported).toMatchObject({ status: 'FAILED', reason: 'does_not_add_up', download_url: null, sha256: null });
  };

  test('whose last movement is missing, though each of the others follows from the one before', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    exporting.ledger.unlisted = exporting.ledger.entries.at(-2)!.id;
    await failed();
  });

  test('whose closing balance is another one by the time it is written', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    exporting.ledger.wavers = true;
    await failed();
  });
});

describe('what is asked for', () => {
  test('once under one external id, however often and by how many callers', async () => {
    const body = exporting.wanted();
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () =>
        exporting.gateway.asMerchant(exporting.key, 'POST', '/v1/exports', { body }),
      ),
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
    [{ format: 'ofx', camt_version: '08' }, 'camt_version'],
    [{ format: 'camt053', camt_version: '09' }, 'camt_version'],
    [{ from: '2026-02-30' }, 'from'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ amount: 7 }, 'amount'],
  ])('%j is refused by name', async (more, path) => {
    const answer = await exporting.create(more, exporting.key, { 'x-api-version': '0.1' });
    expect([answer.status, answer.body.error.details[0]?.path]).toEqual([400, path]);
  });

  test.each(['ofx', 'ofx102', 'camt053', 'cnab240'])(
    'in %s has to be over, as a settlement has; CSV may go on',
    async (format) => {
      const today = new Date().toISOString().slice(0, 10);
      const open = { from: today, to: today, timezone: 'Etc/UTC' };
      const refused = await exporting.create({ ...open, format });
      expect([refused.status, refused.body.error.details[0]?.path]).toEqual([400, 'to']);
      const settled = await exporting.create({ ...open, kind: 'settlement' });
      expect([settled.status, settled.body.error.details[0]?.path]).toEqual([400, 'to']);
      expect((await exporting.completed(open)).exported.rows).toBe(0);
    },
  );

  test.each(['MXN', 'USDT'])('in %s has its own currency and exporting.account, and no CNAB', async (currency) => {
    exporting.ledger.add(exporting.account.id, [{ ...fiveMovements[1], currency: currency as 'MXN' }]);
    const refused = await exporting.create({ currency, format: 'cnab240' });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'CURRENCY_NOT_SUPPORTED']);
    const { exported, text } = await exporting.completed({ currency, format: 'ofx' });
    expect(exported).toMatchObject({ currency, closing_cents: 9_850 });
    expect(text).toContain(`<CURDEF>${currency === 'MXN' ? 'MXN' : 'XXX'}</CURDEF>`);
    expect(text).toContain(`-${currency}</ACCTID>`);
  });

  test('in camt.053 has the version that it was asked for in, and 08 without one', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    for (const [more, version] of [
      [{}, '08'],
      [{ camt_version: '02' }, '02'],
      [{ camt_version: '13' }, '13'],
    ] as const) {
      const { exported, text } = await exporting.completed({ format: 'camt053', ...more });
      expect(exported.closing_cents).toBe(99_250);
      expect(text).toContain(`"urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"`);
    }
  });

  test('five times at once is refused a sixth time, until one is done', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    exporting.ledger.pagesMax = 0;
    const running = await Promise.all(Array.from({ length: 5 }, async () => exporting.create()));
    expect(running.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    const refused = await exporting.create();
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    exporting.ledger.pagesMax = Infinity;
    for (const { body } of running) expect((await exporting.ended(body.id)).status).toBe('COMPLETED');
    expect((await exporting.create()).status).toBe(202);
  });

  test('is refused while a thousand files are kept, until one of them expires', async () => {
    const { exported } = await exporting.completed();
    await exporting.gateway.database.query(
      `insert into export select other.* from export e, generate_series(2, 1000) n,
         jsonb_populate_record(e, jsonb_build_object('id', id || n, 'external_id', external_id || n)) other where e.id = $1`,
      [exported.id],
    );
    const refused = await exporting.create();
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    await exporting.gateway.database.query(`update export set expires_at = now() where id = $1`, [exported.id]);
    expect((await exporting.create()).status).toBe(202);
  });

  test('is listed newest first, by kind and status', async () => {
    const made = [await exporting.completed(), await exporting.completed({ kind: 'settlement' })].map(
      ({ exported }) => exported.id,
    );
    const list = async (query: string) =>
      (await exporting.gateway.asMerchant(exporting.key, 'GET', `/v1/exports${query}`)).body.data.map(({ id }) => id);
    expect(await list('')).toEqual(made.toReversed());
    expect(await list('?kind=statement')).toEqual([made[0]]);
    expect(await list('?status=PROCESSING')).toEqual([]);
    expect(await list(`?limit=1&cursor=${made[1]!}`)).toEqual([made[0]]);
  });
});
