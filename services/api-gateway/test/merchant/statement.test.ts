import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { listEntries, showEntries, type LedgerEntry } from '@gateway/contracts/ledger';
import type { RequestOf } from '@gateway/contracts/messages';
import { eventually } from '@gateway/test-kit';
import { listing } from '../harness/listing.ts';
import { entryOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const entriesMax = 1_000;
const asked: RequestOf<typeof listEntries>[] = [];
let entries: LedgerEntry[] = [];
let failAfterPages = Number.POSITIVE_INFINITY;
let endless = false;
let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

beforeAll(async () => {
  gateway = await startGateway([
    ...listing('entry', { list: listEntries, show: showEntries }, async (request) => {
      asked.push(request);
      if (endless) return { entries: entries.slice(0, request.limit), nextCursor: entries[0]!.id };
      const from = request.cursor === undefined ? 0 : entries.findIndex(({ id }) => id === request.cursor) + 1;
      if (request.cursor !== undefined && from === 0)
        throw new ValidationError([{ path: 'cursor', message: 'is not' }]);
      if (asked.length > failAfterPages) throw new DomainError('SERVICE_UNAVAILABLE', 'away');
      const page = entries.slice(from, from + request.limit);
      const more = from + page.length < entries.length;
      return { entries: page, nextCursor: more ? (page.at(-1)?.id ?? null) : null };
    }),
  ]);
  account = await gateway.newAccount();
  const owner = { environment: 'test', accountId: account.id } as const;
  entries = Array.from({ length: entriesMax }, (_, index) => entryOf(owner, index - 3)).reverse();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const read = (query = '', accept?: string) => {
  asked.length = 0;
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  return gateway.asMerchant(account.test, 'GET', `/v1/transactions${query}`, { headers });
};

test('a page of entries hands every filter to the ledger', async () => {
  const filters = 'limit=2&currency=BRL&type=DEPOSIT_NET&ref_id=dep_1&from=5&to=9';
  const { body } = await read(`?${filters}`);
  expect(body.data).toHaveLength(2);
  expect(body.data[0]).toMatchObject({ type: 'DEPOSIT_NET', currency: 'BRL', ref_type: 'deposit' });
  expect(body.next_cursor).toBe(body.data[1]?.id);
  const filtered = { limit: 2, currency: 'BRL', type: 'DEPOSIT_NET', refId: 'dep_1', from: 5, to: 9, order: 'desc' };
  expect(asked[0]).toEqual({ environment: 'test', accountId: account.id, ...filtered });
});

test('a statement in CSV holds every entry once, newest first, whatever its length', async () => {
  const answer = await read('?currency=BRL', 'text/csv');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [head, ...rows] = answer.text.trimEnd().split('\n');
  expect(head).toBe('id,type,amount_cents,currency,ref_type,ref_id,balance_after_cents,created_at');
  const expected = entries.map(({ id, type, amount, currency, refType, refId, balanceAfter, createdAt }) =>
    [id, type, amount, currency, refType, refId, balanceAfter, createdAt].join(','),
  );
  expect(rows).toEqual(expected);
  expect(asked).toHaveLength(entriesMax / 200);
  expect(asked.every(({ currency }) => currency === 'BRL')).toBe(true);
});

test('a statement that is refused is refused in JSON with its status', async () => {
  const answer = await read('?cursor=led_01k9zzzzzzzzzzzzzzzzzzzzzz', 'text/csv');
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
});

test('a statement that cannot be finished is cut off, never taken for a whole one', async () => {
  failAfterPages = 2;
  await expect(read('', 'text/csv')).rejects.toThrow();
  failAfterPages = Number.POSITIVE_INFINITY;
});

test('a receiver that hangs up is not read for any longer', async () => {
  endless = true;
  asked.length = 0;
  const stopped = new AbortController();
  const { public_key, secret_key } = account.test;
  const response = await fetch(`${gateway.baseUrl}/v1/transactions`, {
    headers: { accept: 'text/csv', 'x-api-key': public_key, 'x-api-secret': secret_key },
    signal: stopped.signal,
  });
  expect(response.status).toBe(200);
  stopped.abort();
  await eventually(expectNoPageRead);
  endless = false;
});

test('a receiver that stops reading holds its statement up, and gets the rest when it reads on', async () => {
  endless = true;
  asked.length = 0;
  const { public_key, secret_key } = account.test;
  const statement = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { accept: 'text/csv', 'x-api-key': public_key, 'x-api-secret': secret_key };
    get(`${gateway.baseUrl}/v1/transactions`, { headers }, resolve).on('error', reject);
  });
  await eventually(expectNoPageRead);
  const askedWhileHeldUp = asked.length;
  statement.on('error', () => undefined).resume();
  // More than the buffers between the two can have held back.
  await eventually(() => expect(asked.length).toBeGreaterThan(2 * askedWhileHeldUp));
  statement.destroy();
  await eventually(expectNoPageRead);
  endless = false;
});

/** The ledger is asked by this call alone while it is under way. */
async function expectNoPageRead(): Promise<void> {
  const before = asked.length;
  await gateway.asMerchant(account.test, 'GET', '/v1/transactions');
  expect(asked.length).toBe(before + 1);
}

test('a caller that takes JSON as well gets JSON', async () => {
  expect((await read('?limit=1', 'application/json, text/csv;q=0.5')).body.data).toHaveLength(1);
});
