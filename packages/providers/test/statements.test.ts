import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linesOf, rowsOf } from '@gateway/providers/testing';
import type { StatementFeed } from '#src/index.ts';
import type { ReceivedRequest } from './http/scripted-server.ts';
import { ScriptedProviders, type AdapterId } from './scripted-providers.ts';

const from = new Date('2026-01-02T10:00:00.000Z');
const to = new Date('2026-01-02T11:00:00.000Z');
const time = '2026-01-02T10:30:00.000Z';
let now = to;
let scripted: ScriptedProviders;
beforeAll(async () => {
  scripted = await ScriptedProviders.start(() => now);
});
afterAll(async () => scripted[Symbol.asyncDispose]());

function statementOf(id: AdapterId): StatementFeed {
  const { statement } = scripted.provider(id);
  if (!statement) throw new Error(`${id} has no statement`);
  return statement;
}

const paged = (pix: readonly unknown[]) => ({ parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix });

interface Case {
  readonly id: AdapterId;
  readonly item: (id: string) => Readonly<Record<string, unknown>>;
  /** The list that the items are in. */
  readonly path: RegExp;
  readonly page: (items: readonly unknown[]) => object;
  /** What every other list answers. */
  readonly empty: object;
}

const pixApi = {
  item: (id: string) => ({ endToEndId: id, txid: 'our-charge', valor: '19.90', horario: time }),
  page: paged,
  empty: paged([]),
};

const cases: readonly Case[] = [
  { id: 'bacen', path: /^\/pix\?/, ...pixApi },
  { id: 'efi', path: /^\/v2\/pix\?/, ...pixApi },
  {
    id: 'spei',
    path: /\/movements\?/,
    item: (id) => ({
      ...{ id, amount: 1990, currency: 'MXN', direction: 'inbound', type: 'other', transaction_date: time },
    }),
    page: (movements) => movements,
    empty: [],
  },
  {
    id: 'woovi',
    path: /\/statement\?/,
    item: (id) => ({ id, time, value: 1990, type: 'CREDIT', description: 'x' }),
    page: (entries) => entries,
    empty: { transactions: [] },
  },
];

describe.each(cases)('the statement of $id', ({ id, item, path, page, empty }) => {
  const listing = (items: readonly unknown[]) => (request: ReceivedRequest) => ({
    body: path.test(request.path) ? page(items) : empty,
  });
  const amount = ['valor', 'amount', 'value'].find((name) => name in item('bad')) ?? '';

  test.each([
    { ...item('bad'), [amount]: undefined },
    { ...item('bad'), [amount]: 2 ** 53 },
    { ...item('bad'), [amount]: -5 },
    { ...item('bad'), [amount]: '12.345' },
    { ...item('bad'), note: 'a\0b' },
    { ...item('bad'), note: '\ud800' },
    { ...item('bad'), note: 'x'.repeat(5_000) },
    null,
    'text',
    7,
  ])('an entry that cannot be read is set aside, and the page goes on: %#', async (bad) => {
    scripted.answering = listing([item('E1'), bad, item('E2')]);
    const rows = await rowsOf(statementOf(id), { from, to });
    const stored = JSON.parse(JSON.stringify(rows)) as typeof rows;
    expect(stored.map((row) => statementOf(id).read(row).kind)).toEqual(['line', 'unreadable', 'line']);
  });

  test('a list that is refused or makes no sense is no empty page', async () => {
    for (const status of [200, 401, 404, 503]) {
      scripted.answering = () => ({ status, body: { simulated: 'nonsense' } });
      expect((await statementOf(id).readPage({ from, to })).kind).not.toBe('page');
    }
  });
});

