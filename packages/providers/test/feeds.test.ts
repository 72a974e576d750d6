import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '@gateway/providers/testing';
import type { Feed, FeedName } from '#src/index.ts';
import { ScriptedProviders, type AdapterId } from './scripted-providers.ts';

const from = new Date('2026-01-02T10:00:00.000Z');
const to = new Date('2026-01-02T11:00:00.000Z');
const time = '2026-01-02T10:30:00.000Z';
let scripted: ScriptedProviders;
beforeAll(async () => {
  scripted = await ScriptedProviders.start(() => to);
});
afterAll(async () => scripted[Symbol.asyncDispose]());

function feedOf(id: AdapterId, name: FeedName): Feed {
  const feed = scripted.provider(id).feeds?.find((each) => each.name === name);
  if (!feed) throw new Error(`${id} has no ${name}`);
  return feed;
}

const paged = (name: string, items: readonly unknown[], pages = 1) => ({
  parametros: { paginacao: { quantidadeDePaginas: pages } },
  [name]: items,
});
const pix = (e2eId: string) => ({ endToEndId: e2eId, txid: 'our-charge', valor: '19.90', horario: time });
const sent = (e2eId: string) => ({
  ...{ endToEndId: e2eId, idEnvio: e2eId, valor: '12.50', status: 'REALIZADO', horario: { solicitacao: time } },
});
const infraction = (id: string) => ({ idInfracao: id, endToEndId: id, status: 'ABERTA', criadoEm: time, valor: '100' });
const speiPayment = (id: string) => ({
  ...{ id, direction: 'inbound', amount: 1990, currency: 'MXN', status: 'succeeded', transaction_date: time },
  tracking_key: 'K1',
  account_number: { id: 'acno_1', metadata: { reference: 'c' } },
});
const speiReturn = (id: string) => ({
  ...{ id, direction: 'outbound', amount: 10, currency: 'MXN', status: 'returned', transaction_date: time },
  metadata: { reference: 't', kind: 'payout' },
});
const speiRefund = (id: string) => ({ ...speiReturn(id), metadata: { reference: 't', kind: 'refund' } });
const transaction = (e2eId: string, more: object = { charge: { correlationID: 'our-charge' } }) => ({
  ...{ type: 'PAYMENT', endToEndId: e2eId, value: 1990, time },
  ...more,
});
const reversal = (e2eId: string) => transaction(e2eId, { type: 'REVERSAL', withdraw: { endToEndId: 'E-payout' } });
const dispute = (e2eId: string) => ({ status: 'IN_REVIEW', endToEndId: e2eId });

interface Case {
  readonly id: AdapterId;
  readonly name: FeedName;
  readonly item: (id: string) => object;
  /** Which member holds the id. */
  readonly member: string;
  readonly page: (items: readonly unknown[]) => object;
}

const cases: readonly Case[] = [
  {
    id: 'bacen',
    name: 'payments',
    item: pix,
    member: 'endToEndId',
    page: (items) => paged('pix', items),
  },
  { id: 'efi', name: 'payments', item: pix, member: 'endToEndId', page: (items) => paged('pix', items) },
  {
    id: 'efi',
    name: 'payouts',
    item: sent,
    member: 'endToEndId',
    page: (items) => paged('pix', items),
  },
  {
    ...{ id: 'efi', name: 'disputes', item: infraction, member: 'endToEndId' },
    page: (items) => paged('infracoes', items),
  },
  ...(
    [
      ['payments', speiPayment],
      ['payouts', speiReturn],
      ['returns', speiRefund],
    ] as const
  ).map(([name, item]): Case => ({ ...{ id: 'spei', name, item, member: 'id' }, page: (transfers) => transfers })),
  {
    ...{ id: 'woovi', name: 'payments', item: transaction, member: 'endToEndId' },
    page: (transactions) => ({ transactions }),
  },
  {
    ...{ id: 'woovi', name: 'payouts', item: reversal, member: 'endToEndId' },
    page: (transactions) => ({ transactions }),
  },
  {
    ...{ id: 'woovi', name: 'disputes', item: dispute, member: 'endToEndId' },
    page: (disputes) => ({ disputes }),
  },
];

