import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listProviders, type Provider } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import { type BacklogCount, backlogRpc, type ServiceName, serviceNames } from '@gateway/contracts/messages';
import {
  type CallSlot,
  durationBucketOf,
  durationBuckets,
  getDepositCallHistory,
  getPayoutCallHistory,
} from '@gateway/contracts/providers';
import { answering } from '@gateway/messaging';
import { countBacklog, countedEveryMs } from '#src/backlog/backlog-counts.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const provider = (environment: Provider['environment'], id: string): Provider => ({
  ...{ environment, id, enabled: true, weight: 1, healthy: true, paymentMethods: ['PIX'] },
  ...{ certificateEndsAt: null, balances: [] },
});
/** What is to be worked off in each service; one that has nothing here does not answer. */
let backlogs: Partial<Record<ServiceName, BacklogCount[]>> = {};
let payoutsAreAway = false;
let gateway: GatewayUnderTest;

/** So many calls that took 150 ms, and so many that took 4 s. */
function calls(at: number, quick: number, slow: number, failed = 0): CallSlot {
  const durations = Array.from({ length: durationBuckets }, () => 0);
  durations[durationBucketOf(150)] = quick;
  durations[durationBucketOf(4_000)] = slow;
  return { provider: 'efi', at, calls: quick + slow, failed, durations };
}

beforeAll(async () => {
  const others = serviceNames.filter((name) => name !== 'api-gateway');
  gateway = await startGateway([
    ...others.map((name) =>
      answering(backlogRpc(name), async () => {
        const backlog = backlogs[name];
        if (!backlog) throw new DomainError('SERVICE_UNAVAILABLE', 'away');
        return { backlog };
      }),
    ),
    answering(listProviders, async () => ({ providers: [provider('live', 'efi'), provider('test', 'sandbox')] })),
    answering(getDepositCallHistory, async ({ providers }) => ({
      slots: providers.includes('efi') ? [calls(7_200, 80, 20, 2), calls(3_600, 10, 0)] : [],
    })),
    answering(getPayoutCallHistory, async ({ providers }) => {
      if (payoutsAreAway) throw new DomainError('SERVICE_UNAVAILABLE', 'away');
      return { slots: providers.includes('efi') ? [calls(7_200, 0, 100)] : [] };
    }),
  ]);
});
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => gateway.database.query('delete from backlog_count'));

interface Slot {
  readonly kind: string;
  readonly service: string;
  readonly at: number;
  readonly most: number;
  readonly last: number;
}

async function backlogOf(query: string) {
  const { status, body } = await gateway.asOperator('GET', `/ops/backlog?${query}`);
  expect(status).toBe(200);
  const { data, counted_at: at } = body as unknown as { data: Slot[]; counted_at: number };
  // The gateway answers for itself too.
  return { data: data.filter(({ service }) => service !== 'api-gateway'), at };
}

const deps = () => ({ bus: gateway.bus, database: gateway.database });
/** Before anything that the gateway counts by itself. */
const hour = new Date((Math.floor(Date.now() / 3_600_000) - 2) * 3_600_000);
const later = (ms: number) => new Date(hour.getTime() + ms);
const inThatHour = `environment=live&by=hour&from=${hour.toISOString()}&to=${later(3_600_000).toISOString()}`;
const payouts = (count: number): BacklogCount[] => [{ kind: 'payout', environment: 'live', count }];