test('the transactions of a window of woovi are listed once, however many pages it has, and anew when it is read again', async () => {
  now = to;
  let listed = 0;
  const entry = { id: 'S1', time, value: 1990, type: 'CREDIT', transactionId: 'E12345678202601021030abcdef00001' };
  scripted.answering = ({ path }) => {
    if (path.includes('/statement?')) return { body: [entry] };
    listed += Number(path.includes('/transaction?'));
    return { body: { transactions: [{ endToEndId: entry.transactionId, type: 'PAYMENT', value: 1990, time }] } };
  };
  const read = async (place: string) =>
    (await statementOf('woovi').readPage({ from, to, place, pageItems: 1 })).kind === 'page';
  expect([await read('0'), await read('1'), await read('2'), listed]).toEqual([true, true, true, 1]);
  now = new Date(to.getTime() + 60_000);
  expect([await read('0'), listed]).toEqual([true, 2]);
});

test('a statement of woovi can be read at a hundred payments a second, by lists that show a hundred of them', async () => {
  now = to;
  const [fromMs, perMs] = [from.getTime(), 10];
  const first = (ms: number) => Math.ceil((ms - (fromMs - 60_000)) / perMs);
  const e2eIdOf = (n: number) => `E${n}`;
  let calls = 0;
  scripted.answering = ({ path }) => {
    const search = new URL(path, 'http://x').searchParams;
    if (path.includes('/statement?')) {
      return {
        body: [{ id: 'S1', time, value: 1990, type: 'CREDIT', transactionId: e2eIdOf(first(fromMs + 12_340)) }],
      };
    }
    calls += 1;
    const [start, end] = [first(Date.parse(search.get('start') ?? '')), first(Date.parse(search.get('end') ?? ''))];
    const found = Array.from({ length: Math.min(end - start, 100) }, (_, at) => e2eIdOf(start + at));
    const transactions = found.map((endToEndId) => ({ endToEndId, type: 'PAYMENT', value: 1990, time }));
    return { body: { transactions, pageInfo: { hasNextPage: end - start > 100 } } };
  };
  const window = { from, to: new Date(fromMs + 30_000) };
  expect(await linesOf(scripted.provider('woovi'), window)).toMatchObject([
    { kind: 'payment', e2eId: e2eIdOf(first(fromMs + 12_340)) },
  ]);
  expect(calls).toBeLessThan(160);
});

/* Records with values of our own, each of a type and with the columns that Efí's layout 4.0 describes. */
const records = [
  'PR;31;E1;charge1;9.00;12345678908;;;2026-01-01T20:15:00.358Z',
  'PR;32;E1;charge1;9.00;12345678908;;;2026-01-01T20:15:00.358Z',
  'PEC;33;E2;payout2;9.10;pix@example.com;;API;2026-01-01T20:15:00.358Z',
  'PEB;34;E3;payout3;9.20;Fulano;12345678908;09089356;1;123453;cacc;;API;2026-01-01T20:15:00.358Z',
  'EPE;35;E3;9.20;2026-01-01T20:15:00.358Z',
  'PDE;36;E1;charge1;refund1;D1;3.00;2026-01-01T20:15:00.358Z',
  'PDR;37;E2;D2;4.00;2026-01-01T20:15:00.358Z',
  'TPR;38;E1;1.00;2026-01-01T20:15:00.358Z',
  'TPE;39;E2;charge1;000AAA111;D9;1.50;2026-01-01T20:15:00.358Z',
  'ETPR;40;E1;1.00;2026-01-01T20:15:00.358Z',
  'ETPE;41;E2;1.50;2026-01-01T20:15:00.358Z',
  'TFR;42;77;21.50;;2026-01-01T20:15:00.358Z',
  'TFE;43;78;31.50;2026-01-01T20:15:00.358Z',
  'TTFE;43;78;5.55;2026-01-01T20:16:00.358Z',
  'ETFE;44;78;31.50;2026-01-01T20:16:00.358Z',
  'ETTFE;44;78;5.55;2026-01-01T20:16:00.358Z',
];
const report = (lines: readonly string[], announced = lines.length) =>
  ['CA;Efi;364;1;1;A;2026-01-02;2026-01-01;Extrato;1.0', 'SD0;29.00;2025-12-31', ...lines, `T;${announced};0`].join(
    '\n',
  );