/** The item once for each text in it, with another one in its place. */
function eachTextAs(item: unknown, text: string): unknown[] {
  if (typeof item === 'string') return [text];
  const members = Object(item) as Record<string, unknown>;
  return Object.entries(members).flatMap(([name, value]) =>
    eachTextAs(value, text).map((other) => ({ ...members, [name]: other })),
  );
}

describe.each(cases)('$name of $id', ({ id, name, item, member, page }) => {
  const hostile: readonly unknown[] = [
    { ...item('bad'), [member]: 'E'.repeat(300) },
    { ...item('bad'), [member]: undefined },
    { ...item('bad'), [member]: { id: 'bad' } },
    ...['a\0b', '\ud800'].flatMap((text) => eachTextAs({ ...item('bad'), note: '' }, text)),
    { ...item('bad'), note: 'x'.repeat(5_000) },
    { ...item('bad'), note: JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown },
    ...Object.entries({ amount: 2 ** 53, value: 2 ** 53, status: 'NOT_DESCRIBED' })
      .filter(([known]) => known in item('bad'))
      .map(([known, value]) => ({ ...item('bad'), [known]: value })),
    ...[null, 'text', 7],
  ];

  test.each(hostile)('an item that cannot be read takes none with it: %#', async (bad) => {
    scripted.answering = ({ path }) => ({
      body: page(path.includes('type=REFUND') ? [] : [item('E1'), bad, item('E2')]),
    });
    const rows = await rowsOf(feedOf(id, name), { from, to });
    const stored = JSON.parse(JSON.stringify(rows)) as typeof rows;
    expect(stored.map((row) => feedOf(id, name).read(row).kind)).toEqual(['pointer', 'unreadable', 'pointer']);
    expect(rows.every(({ key }) => /^[\x21-\x7e]{1,200}$/.test(key))).toBe(true);
    expect(JSON.stringify(rows)).not.toMatch(/\\u0000|\\ud800|x{5000}/);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
    expect((await rowsOf(feedOf(id, name), { from, to })).map(({ key }) => key)).toEqual(rows.map(({ key }) => key));
  });

  test.each([
    ['unreadable', 200, '<html>'],
    ['unreadable', 200, { another: 'answer' }],
    ['unavailable', 503, {}],
    ['unavailable', 401, {}],
    ['unavailable', 429, {}],
    ['unavailable', 404, { error: 'not found' }],
  ])('what is no page is %s: %i', async (expected, status, body) => {
    scripted.answering = () => ({ status, body });
    expect(await feedOf(id, name).readPage({ from, to })).toMatchObject({ kind: expected });
  });

  test('a connection that ends is no page', async () => {
    scripted.answering = () => undefined;
    expect(await feedOf(id, name).readPage({ from, to })).toMatchObject({ kind: 'unavailable' });
  });

  test('a place that is none of its own begins anew, and never throws', async () => {
    scripted.answering = () => ({ body: page([]) });
    for (const place of ['', 'x', '-1', '99999999999999999999', '1-0', '/', 'REFUND/x']) {
      expect(await feedOf(id, name).readPage({ from, to, place })).toMatchObject({ kind: 'page' });
    }
  });
});

