import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FeedRow } from '@gateway/contracts/providers';
import { linesOf } from '@gateway/providers/testing';
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

describe.each([
  {
    id: 'woovi' as const,
    entries: /\/statement\?/,
    single: /\/transaction\/(.+)$/,
    entry: (n: number, at: string) => ({ id: `S${n}`, time: at, value: 1990, type: 'CREDIT', transactionId: `E${n}` }),
    about: (n: number, at: string) => ({ endToEndId: `E${n}`, type: 'PAYMENT', value: 1990, time: at }),
    page: (transactions: readonly unknown[], isCut: boolean) => ({ transactions, pageInfo: { hasNextPage: isCut } }),
    found: (transaction: unknown) => ({ transaction }),
    most: 100,
  },
  {
    id: 'spei' as const,
    entries: /\/movements\?/,
    single: /\/transfers\/(.+)$/,
    entry: (n: number, at: string) => ({
      ...{ id: `S${n}`, amount: 1990, currency: 'MXN', direction: 'inbound', type: 'transfer' },
      ...{ transaction_date: at, resource_id: `E${n}` },
    }),
    about: (n: number, at: string) => ({
      ...{ id: `E${n}`, amount: 1990, currency: 'MXN', direction: 'inbound', status: 'succeeded', object: 'transfer' },
      ...{ tracking_key: `E${n}`, transaction_date: at, account_number: { id: 'a', metadata: { reference: 'r' } } },
    }),
    page: (transfers: readonly unknown[]) => transfers,
    found: (transfer: unknown) => transfer,
    most: 300,
  },
])('the statement of $id at three hundred payments a second', ({ id, entries, single, entry, about, ...answers }) => {
  const perSec = 300;
  const { page, found, most } = answers;
  const startMs = from.getTime() - 3_600_000;
  const timeOf = (n: number) => new Date(startMs + (n * 1_000) / perSec).toISOString();
  const at = (text: string | null) => Math.ceil(((Date.parse(text ?? '') - startMs) * perSec) / 1_000);
  let listed = 0;
  let lookedUp: string[] = [];
  const bank = (request: ReceivedRequest) => {
    const { pathname, searchParams: search } = new URL(request.path, 'http://x');
    const [start, end] = [at(search.get('start') ?? search.get('since')), at(search.get('end') ?? search.get('until'))];
    const count = Math.max(end - start, 0);
    const [, one] = single.exec(pathname) ?? [];
    if (one !== undefined) {
      lookedUp.push(one);
      return { body: found(about(Number(one.slice(1)), time)) };
    }
    const limit = Number(search.get('limit') ?? most);
    const last = search.get('starting_after');
    const skip = last === null ? Number(search.get('skip') ?? 0) : end - Number(last.slice(1));
    const length = Math.max(Math.min(limit, count - skip), 0);
    // Fintoc lists the newest first.
    const shown = Array.from({ length }, (_, index) => (id === 'spei' ? end - 1 - skip - index : start + skip + index));
    if (entries.test(request.path)) return { body: shown.map((n) => entry(n, timeOf(n))) };
    listed += 1;
    return {
      body: page(
        shown.map((n) => about(n, timeOf(n))),
        count > skip + limit,
      ),
    };
  };
  const window = (n: number) => ({
    from: new Date(from.getTime() + n * 30_000),
    to: new Date(from.getTime() + (n + 1) * 30_000),
  });

  test('has every line with what it is about, by as many lists as its window has, and windows overlap in none', async () => {
    now = to;
    scripted.answering = bank;
    const provider = scripted.provider(id);
    for (const n of [0, 1]) {
      listed = 0;
      const lines = await linesOf(provider, window(n));
      expect(lines.length).toBeGreaterThanOrEqual(30 * perSec);
      expect(lines.every(({ kind, e2eId }) => kind === 'payment' && e2eId !== null)).toBe(true);
      expect(listed).toBeGreaterThan(0);
      if (n === 1) expect(listed).toBeLessThanOrEqual((30 * perSec * 1.8) / most);
    }
    expect(lookedUp).toEqual([]);
  });

  test('is read again without a list: what is known is not asked about, and the few others one by one', async () => {
    now = new Date(to.getTime() + 3_600_000);
    scripted.answering = bank;
    [listed, lookedUp] = [0, []];
    const unknown = `S${at(window(5).from.toISOString()) + 3}`;
    const known = async (names: readonly string[]) => new Set(names.filter((name) => name !== unknown));
    const { rows } = (await statementOf(id).readPage({ ...window(5), pageItems: 100 }, { known })) as {
      rows: readonly FeedRow[];
    };
    expect(rows.length).toBe(100);
    const isListed = rows.some(({ key }) => key.endsWith(`:${unknown}`));
    expect({ listed, lookedUp }).toEqual({ listed: 0, lookedUp: isListed ? [unknown.replace('S', 'E')] : [] });
  });

  test('goes on with its list where the provider became too slow, in the middle of a window too', async () => {
    now = new Date(to.getTime() + 7_200_000);
    const first = { ...window(9), pageItems: 100 };
    scripted.answering = bank;
    let answered = 0;
    const slow = async (place?: string) => {
      const deadline = new AbortController();
      answered = 0;
      scripted.answering = (request) => {
        answered += 1;
        if (answered === 20) deadline.abort();
        return bank(request);
      };
      const asked = place === undefined ? first : { ...first, place };
      return await statementOf(id).readPage(asked, { signal: deadline.signal });
    };
    const [kinds, place] = [[] as string[], id === 'woovi' ? '200' : undefined];
    for (let attempt = 0; attempt < 40 && kinds.at(-1) !== 'page'; attempt += 1) {
      const answer = await slow(place);
      kinds.push(answer.kind);
      if (answer.kind === 'unavailable') expect(answer.listed).toBeGreaterThan(0);
    }
    expect(kinds[0]).toBe('unavailable');
    expect(kinds.at(-1)).toBe('page');
  });
});

test('the payouts of efi are listed again now and then, and in old windows not each time that these are read', async () => {
  const empty = { parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix: [] };
  scripted.answering = () => ({ body: empty });
  const listedAt = async (ageHours: number): Promise<boolean> => {
    now = new Date(to.getTime() + ageHours * 3_600_000);
    scripted.takeRequests();
    await linesOf(scripted.provider('efi'), { from, to });
    return scripted.takeRequests().some(({ path }) => path.includes('/enviados'));
  };
  const ages = [0, ...statementOf('efi').rereadAfterHours].filter((hours) => hours < 24 || hours > 96);
  const read: number[] = [];
  for (const hours of ages) if (await listedAt(hours)) read.push(hours);
  expect(read).toEqual([0, 1, 18, 180, 198, 342, 360, 720, 738, 1440, 1458, 2196]);
});
