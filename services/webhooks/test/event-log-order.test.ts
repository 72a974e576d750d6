import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsLoggedSchema, eventsLoggedSignal, listEvents } from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { newDeposit, newMerchant, newPayout, publishDeposit, type Merchant } from './support/events.ts';
import { publishDispute, publishPayout } from './support/events.ts';
import { createHarness, ServiceProcess, type Harness } from './support/harness.ts';
import { seeded } from './support/simulation.ts';

/** Each is an account with its own writers and readers; the same kills go through all of them. */
const seeds = Array.from({ length: 20 }, (_, seed) => seed);
const rounds = 6;
const streamsOfAccount = 10;

let webhooks: Harness;
let replicas: ServiceProcess[] = [];
beforeAll(async () => {
  webhooks = await createHarness();
  replicas = [new ServiceProcess(webhooks.env), new ServiceProcess(webhooks.env)];
});
afterAll(async () => {
  for (const replica of replicas) await replica[Symbol.asyncDispose]();
  await webhooks[Symbol.asyncDispose]();
});

/** What a reader has seen of its account, going on from its last event each time. */
class LogReader {
  readonly seen: string[] = [];
  readonly #merchant: Merchant;
  readonly #limit: number;
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(merchant: Merchant, limit: number) {
    this.#merchant = merchant;
    this.#limit = limit;
  }

  /** Reads on to the end of the log, once more after what it reads now. While no replica answers, it fails. */
  readOn(): Promise<void> {
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#reading = this.#readOn();
        return this.#reading;
      });
    return this.#next;
  }

  async #readOn(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const asked = { ...this.#merchant, apiVersion: '0.1', order: 'asc', limit: this.#limit } as const;
      const page = await callRpc(webhooks.bus, listEvents, { ...asked, cursor: this.seen.at(-1) });
      this.seen.push(...page.events.map(({ id }) => id));
      hasMore = page.nextCursor !== null;
    }
  }
}

/** A writer for each service whose events the log has. */
const writers: readonly ((merchant: Merchant) => Promise<unknown>)[] = [
  (merchant) => publishDeposit(webhooks.bus, newDeposit(merchant)),
  (merchant) => publishPayout(webhooks.bus, newPayout(merchant)),
  (merchant) => publishDispute(webhooks.bus, merchant, null),
];

test('three writers, and two replicas killed at random: one reader and ten streams of each account see one order', async () => {
  const random = seeded(31);
  const accounts = seeds.map((seed) => {
    const merchant = newMerchant();
    const streams = Array.from({ length: streamsOfAccount }, () => new LogReader(merchant, 200));
    return { merchant, random: seeded(seed), reader: new LogReader(merchant, 7), streams };
  });
  // As a gateway with open streams does: each hint makes the streams of its account look.
  const hints = webhooks.bus.connection.subscribe(eventsLoggedSignal, {
    callback: (_error, message) => {
      const { accountId } = eventsLoggedSchema.parse(message.json());
      const hinted = accounts.find(({ merchant }) => merchant.accountId === accountId);
      for (const stream of hinted?.streams ?? []) void stream.readOn().catch(() => undefined);
    },
  });
  let published = 0;
  const killOne = async () => {
    const victim = random() < 0.5 ? 0 : 1;
    await replicas[victim]?.[Symbol.asyncDispose]();
    replicas[victim] = new ServiceProcess(webhooks.env);
  };
  const seenByReaders = () => accounts.reduce((sum, { reader }) => sum + reader.seen.length, 0);
  for (let round = 0; round < rounds; round++) {
    const killAt = published + Math.floor(random() * seeds.length * writers.length * 2);
    let killing: Promise<void> | undefined;
    const writing = accounts.flatMap(({ merchant, random: own }) =>
      writers.map(async (write) => {
        for (let events = Math.floor(own() * 4); events > 0; events--) {
          await write(merchant);
          published += 1;
          if (published >= killAt) killing ??= killOne();
        }
      }),
    );
    await Promise.all(writing);
    await (killing ?? killOne());
    // The rest of a killed replica's messages comes to the other later: half is enough to go on.
    await eventually(async () => {
      await Promise.all(accounts.map(({ reader }) => reader.readOn()));
      expect(seenByReaders()).toBeGreaterThanOrEqual(published / 2);
    });
  }
  await eventually(async () => {
    await Promise.all(accounts.map(({ reader }) => reader.readOn()));
    expect(seenByReaders()).toBe(published);
  });
  hints.unsubscribe();
  for (const { reader, streams } of accounts) {
    await Promise.all(streams.map((stream) => stream.readOn()));
    expect(new Set(reader.seen).size).toBe(reader.seen.length);
    for (const stream of streams) expect(stream.seen).toEqual(reader.seen);
  }
});
