import { beforeEach, expect, test } from 'vitest';
import { sampleEvent, signedDelivery, testSecret } from '#src/testing/index.ts';
import { webhookHandler, type Claim, type SeenEvents } from '#src/webhooks/index.ts';

const event = sampleEvent('deposit.paid');
const claimSec = 300;

/** What a table of a shop has of an event. */
interface Row {
  readonly token: string;
  readonly untilSec: number;
}
let rows: Map<string, Row | 'done'>;
let nowSec: number;
let tokens: number;
beforeEach(() => {
  rows = new Map();
  nowSec = 0;
  tokens = 0;
});
const seen: SeenEvents = {
  claim: (id): Claim => {
    const found = rows.get(id);
    if (found === 'done') return 'done';
    if (found !== undefined && found.untilSec > nowSec) return 'busy';
    tokens += 1;
    const token = `claim ${tokens}`;
    rows.set(id, { token, untilSec: nowSec + claimSec });
    return { token };
  },
  done: (id) => void rows.set(id, 'done'),
  release: (id, token) => {
    const found = rows.get(id);
    if (found !== undefined && found !== 'done' && found.token === token) rows.delete(id);
  },
};

/** A delivery of the event whose `on` ends when the test says how. */
async function delivered(store: SeenEvents = seen) {
  const { promise: end, resolve: returns, reject } = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const signed = await signedDelivery({ secret: testSecret, event });
  const handler = webhookHandler({
    secret: testSecret,
    seen: store,
    on: () => {
      began.resolve();
      return end;
    },
  });
  const status = handler(new Request('http://shop.example/hooks', { method: 'POST', ...signed })).then(
    (response: Response) => response.status,
  );
  await Promise.race([began.promise, status]);
  return { status, returns, throws: () => reject(new Error('the carrier is away')) };
}

/** The first delivery, whose claim has expired, and the second, which has the event now. */
async function overtaken() {
  const first = await delivered();
  nowSec += claimSec;
  return { first, second: await delivered() };
}

test('a delivery whose claim has expired, and that fails then, leaves the event to the delivery that has it, whose own failure frees it', async () => {
  const { first, second } = await overtaken();
  first.throws();
  expect(await first.status).toBe(500);
  expect(await (await delivered()).status).toBe(503);
  second.throws();
  expect(await second.status).toBe(500);
  const third = await delivered();
  third.returns();
  expect([await third.status, tokens]).toEqual([200, 3]);
});

test('what a delivery has handled after its claim had expired stays handled, whatever becomes of the delivery after it', async () => {
  const { first, second } = await overtaken();
  first.returns();
  expect(await first.status).toBe(200);
  second.throws();
  expect(await second.status).toBe(500);
  expect([await (await delivered()).status, tokens]).toEqual([200, 2]);
});

test('it stays handled also where the delivery after it has released the event before', async () => {
  const { first, second } = await overtaken();
  second.throws();
  expect(await second.status).toBe(500);
  first.returns();
  expect(await first.status).toBe(200);
  expect([await (await delivered()).status, tokens]).toEqual([200, 2]);
});

test('a claim without a token is released by its id', async () => {
  const released: unknown[] = [];
  const release = (...given: unknown[]) => void released.push(...given);
  const delivery = await delivered({ claim: () => 'new', done: () => undefined, release });
  delivery.throws();
  expect([await delivery.status, released]).toEqual([500, [event.id, undefined]]);
});

test.each([{}, { token: 7 }, { token: '' }, null, true])('%j is no claim: the event is not handled', async (claim) => {
  expect(await (await delivered({ ...seen, claim: () => claim as Claim })).status).toBe(500);
});
