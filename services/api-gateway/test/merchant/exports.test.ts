import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ExportCompleted } from '@gateway/contracts/exports';
import { ledgerEntryTypeSchema } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { LinkTokens } from '@gateway/runtime';
import { eventually } from '@gateway/test-kit';
import { day, Exporting, fiveMovements } from '../harness/exporting.ts';
import { secretsKey } from '../harness/start-gateway.ts';

const exporting = new Exporting();
beforeAll(async () => exporting.start());
afterAll(async () => exporting.gateway[Symbol.asyncDispose]());
beforeEach(async () => exporting.useNewAccount());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('an export of a day', () => {
  test.each(['csv', 'ofx', 'ofx102', 'camt053', 'cnab240'])(
    'in %s has its movements, both balances and the digest of its file',
    async (format) => {
      exporting.ledger.add(exporting.account.id, fiveMovements);
      const { exported, text } = await exporting.completed({ format });
      expect(exported).toMatchObject({ rows: 5, opening_cents: 100_000, closing_cents: 99_250 });
      expect(exported.sha256).toBe(sha256(text));
      const last = exporting.ledger.entries.at(-2)!.id;
      expect(exported.checkpoint).toBe(`test.0 with ${last}`);
      expect(exported.expires_at! - exported.completed_at!).toBe(7 * 86_400);
      const amount = format === 'cnab240' ? '000000000000009850C' : '98.50';
      expect(text.split(amount).length - 1).toBeGreaterThan(0);
      expect(text).toMatch(format === 'csv' ? /,-30\.00,992\.50\r\n$/ : /99250|992\.50/);
    },
  );

  test('says the same of its days as the settlement report, which adds up to the ledger by type', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    const { exported, text } = await exporting.completed({ kind: 'settlement' });
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

  test('with every type of entry is the same in report, statement and ledger, type by type', async () => {
    const at = (second: number) => new Date(Date.parse(`${day}T12:00:00Z`) + second * 1_000).toISOString();
    const types = ledgerEntryTypeSchema.options;
    const opening = { at: `${day}T02:00:00Z`, type: 'ADJUSTMENT', refType: 'adjustment', amount: 1_000_000 } as const;
    const twice = [...types, ...types].map((type, place) => {
      const refType = type === 'DEPOSIT_NET' ? ('deposit' as const) : ('adjustment' as const);
      return { at: at(place), type, refType, amount: place % 3 === 0 ? 5_000 + place : -700 - place };
    });
    exporting.ledger.add(exporting.account.id, [opening, ...twice]);
    const [report, statement] = [await exporting.completed({ kind: 'settlement' }), await exporting.completed()];
    const sums = new Map(types.map((type) => [type as string, { count: 0, cents: 0 }]));
    const inCents = (decimal = '') => Math.round(Number(decimal) * 100);
    const [head = '', ...rows] = statement.text.trimEnd().split('\r\n');
    const cells = (row: string, name: string) => row.split(',')[head.split(',').indexOf(name)];
    for (const row of rows) {
      const sum = sums.get(cells(row, 'type') ?? '')!;
      sums.set(cells(row, 'type')!, { count: sum.count + 1, cents: sum.cents + inCents(cells(row, 'net')) });
    }
    const booked = (type: string) => twice.filter((entry) => entry.type === type);
    const reported = report.text.split('\r\n').map((line) => line.split(','));
    for (const type of types) {
      const cents = booked(type).reduce((sum, { amount }) => sum + amount, 0);
      expect(sums.get(type), `${type} of the statement`).toEqual({ count: 2, cents });
      const [, , count, , , , net] = reported.find(([, name]) => name === type) ?? [];
      expect([count, inCents(net)], `${type} of the report`).toEqual(['2', cents]);
    }
    const closing = twice.reduce((sum, { amount }) => sum + amount, 1_000_000);
    for (const { exported } of [report, statement]) {
      expect(exported).toMatchObject({ rows: 2 * types.length, opening_cents: 1_000_000, closing_cents: closing });
    }
  });

  test('names a checkpoint that has its last movement, and is not complete before there is one', async () => {
    const { ledger, account } = exporting;
    const credit = (atMs: number) => ({ ...fiveMovements[0], at: new Date(atMs).toISOString() });
    const nowMs = Date.now();
    ledger.add(account.id, [credit(nowMs - 3_600_000), credit(nowMs - 120_000)]);
    ledger.unsignedFrom = ledger.entries.at(-1)!.id;
    const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const { body } = await exporting.create({
      from: dateOf(nowMs - 86_400_000),
      to: dateOf(nowMs),
      timezone: 'Etc/UTC',
    });
    const tried = `select from export where id = $1 and (progress ->> 'isEnded')::boolean and claims > 1`;
    await eventually(async () => expect(await exporting.gateway.database.query(tried, [body.id])).toHaveLength(1));
    expect((await exporting.read(body.id)).exported.status).toBe('PROCESSING');
    ledger.unsignedFrom = 'led_~';
    const checkpoint = `test.0 with ${ledger.entries.at(-1)!.id}`;
    expect(await exporting.ended(body.id)).toMatchObject({ status: 'COMPLETED', rows: 2, checkpoint });
  });

  test('that goes on has what was booked until a minute before it began, whatever is booked while it is written', async () => {
    const nowMs = Date.now();
    const credit = (atMs: number) =>
      ({ at: new Date(atMs).toISOString(), type: 'ADJUSTMENT', refType: 'adjustment', amount: 100 }) as const;
    const { ledger, account } = exporting;
    ledger.add(
      account.id,
      Array.from({ length: 450 }, (_, place) => credit(nowMs - 3_600_000 + place)),
    );
    [ledger.pages, ledger.pagesMax] = [0, 1];
    const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const period = { from: dateOf(nowMs - 86_400_000), to: dateOf(nowMs), timezone: 'Etc/UTC' };
    const { body } = await exporting.create(period);
    const begun = `select progress ->> 'toMs' as "toMs" from export where id = $1 and claims > 1`;
    await eventually(async () => expect(await exporting.gateway.database.query(begun, [body.id])).toHaveLength(1));
    ledger.add(
      account.id,
      Array.from({ length: 300 }, (_, place) => credit(Date.now() + place)),
    );
    ledger.pagesMax = Infinity;
    const exported = await exporting.ended(body.id);
    expect(exported).toMatchObject({ status: 'COMPLETED', rows: 450, opening_cents: 0, closing_cents: 45_000 });
  });

  test('without movements has the balance it began with at its end', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    const { exported } = await exporting.completed({ format: 'camt053', from: '2026-11-18', to: '2026-11-18' });
    expect(exported).toMatchObject({ rows: 0, opening_cents: 0, closing_cents: 0 });
  });

  test('joins the day after it, and a period is the sum of its days', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    const [first, second, both] = [
      await exporting.completed(),
      await exporting.completed({ from: '2026-11-21', to: '2026-11-21' }),
      await exporting.completed({ to: '2026-11-21' }),
    ];
    expect(second.exported.opening_cents).toBe(first.exported.closing_cents);
    expect(both.exported.rows).toBe(first.exported.rows! + second.exported.rows!);
    expect(both.text).toBe(first.text + second.text.slice(second.text.indexOf('\r\n') + 2));
  });

  test('is part of its month: days with a movement in their first and last millisecond, and days without one, add up to it', async () => {
    const dates = Array.from({ length: 31 }, (_, index) => `2026-10-${String(index + 1).padStart(2, '0')}`);
    const movement = (atMs: number, amount: number) =>
      ({ at: new Date(atMs).toISOString(), type: 'ADJUSTMENT', refType: 'adjustment', amount }) as const;
    const busy = dates.filter((_, index) => index % 3 === 0);
    const movements = busy.flatMap((date, index) => {
      const midnightMs = Date.parse(`${date}T00:00:00.000-03:00`);
      return [movement(midnightMs, 1_000 + index), movement(midnightMs + 86_400_000 - 1, -100 - index)];
    });
    exporting.ledger.add(exporting.account.id, movements);
    const month = await exporting.completed({ from: dates[0], to: dates.at(-1) });
    let [balance, head, rows] = [0, '', ''];
    for (const date of dates) {
      const { exported, text } = await exporting.completed({ from: date, to: date });
      expect([date, exported.opening_cents, exported.rows]).toEqual([date, balance, busy.includes(date) ? 2 : 0]);
      balance = exported.closing_cents!;
      head = text.slice(0, text.indexOf('\r\n') + 2);
      rows += text.slice(head.length);
    }
    expect(month.text).toBe(head + rows);
    expect(month.exported).toMatchObject({ rows: movements.length, opening_cents: 0, closing_cents: balance });
  }, 120_000);

  test('is shown with amounts under the names of contract 1.0', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    const { exported } = await exporting.completed();
    const beta = (await exporting.read(exported.id, exporting.key, { 'x-api-version': '1.0' })).exported;
    expect(beta).toMatchObject({ opening: 100_000, closing: 99_250 });
    expect(beta).not.toHaveProperty('opening_cents');
  });

  test('is published once when it is complete, without a link', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    const published: string[] = [];
    exporting.gateway.bus.connection.subscribe(ExportCompleted.subject, {
      callback: (_error, message) => void published.push(message.string()),
    });
    const { exported } = await exporting.completed();
    const about = () => published.filter((text) => text.includes(exported.id));
    await eventually(() => expect(about()).toHaveLength(1));
    expect(about()[0]).toContain(exported.sha256);
    expect(about()[0]).not.toContain('/exports/');
  });
});

