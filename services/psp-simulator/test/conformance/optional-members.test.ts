import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payoutInput, refundInput } from '@gateway/providers/testing';
import { type Feed, type PayoutInput, type ProviderConfig, simulatorConfigs } from '@gateway/providers';
import type { ProviderId } from '../wire-bench.ts';
import { describedProviders, type DescribedProvider } from './described-providers.ts';
import { allNotified, moneyOf, openCharge, paidCharge } from './flows.ts';
import { DescriptionCheck, type Exchange } from './description-check.ts';
import { factsThemselves, neededInLists, neededInLookups, neededInNotifications } from './needed-members.ts';
import { RecordedBench } from './recorded-bench.ts';
import { signedNotification } from './signed-notification.ts';
import { bodiesWithoutOne } from './variants.ts';

/*
 * What a description calls optional may be missing. Each answer, list and notification is given to the adapter without each
 * of its optional members in turn: what does not need the member is reported as before, and what needs it is undecided or set
 * aside. `needed-members.ts` has all of the latter.
 */

let recorded: RecordedBench;
let configs: readonly ProviderConfig[];
const scenes = new Map<ProviderId, Scene>();
beforeAll(async () => {
  recorded = await RecordedBench.start();
  configs = await simulatorConfigs(recorded.bench.url);
  for (const { id } of describedProviders) scenes.set(id, await setScene(id));
});
afterAll(async () => recorded[Symbol.asyncDispose]());

interface Scene {
  readonly asks: Readonly<Record<string, () => Promise<unknown>>>;
  readonly feeds: readonly Feed[];
  /** What a list would show of what the bank does not do, made of what it shows; by the list's name. */
  readonly shown?: Readonly<Record<string, (answer: unknown) => unknown>>;
}

/** One record of each kind, in the state that says most. */
async function setScene(id: ProviderId): Promise<Scene> {
  const { bench } = recorded;
  await bench.register(id);
  const provider = bench.provider(id);
  const open = await openCharge(bench, id);
  await paidCharge(bench, id);
  const { charge, receipt } = await paidCharge(bench, id);
  const refund = refundInput({
    ...{ sentAt: bench.now(), money: moneyOf(id, 500) },
    receipt: { e2eId: receipt.e2eId, chargeRef: charge.ref },
  });
  await provider.refund(refund);
  const payouts = id === 'bacen' ? null : await payOut(id);
  const disputed = id === 'spei' ? null : await disputedPayment(id);
  await bench.passTime(1_000);
  await allNotified(bench);
  const { getPayoutReturns, getDisputes } = provider;
  return {
    asks: {
      createCharge: () => provider.createCharge(charge),
      openCharge: () => provider.getCharge({ ref: open.ref, charge: open }),
      paidCharge: () => provider.getCharge({ ref: charge.ref, charge }),
      refund: () => provider.refund(refund),
      getRefund: () => provider.getRefund({ ref: refund.ref, refund }),
      ...(payouts
        ? {
            getPayout: () => provider.getPayout({ ref: payouts.paid.ref, payout: payouts.paid }),
            failedPayout: () => provider.getPayout({ ref: payouts.failed.ref, payout: payouts.failed }),
            repeatPayout: () => provider.createPayout(payouts.paid),
            balance: () => provider.balance(),
          }
        : {}),
      ...(payouts && getPayoutReturns
        ? { getPayoutReturns: () => getPayoutReturns({ ref: payouts.paid.ref, payout: payouts.paid }) }
        : {}),
      ...(disputed && getDisputes ? { getDisputes: () => getDisputes({ e2eId: disputed, paid: 8000_00 }) } : {}),
      registerNotifications: () =>
        provider.registerNotifications?.(new URL('http://127.0.0.1:9/providers/x/notifications')) ?? Promise.resolve(),
    },
    feeds: provider.feeds ?? [],
    ...(id === 'spei' ? { shown: { returns: refundsSentBack } } : {}),
  };
}

/** Refunds that their payers' bank has sent back. */
function refundsSentBack(transfers: unknown): unknown {
  return (transfers as readonly { readonly metadata?: object | null }[]).map((transfer) => ({
    ...transfer,
    status: 'returned',
    metadata: { ...transfer.metadata, kind: 'refund' },
  }));
}