describe('the report of a day of efi', () => {
  const window = { from: new Date('2026-01-01T02:30:00.000Z'), to: new Date('2026-01-01T03:30:00.000Z') };
  const answering = (lines: string) => (request: ReceivedRequest) => {
    if (request.path.endsWith('extrato-conciliacao')) return { body: { id: 'r1', status: 'CONCLUIDO' } };
    return request.path.includes('/relatorios/') ? { text: lines, body: null } : { body: paged([]) };
  };

  test('has a line for each record, signed, with the ids by which it is matched', async () => {
    now = new Date('2026-01-02T12:00:00.000Z');
    scripted.answering = answering(report(records));
    const lines = await linesOf(scripted.provider('efi'), window);
    expect(lines.map(({ lineKey, kind, amount }) => [lineKey, kind, amount])).toEqual([
      ['pix:E1', 'payment', 900],
      ['pix:E1.2', 'payment', 900],
      ['envio:payout2', 'payout', -910],
      ['envio:payout3', 'payout', -920],
      ['estorno:E3', 'return', 920],
      ['devolucao:E1:refund1', 'other', -300],
      ['retorno:D2', 'other', 400],
      ['TPR:E1', 'fee', -100],
      ['TPE:E2', 'fee', -150],
      ['ETPR:E1', 'fee', 100],
      ['ETPE:E2', 'fee', 150],
      ['TFR:42:77', 'own_transfer', 2150],
      ['TFE:43:78', 'own_transfer', -3150],
      ['TTFE:43', 'fee', -555],
      ['ETFE:44:78', 'own_transfer', 3150],
      ['ETTFE:44', 'fee', 555],
    ]);
    expect(lines[0]).toMatchObject({ e2eId: 'E1', ourRef: 'charge1', counterparty: '12345678908' });
    expect(lines[5]).toMatchObject({ e2eId: 'E1', returnId: 'D1', ourRef: 'refund1', valueDate: '2026-01-01' });
  });

  test('what was sent without a reference of ours has a key of its own on every day', async () => {
    now = new Date('2026-01-02T12:30:00.000Z');
    const sent = (e2eId: string) => `PEC;33;${e2eId};;9.10;pix@example.com;;APP;2026-01-01T20:15:00.358Z`;
    scripted.answering = answering(report([sent('E7'), sent('E8'), 'TPE;;;1.50;2026-01-01T20:15:00.358Z']));
    const lines = await linesOf(scripted.provider('efi'), window);
    expect(lines.map(({ lineKey, amount }) => [lineKey, amount])).toEqual([
      ['envio:E7', -910],
      ['envio:E8', -910],
      ['TPE:2026-01-01T20:15:00.358Z', -150],
    ]);
  });

  test('a record of an unknown type or without an amount is set aside, and the others are read', async () => {
    now = new Date('2026-01-02T13:00:00.000Z');
    scripted.answering = answering(report(['XX;1;E9;1.00;2026-01-01T20:15:00.358Z', 'TPR;1;E8;;x', ...records]));
    const rows = await rowsOf(statementOf('efi'), window);
    const kinds = rows.map((row) => statementOf('efi').read(row).kind);
    expect(kinds).toEqual(['unreadable', 'unreadable', ...records.map(() => 'line')]);
  });

  test('a report that was cut is no report: its trailer announces more lines than it has', async () => {
    now = new Date('2026-01-02T14:00:00.000Z');
    for (const cut of [report(records, records.length + 1), report(records).split('\n').slice(0, -1).join('\n'), '']) {
      scripted.answering = answering(cut);
      const page = await statementOf('efi').readPage({ ...window, place: 'report/' });
      expect(page.kind).toBe('unavailable');
    }
  });
});