describe('pages', () => {
  test.each(['bacen', 'efi'] as const)('of %s are asked for one after the other, to the last of three', async (id) => {
    scripted.answering = ({ path }) => {
      const page = Number(/paginaAtual=(\d+)/.exec(path)?.[1]);
      return { body: paged('pix', [pix(`E${page}`)], 3) };
    };
    const rows = await rowsOf(feedOf(id, 'payments'), { from, to });
    expect(rows.map(({ key }) => key)).toEqual(['pix:E0', 'pix:E1', 'pix:E2']);
  });

  test('of SPEI go on behind the last item of a full one, and a full one without a name ends nowhere', async () => {
    scripted.answering = ({ path }) => {
      const after = new URL(path, 'http://x').searchParams.get('starting_after');
      return { body: after === null ? [speiPayment('tr_1'), speiPayment('tr_2')] : [speiPayment(`${after}0`)] };
    };
    const rows = await rowsOf(feedOf('spei', 'payments'), { from, to, pageItems: 2 });
    expect(rows.map(({ key }) => key)).toEqual(['tr_1', 'tr_2', 'tr_20'].map((id) => `inbound:${id}:succeeded`));
    scripted.answering = () => ({ body: [speiPayment('tr_1'), {}] });
    expect(await feedOf('spei', 'payments').readPage({ from, to, pageItems: 2 })).toMatchObject({
      kind: 'unavailable',
    });
  });

  test('behind one of the Pix API that cannot be parsed go on with the next', async () => {
    scripted.answering = () => ({ body: {} });
    const page = await feedOf('bacen', 'payments').readPage({ from, to, place: '4', pageItems: 1 });
    expect(page).toMatchObject({ kind: 'unreadable', next: '5' });
  });

  test('of Woovi that are cut are asked for in halves, and all there is comes in the end, without a parameter of its own', async () => {
    const all = Array.from({ length: 40 }, (_, at) => new Date(from.getTime() + at * 60_000 + 1).toISOString());
    scripted.answering = ({ path }) => {
      const search = new URL(path, 'http://x').searchParams;
      const start = search.get('start') ?? '';
      const end = search.get('end') ?? '';
      const found = all.filter((at) => at >= start && at <= end);
      const transactions = found.slice(0, 7).map((at) => ({ ...transaction(`E${at}`), time: at }));
      return { body: { transactions, pageInfo: { skip: 0, limit: 7, hasNextPage: found.length > 7 } } };
    };
    scripted.takeRequests();
    const rows = await rowsOf(feedOf('woovi', 'payments'), { from, to });
    expect(new Set(rows.map(({ key }) => key)).size).toBe(40);
    const names = scripted.takeRequests().flatMap(({ path }) => [...new URL(path, 'http://x').searchParams.keys()]);
    expect(new Set(names)).toEqual(new Set(['start', 'end', 'type']));
  });

  test('of Woovi that stay cut in a millisecond are told so, with where it goes on', async () => {
    scripted.answering = () => ({ body: { transactions: [transaction('E1')], pageInfo: { hasNextPage: true } } });
    const instant = { from, to: new Date(from.getTime() + 2) };
    const feed = feedOf('woovi', 'payments');
    const half = await feed.readPage(instant);
    if (half.kind !== 'page') throw new Error(half.kind);
    expect(await feed.readPage({ ...instant, place: half.next ?? '' })).toMatchObject({
      ...{ kind: 'unreadable', next: expect.stringContaining('-') as string },
    });
  });
});