async function payOut(id: ProviderId): Promise<{ readonly paid: PayoutInput; readonly failed: PayoutInput }> {
  const { bench } = recorded;
  const destination =
    id === 'spei'
      ? ({ type: 'clabe', value: '032180000118359719' } as const)
      : ({ type: 'email', value: 'somebody@example.com' } as const);
  const of = (amount: number) => payoutInput({ sentAt: bench.now(), money: moneyOf(id, amount), destination });
  const payouts = { paid: of(7000_43), failed: of(7000_42), another: of(7000_44) };
  for (const payout of Object.values(payouts)) await bench.provider(id).createPayout(payout);
  return payouts;
}

/** Two of them, so that the lists have another item; the first was lost. */
async function disputedPayment(id: ProviderId): Promise<string> {
  const { bench } = recorded;
  const payments = [];
  for (let count = 0; count < 2; count += 1) {
    const { receipt } = await paidCharge(bench, id);
    const { id: name } = await bench.control('POST', `/payments/${receipt.e2eId}/dispute`, { amount_cents: 100 });
    await bench.control('POST', `/disputes/${String(name)}/resolve`, { result: 'ACCEPTED' });
    payments.push(receipt.e2eId);
  }
  return payments[0] ?? '';
}

const sceneOf = (id: ProviderId): Scene => {
  const scene = scenes.get(id);
  if (!scene) throw new Error(`no scene at ${id}`);
  return scene;
};

/** The standard alone is spoken with Efí's account. */
const configOf = (id: ProviderId): ProviderConfig => {
  const config = configs.find((candidate) => candidate.id === id);
  if (!config) throw new Error(`no configuration of ${id}`);
  return config;
};

/** What an outcome comes to, in one word. */
function wordOf(outcome: unknown): string {
  if (typeof outcome !== 'object' || outcome === null) return 'nothing';
  const { status, kind, ok, reason } = outcome as Record<string, unknown>;
  return [kind, status, ok, reason]
    .flatMap((word) => (word === undefined ? [] : [JSON.stringify(word)]))
    .join(' ')
    .replaceAll('"', '');
}

/** That nothing is known now; it is asked again, and nothing is decided. */
const undecided = /^(?:UNAVAILABLE|unknown|false|PROCESSING|accepted PROCESSING|not_sent unreachable)/;