describe('the backlog over time', () => {
  test('is the highest count of an hour beside the last one, of the environment that is asked for and of both', async () => {
    backlogs = { payouts: [...payouts(3), { kind: 'event', environment: null, count: 1 }] };
    await countBacklog(deps(), later(0));
    backlogs = { payouts: [...payouts(9), { kind: 'payout', environment: 'test', count: 70 }] };
    await countBacklog(deps(), later(countedEveryMs));
    backlogs = { payouts: payouts(2) };
    await countBacklog(deps(), later(2 * countedEveryMs));
    const { data, at } = await backlogOf(inThatHour);
    const hourAt = hour.getTime() / 1_000;
    expect(data).toMatchObject([
      { kind: 'event', service: 'payouts', at: hourAt, most: 1, last: 1 },
      { kind: 'payout', service: 'payouts', at: hourAt, most: 9, last: 2 },
    ]);
    expect(at).toBeGreaterThanOrEqual(hourAt + (2 * countedEveryMs) / 1_000);
  });

  test('is counted once in five minutes, however many gateways count it', async () => {
    backlogs = { payouts: payouts(3) };
    await Promise.all([countBacklog(deps(), later(0)), countBacklog(deps(), later(1_000))]);
    backlogs = { payouts: payouts(50) };
    await countBacklog(deps(), later(countedEveryMs - 1));
    expect((await backlogOf(inThatHour)).data).toMatchObject([{ most: 3, last: 3 }]);
  });

  test('has nothing of a service that does not answer, which is asked again and no other', async () => {
    backlogs = { payouts: payouts(3) };
    await countBacklog(deps(), later(0));
    expect((await backlogOf(inThatHour)).data.map(({ service }) => service)).toEqual(['payouts']);
    backlogs = { payouts: payouts(99), deposits: [{ kind: 'refund', environment: 'live', count: 0 }] };
    await countBacklog(deps(), later(60_000));
    expect((await backlogOf(inThatHour)).data.map(({ service, most }) => [service, most])).toEqual([
      ['payouts', 3],
      ['deposits', 0],
    ]);
  });

  test('is kept for 31 days', async () => {
    backlogs = { payouts: payouts(3) };
    const dayMs = 86_400_000;
    await countBacklog(deps(), later(-31 * dayMs - countedEveryMs));
    await countBacklog(deps(), later(-30 * dayMs));
    await countBacklog(deps(), later(0));
    const kept = await gateway.database.query<{ at: Date }>(
      'select distinct at from backlog_count where at <= $1 order by at',
      [hour],
    );
    expect(kept.map(({ at }) => at)).toEqual([later(-30 * dayMs), later(0)]);
  });

  test('refuses a period that is too long, naming the member', async () => {
    const { status, body } = await gateway.asOperator(
      'GET',
      '/ops/backlog?environment=live&by=hour&from=2026-01-01T00:00:00Z&to=2026-03-05T00:00:00Z',
    );
    expect([status, body.error.details.map(({ path }) => path)]).toEqual([400, ['from']]);
  });
});

describe('how providers answered over time', () => {
  const read = async (environment: string) =>
    (await gateway.asOperator('GET', `/ops/provider-calls?environment=${environment}&by=hour`)).body as unknown as {
      data: { provider: string; at: number; calls: number; failed: number; p50_ms: number; p95_ms: number }[];
      incomplete: string[];
    };

  test('adds up what each service has called, the first hour first, and has durations of both together', async () => {
    const { data, incomplete } = await read('live');
    expect(incomplete).toEqual([]);
    expect(data.map(({ provider: id, at, calls: made, failed }) => [id, at, made, failed])).toEqual([
      ['efi', 3_600, 10, 0],
      ['efi', 7_200, 200, 2],
    ]);
    // Of the second hour 80 of 200 took 150 ms: half of them took longer.
    expect(data[0]!.p95_ms).toBeLessThan(200);
    expect(data[1]!.p50_ms).toBeGreaterThanOrEqual(4_000);
  });

  test('has the providers of the environment alone', async () => {
    expect((await read('test')).data).toEqual([]);
  });

  test('names the service that does not answer, and has what the other one knows', async () => {
    payoutsAreAway = true;
    const { data, incomplete } = await read('live');
    payoutsAreAway = false;
    expect([incomplete, data[1]?.calls]).toEqual([['payouts'], 100]);
  });
});