describe('returns', () => {
  const devolucao = (change: object) => ({
    ...{ id: 'd1', rtrId: 'D1', valor: '5.00', horario: { solicitacao: time }, status: 'DEVOLVIDO', ...change },
  });

  test('of received payments are a row each, by their state: each is something to ask for', async () => {
    const returns = [
      devolucao({ natureza: 'MED_FRAUDE' }),
      devolucao({ id: 'd2' }),
      devolucao({ id: 'd3', status: 'EM_PROCESSAMENTO' }),
    ];
    scripted.answering = () => ({ body: paged('pix', [{ ...pix('E1'), devolucoes: returns }]) });
    const feed = feedOf('bacen', 'returns');
    scripted.takeRequests();
    const rows = await rowsOf(feed, { from, to });
    expect(scripted.takeRequests().every(({ path }) => path.includes('devolucaoPresente=true'))).toBe(true);
    expect(rows.map(({ key }) => key)).toEqual([
      'devolucao:E1:d1:DEVOLVIDO',
      'devolucao:E1:d2:DEVOLVIDO',
      'devolucao:E1:d3:EM_PROCESSAMENTO',
    ]);
    expect(rows.map((row) => feed.read(row))).toMatchObject([
      { kind: 'pointer', events: [{ type: 'dispute.lost', e2eId: 'E1', returnId: 'D1', money: { amount: 500 } }] },
      { kind: 'pointer', events: [{ type: 'refund.done', ref: 'd2', e2eId: 'E1' }] },
      { kind: 'pointer', events: [] },
    ]);
    const efi = feedOf('efi', 'returns');
    expect(efi.read((await rowsOf(efi, { from, to }))[0] ?? { key: '', raw: null })).toMatchObject({
      ...{ kind: 'pointer', events: [{ type: 'dispute.lost', e2eId: 'E1' }] },
    });
  });

  test('are looked for in short lists every eighteen hours at least, and payments that are listed late an hour and a day later', () => {
    for (const [id, name] of [
      ['bacen', 'returns'],
      ['efi', 'returns'],
      ['efi', 'disputes'],
      ['woovi', 'disputes'],
    ] as const) {
      const hours = [0, ...feedOf(id, name).rereadAfterHours];
      const steps = hours.slice(1).map((each, at) => each - (hours[at] ?? 0));
      expect(Math.max(...steps), `${id} ${name}`).toBeLessThanOrEqual(18);
      expect(hours.at(-1)).toBeGreaterThanOrEqual(91 * 24);
    }
    for (const id of ['bacen', 'efi', 'woovi', 'spei'] as const) {
      expect(feedOf(id, 'payments').rereadAfterHours, id).toEqual([1, 24]);
    }
  });

  test('of received payments are looked for until the payment cannot go back any more', () => {
    for (const [id, name] of [
      ['bacen', 'returns'],
      ['efi', 'returns'],
      ['efi', 'payouts'],
      ['spei', 'payouts'],
      ['spei', 'returns'],
    ] as const) {
      const { windowBy, rereadAfterHours } = feedOf(id, name);
      expect(windowBy).toBe('creation');
      expect(Math.max(...rereadAfterHours)).toBeGreaterThanOrEqual(91 * 24);
    }
  });

  test('of payouts at Efí are a row each, complete', async () => {
    const back = [devolucao({}), devolucao({ id: 'd2', rtrId: 'D2', valor: '1.00' })];
    scripted.answering = () => ({ body: paged('pix', [{ ...sent('E1'), devolucoes: back }]) });
    const feed = feedOf('efi', 'payouts');
    const items = (await rowsOf(feed, { from, to })).map((row) => feed.read(row));
    expect(items).toMatchObject([
      { kind: 'pointer', events: [{ type: 'payout.paid', ref: 'E1' }] },
      { kind: 'pointer', events: [{ type: 'payout.returned', ref: 'E1', returnId: 'D1', money: { amount: 500 } }] },
      { kind: 'pointer', events: [{ type: 'payout.returned', ref: 'E1', returnId: 'D2', money: { amount: 100 } }] },
    ]);
  });

  test('of payments at Woovi that are under way, or were rejected, credit nothing by themselves', async () => {
    const statuses = ['CONFIRMED', 'IN_PROCESSING', 'CREATED', 'REJECTED'];
    const charge = { correlationID: 'our-charge' };
    scripted.answering = () => ({
      body: { transactions: statuses.map((status, at) => transaction(`E${at}`, { status, charge })) },
    });
    const feed = feedOf('woovi', 'payments');
    expect((await rowsOf(feed, { from, to })).map((row) => feed.read(row))).toMatchObject([
      { kind: 'pointer', events: [{ e2eId: 'E0' }] },
      { kind: 'pointer', events: [{ e2eId: 'E1' }] },
      { kind: 'pointer', events: [{ e2eId: 'E2' }] },
      { kind: 'pointer', events: [] },
    ]);
  });

  test('of payouts at Woovi may come as reversals or refunds, and are ours where they name a payment sent', async () => {
    scripted.answering = ({ path }) => ({
      body: {
        transactions: path.includes('REFUND')
          ? [
              transaction('D2', { type: 'REFUND', withdraw: { endToEndId: 'E9' } }),
              transaction('D3', { type: 'REFUND' }),
            ]
          : [reversal('D1'), transaction('D4', { type: 'REVERSAL' })],
      },
    });
    const feed = feedOf('woovi', 'payouts');
    expect((await rowsOf(feed, { from, to })).map((row) => feed.read(row))).toMatchObject([
      { kind: 'pointer', events: [{ type: 'payout.returned', e2eId: 'E-payout', returnId: 'D1' }] },
      { kind: 'unreadable' },
      { kind: 'pointer', events: [{ type: 'payout.returned', e2eId: 'E9', returnId: 'D2' }] },
      { kind: 'pointer', events: [] },
    ]);
  });
});