describe.each(describedProviders)('at $id', ({ id, answered, kindOf }: DescribedProvider) => {
  const check = new DescriptionCheck(answered);

  test('an answer without an optional member is understood, or leaves the matter undecided', async () => {
    const recorder = recorded.recorder(id);
    const needed = new Set<string>();
    for (const [name, ask] of Object.entries(sceneOf(id).asks)) {
      const since = recorder.exchanges.length;
      const whole = wordOf(await ask());
      const answers = recorder.exchanges
        .slice(since)
        .filter(({ method, answer }) => method !== 'DELETE' && answer !== undefined);
      for (const exchange of answers) {
        const call = check.operationOf(exchange);
        if (call === 'POST /oauth/token') continue;
        const isDescribed = (answer: unknown) => check.remarksOnAnswer({ ...exchange, answer }).length === 0;
        for (const { member, body } of bodiesWithoutOne(exchange.answer, isDescribed)) {
          recorder.replayed = answers.map((other) => (other === exchange ? { ...other, answer: body } : other));
          const word = wordOf(await ask());
          if (word === whole) continue;
          const lack = `${call} ${member}`;
          if (!factsThemselves.has(lack)) expect(word, `${name}: ${lack}`).toMatch(undecided);
          needed.add(lack);
        }
        recorder.replayed = [];
      }
    }
    expect([...needed].sort()).toEqual(neededInLookups[id]);
  });

  test('an item of a list without an optional member never stops the list, nor another item', async () => {
    const recorder = recorded.recorder(id);
    const { bench } = recorded;
    const window = { from: new Date(bench.now().getTime() - 600_000), to: new Date(bench.now().getTime() + 600_000) };
    const readings = async (feed: Feed) => {
      const page = await feed.readPage(window);
      if (page.kind !== 'page') return { kind: page.kind, reported: [] };
      const items = page.rows.map((row) => feed.read(row));
      return {
        kind: page.kind,
        reported: items.flatMap((item) =>
          item.kind === 'unreadable'
            ? ['unreadable']
            : item.events.map(({ type, dedupeKey }) => `${type} ${dedupeKey}`),
        ),
      };
    };
    const needed = new Set<string>();
    const { feeds, shown = {} } = sceneOf(id);
    for (const feed of feeds) {
      const since = recorder.exchanges.length;
      await readings(feed);
      const asked = recorder.exchanges.slice(since).find(({ path }) => path.includes('?'));
      if (!asked) throw new Error(`nothing was asked for ${feed.name}`);
      const exchange = { ...asked, answer: shown[feed.name]?.(asked.answer) ?? asked.answer };
      const whole = await withAnswer(recorder, asked, exchange.answer, () => readings(feed));
      const isDescribed = (answer: unknown) => check.remarksOnAnswer({ ...exchange, answer }).length === 0;
      const others = await withAnswer(recorder, exchange, withoutFirstItem(exchange.answer), () => readings(feed));
      expect(others.reported.length, feed.name).toBeGreaterThan(0);
      for (const { member, body } of bodiesWithoutOne(exchange.answer, isDescribed)) {
        const read = await withAnswer(recorder, exchange, body, () => readings(feed));
        if (member.includes('[]')) {
          expect(read.kind, `${feed.name} without ${member}`).toBe('page');
          expect(read.reported, `${feed.name} without ${member}`).toEqual(expect.arrayContaining(others.reported));
        } else expect(['page', 'unreadable']).toContain(read.kind);
        if (typesOf(read.reported) !== typesOf(whole.reported)) needed.add(`${feed.name}: ${member}`);
      }
    }
    expect([...needed].sort()).toEqual(neededInLists[id]);
  });

  test('a notification without an optional member is read, or set aside', async () => {
    const received = recorded.bench.received.filter(({ provider }) => provider === id);
    const bodies = new Map(received.map(({ body }) => [shapeOf(body), JSON.parse(body) as unknown]));
    expect(bodies.size).toBeGreaterThan(1);
    const needed = new Set<string>();
    const config = configOf(id);
    for (const whole of bodies.values()) {
      const kind = kindOf(whole);
      const types = async (body: unknown) => {
        const result = await recorded.bench.provider(id).verifyAndParseNotification(signedNotification(config, body));
        if (!result.ok) throw new Error(`${kind} is refused: ${result.reason}`);
        return result.events.map(({ type }) => type).join(' ');
      };
      const isDescribed = (body: unknown) => check.remarksOnNotification(kind, body).length === 0;
      for (const { member, body } of bodiesWithoutOne(whole, isDescribed)) {
        if ((await types(body)) !== (await types(whole))) needed.add(`${kind}: ${member}`);
      }
    }
    expect([...needed].sort()).toEqual(neededInNotifications[id]);
  });
});

async function withAnswer<T>(
  recorder: ReturnType<RecordedBench['recorder']>,
  exchange: Exchange,
  answer: unknown,
  ask: () => Promise<T>,
): Promise<T> {
  recorder.replayed = [{ ...exchange, answer }];
  try {
    return await ask();
  } finally {
    recorder.replayed = [];
  }
}

function withoutFirstItem(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.slice(1);
  return Object.fromEntries(
    Object.entries(answer as object).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) ? value.slice(1) : value,
    ]),
  );
}

/** The same for bodies that differ in values alone, words of the protocol apart. */
function shapeOf(body: string): string {
  const words = /^(?:status|type|tipo|natureza|event|evento)$/;
  const plain = (name: string, value: unknown) =>
    (typeof value === 'object' && value !== null) || words.test(name) ? value : typeof value;
  return JSON.stringify(JSON.parse(body), plain);
}

function typesOf(reported: readonly string[]): string {
  return reported
    .map((line) => line.split(' ')[0])
    .sort()
    .join(' ');
}