describe('a file', () => {
  test('of many pages is whole when its process ends in the middle and another goes on', async () => {
    exporting.addCredits(4_300);
    exporting.ledger.pages = 0;
    exporting.ledger.pagesMax = 21;
    const [first, second] = [await exporting.gateway.startReplica(), await exporting.gateway.startReplica()];
    const { body } = await first.asMerchant(exporting.key, 'POST', '/v1/exports', {
      body: exporting.wanted({ format: 'ofx' }),
    });
    await eventually(async () => expect(await exporting.storedParts(body.id)).toBe(1));
    // One that was killed with a page in its hands still has the lease; what it writes later is refused.
    await exporting.gateway.database.query(`update export set claims = claims + 1, due_at = now() where id = $1`, [
      body.id,
    ]);
    exporting.ledger.pagesMax = Infinity;
    const exported = await exporting.ended(body.id);
    expect(exported).toMatchObject({ status: 'COMPLETED', rows: 4_300, closing_cents: 430_000 });
    const { text, headers } = await second.call('GET', new URL(exported.download_url!).pathname);
    expect(sha256(text)).toBe(exported.sha256);
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
    const ids = [...text.matchAll(/<FITID>(led_\w+)</g)].map(([, id]) => id);
    expect(ids).toEqual(
      exporting.ledger.entries.filter(({ accountId }) => accountId === exporting.account.id).map(({ id }) => id),
    );
    expect(text.match(/<LEDGERBAL>/g)).toHaveLength(1);
  }, 120_000);

  test('of any length is held in memory a part at a time: twice the rows are twice the parts, none of them larger, and every row is in one', async () => {
    const partsOf = async (count: number) => {
      await exporting.useNewAccount();
      exporting.addCredits(count);
      const { exported, text } = await exporting.completed();
      expect(exported).toMatchObject({ rows: count, closing_cents: count * 100 });
      const ids = [...text.matchAll(/,(led_\w+),/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(count);
      const sql = 'select bytes from export_part where export_id = $1 order by number';
      const parts = await exporting.gateway.database.query<{ bytes: number }>(sql, [exported.id]);
      return { count: parts.length, largest: Math.max(...parts.map(({ bytes }) => bytes)) };
    };
    const [few, many] = [await partsOf(4_200), await partsOf(8_400)];
    expect(few.count).toBeGreaterThan(1);
    expect(many.count).toBeGreaterThanOrEqual(2 * few.count - 1);
    expect(many.largest).toBeLessThanOrEqual(few.largest * 1.05);
  }, 120_000);

  test('whose pages are slow is kept part by part, each well within its lease', async () => {
    exporting.addCredits(1_300);
    exporting.ledger.pages = 0;
    exporting.ledger.pagesMax = 5;
    const clock = Date.now.bind(Date);
    const slow = vi.spyOn(Date, 'now').mockImplementation(() => clock() + exporting.ledger.pages * 15_000);
    const { body } = await exporting.create();
    await eventually(async () => expect(await exporting.storedParts(body.id)).toBeGreaterThan(0));
    slow.mockRestore();
    exporting.ledger.pagesMax = Infinity;
    await exporting.gateway.database.query(`update export set due_at = now() where id = $1`, [body.id]);
    expect(await exporting.ended(body.id)).toMatchObject({ status: 'COMPLETED', rows: 1_300, closing_cents: 130_000 });
  });

  test('whose movements do not lead to the closing balance is never given out', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    const forged = exporting.ledger.entries.findIndex(
      ({ accountId, type }) => accountId === exporting.account.id && type === 'PAYOUT',
    );
    exporting.ledger.entries[forged] = { ...exporting.ledger.entries[forged]!, amount: -4_999 };
    const exported = await exporting.ended((await exporting.create()).body.id);
    expect(exported).toMatchObject({ status: 'FAILED', reason: 'does_not_add_up', download_url: null, sha256: null });
  });

  test('is behind a link of its own account that is whole and not older than 15 minutes', async () => {
    exporting.ledger.add(exporting.account.id, fiveMovements);
    const { exported } = await exporting.completed();
    const other = await exporting.gateway.newAccount();
    expect((await exporting.read(exported.id, other.test)).status).toBe(404);
    expect((await exporting.read(exported.id, exporting.account.live)).status).toBe(404);
    const tokens = new LinkTokens([secretsKey]);
    const nowSec = Math.floor(Date.now() / 1_000);
    const grant = { environment: 'test', accountId: exporting.account.id, expiresAt: nowSec + 60 };
    const path = new URL(exported.download_url!).pathname;
    expect(Number(path.split('.')[2]) - nowSec).toBeLessThanOrEqual(900);
    const status = async (token: string) =>
      (await exporting.gateway.call('GET', `/exports/${exported.id}/${token}`)).status;
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
    exporting.ledger.add(exporting.account.id, fiveMovements);
    const { exported } = await exporting.completed();
    await exporting.gateway.database.query(`update export set expires_at = now() - interval '1 s' where id = $1`, [
      exported.id,
    ]);
    expect((await exporting.fileOf(exported)).status).toBe(404);
    expect((await exporting.read(exported.id)).exported).toMatchObject({
      status: 'COMPLETED',
      rows: 5,
      download_url: null,
    });
  });
});
