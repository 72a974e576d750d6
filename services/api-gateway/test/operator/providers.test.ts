import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { listProviders, updateProvider, type Provider } from '@gateway/contracts/deposits';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { listVenues, updateVenue, type Venue } from '@gateway/contracts/ledger';
import {
  durationBucketOf,
  durationBuckets,
  getDepositCallFigures,
  getPayoutCallFigures,
} from '@gateway/contracts/providers';
import { answering } from '@gateway/messaging';
import type { providerCallsAnswerSchema } from '@gateway/public-api';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let provider: Provider = {
  environment: 'live',
  id: 'efi',
  enabled: true,
  weight: 1,
  healthy: true,
  paymentMethods: ['PIX'],
  certificateEndsAt: '2026-12-01T00:00:00.000Z',
  balances: [
    {
      ...{ provider: 'efi', currency: 'BRL', held: 900, booked: 500, ownFunds: 450, difference: -50 },
      inFlight: [{ what: 'payouts_under_way', atLeast: -10, atMost: 0 }],
      ...{ differsSince: 1_767_000_000, comparedAt: 1_767_000_060, problem: null },
    },
  ],
};
const sandbox: Provider = { ...provider, environment: 'test', id: 'sandbox', balances: [] };
let venues: Venue[] = [];
/** Changes are made, and their answers are lost. */
let answersAreLost = false;
/** Until when the ledger does not answer. */
let ledgerAway: Promise<void> | undefined;
let payoutsAreAway = false;
let gateway: GatewayUnderTest;

/** So many calls that took 150 ms, and so many that took 4 s. */
function tookMs(quick: number, slow: number): number[] {
  const durations = Array.from({ length: durationBuckets }, () => 0);
  durations[durationBucketOf(150)] = quick;
  durations[durationBucketOf(4_000)] = slow;
  return durations;
}

beforeAll(async () => {
  gateway = await startGateway([
    answering(listProviders, async () => ({ providers: [provider, sandbox] })),
    answering(updateProvider, async ({ environment, id, enabled, weight, ownFunds }) => {
      if (id === sandbox.id && environment === 'test') {
        return { before: sandbox, provider: { ...sandbox, enabled: enabled ?? true } };
      }
      if (id !== provider.id || environment !== provider.environment) throw new NotFoundError('provider');
      const before = provider;
      if (ownFunds) provider = { ...provider, balances: [{ ...before.balances[0]!, ownFunds: ownFunds.amount }] };
      provider = { ...provider, enabled: enabled ?? provider.enabled, weight: weight ?? provider.weight };
      if (answersAreLost) throw new DomainError('SERVICE_UNAVAILABLE', 'lost');
      return { before, provider };
    }),
    answering(getDepositCallFigures, async ({ provider: id }) => ({
      calls: id === 'efi' ? [{ operation: 'create-charge', calls: 100, failed: 2, durations: tookMs(80, 20) }] : [],
      lastNotificationAt: '2026-01-02T11:00:00.000Z',
    })),
    answering(getPayoutCallFigures, async () => {
      if (payoutsAreAway) throw new DomainError('SERVICE_UNAVAILABLE', 'away');
      const both = [
        { operation: 'create-charge', calls: 1, failed: 1, durations: tookMs(0, 1) },
        { operation: 'create-payout', calls: 2, failed: 0, durations: tookMs(2, 0) },
      ];
      return { calls: both, lastNotificationAt: '2026-01-02T11:04:00.000Z' };
    }),
    answering(listVenues, async () => {
      await ledgerAway;
      return { venues };
    }),
    answering(updateVenue, async ({ ownFunds }) => {
      const before = venues[0]!;
      const venue = { ...before, balances: [{ ...before.balances[0]!, ownFunds: ownFunds.amount }] };
      venues = [venue];
      return { before, venue };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const patch = (id: string, body: object) => gateway.asOperator('PATCH', `/ops/providers/${id}`, { body });

describe('the providers', () => {
  test('are listed for operators, of one environment or of both', async () => {
    const { body } = await gateway.asOperator('GET', '/ops/providers');
    expect(body.data).toMatchObject([
      { id: 'efi', object: 'provider', environment: 'live', enabled: true, weight: 1, healthy: true },
      { id: 'sandbox', environment: 'test' },
    ]);
    expect((await gateway.asOperator('GET', '/ops/providers?environment=test')).body.data).toHaveLength(1);
    expect((await gateway.asOperator('GET', '/ops/providers?environment=moon')).status).toBe(400);
  });

  test('are changed with an audit row of before and after', async () => {
    const answer = await patch('efi', { enabled: false });
    expect(answer).toMatchObject({ status: 200, body: { enabled: false, weight: 1 } });
    const audit = await gateway.asOperator('GET', '/ops/audit?action=provider.update');
    expect(audit.body.data).toMatchObject([
      {
        operator: 'ana',
        target: 'live/efi',
        before: { enabled: true, weight: 1 },
        after: { enabled: false, weight: 1 },
      },
    ]);
  });

  test('are switched on again by the one who switched them off, at once, and by another only as a proposal', async () => {
    const on = (asked: typeof gateway.asOperator) =>
      asked('PATCH', '/ops/providers/live/efi', { body: { enabled: true } });
    const proposed = await on(gateway.asSecond);
    expect([proposed.status, provider.enabled]).toEqual([202, false]);
    expect((await on(gateway.asOperator)).status).toBe(200);
    expect(provider.enabled).toBe(true);
    // Nothing is left to be switched on by two.
    expect((await on(gateway.asSecond)).status).toBe(200);
    expect((await patch('efi', { enabled: false })).status).toBe(200);
    const again = (await on(gateway.asSecond)).body.approval;
    const approved = await gateway.asOperator('POST', `/ops/approvals/${again.id}/approve`);
    expect([approved.body.approval.state, provider.enabled]).toEqual(['APPLIED', true]);
  });

  test('that were switched off by a call without an answer are switched on again by two, however often it is repeated', async () => {
    answersAreLost = true;
    expect((await patch('efi', { enabled: false })).status).toBe(503);
    answersAreLost = false;
    expect((await patch('efi', { enabled: false })).status).toBe(200);
    // Who repeats what another one has done is not the one who did it.
    const off = { body: { enabled: false } };
    expect((await gateway.asSecond('PATCH', '/ops/providers/live/efi', off)).status).toBe(200);
    const on = { body: { enabled: true } };
    const { approval } = (await gateway.asSecond('PATCH', '/ops/providers/live/efi', on)).body;
    expect(provider.enabled).toBe(false);
    await gateway.asOperator('POST', `/ops/approvals/${approval.id}/approve`);
    expect(provider.enabled).toBe(true);
  });

  test('of test mode are found by their id alone, and not where the body says live', async () => {
    const { status, body } = await patch('sandbox', { enabled: false });
    expect([status, body]).toMatchObject([200, { id: 'sandbox', environment: 'test', enabled: false }]);
    expect((await patch('sandbox', { environment: 'live', enabled: false })).status).toBe(404);
    expect((await patch('sandbox', { own_funds: { currency: 'BRL', amount_cents: 1 } })).status).toBe(400);
    expect((await patch('nobody', { enabled: false })).status).toBe(404);
  });

  test('show what they hold beside the books; what of it is our own is the word of two operators', async () => {
    const own_funds = { currency: 'BRL', amount_cents: -40 };
    const proposed = await patch('efi', { own_funds, weight: 1_000 });
    const { approval } = proposed.body;
    expect([proposed.status, approval]).toMatchObject([
      202,
      { state: 'PROPOSED', before: { own_funds: { currency: 'BRL', amount_cents: 450 }, weight: 1 } },
    ]);
    expect([provider.weight, provider.balances[0]?.ownFunds]).toEqual([1, 450]);
    const alone = await gateway.asOperator('POST', `/ops/approvals/${approval.id}/approve`);
    expect(alone.body.error.code).toBe('SECOND_PERSON_REQUIRED');
    const answer = await gateway.asSecond('POST', `/ops/approvals/${approval.id}/approve`);
    expect(answer.body.approval.outcome).toMatchObject({ weight: 1_000 });
    expect((answer.body.approval.outcome as unknown as { balances: unknown }).balances).toEqual([
      {
        ...{ currency: 'BRL', held_cents: 900, booked_cents: 500, own_funds_cents: -40, difference_cents: -50 },
        in_flight: [{ what: 'payouts_under_way', at_least_cents: -10, at_most_cents: 0 }],
        ...{ differs_since: 1_767_000_000, compared_at: 1_767_000_060, problem: null },
      },
    ]);
    const audit = await gateway.asOperator('GET', '/ops/audit?action=provider.update');
    expect(audit.body.data[0]).toMatchObject({ before: { balances: [{ own_funds_cents: 450 }] } });
  });

  test('are not changed by an approval of what has changed in the meantime: it has FAILED, and says why', async () => {
    const { body } = await patch('efi', { weight: 7 });
    const overtaken = (await patch('efi', { weight: 8 })).body.approval;
    await gateway.asSecond('POST', `/ops/approvals/${overtaken.id}/approve`);
    const answer = await gateway.asSecond('POST', `/ops/approvals/${body.approval.id}/approve`);
    expect([answer.status, answer.body.error.code, provider.weight]).toEqual([409, 'INVALID_STATE', 8]);
    const { body: read } = await gateway.asOperator('GET', `/ops/approvals/${body.approval.id}`);
    expect(read.approval).toMatchObject({ state: 'FAILED', failure: { code: 'INVALID_STATE' }, outcome: null });
  });

  test.each<[object, string]>([
    [{}, 'enabled'],
    [{ own_funds: { currency: 'BRL', amount_cents: 0.5 } }, 'own_funds.amount_cents'],
    [{ own_funds: { currency: 'EUR', amount_cents: 1 } }, 'own_funds.currency'],
    [{ environment: 'test', own_funds: { currency: 'BRL', amount_cents: 1 } }, 'own_funds'],
    [{ weight: -1 }, 'weight'],
    [{ weight: 1_001 }, 'weight'],
    [{ weight: 0.5 }, 'weight'],
    [{ enabled: 'no' }, 'enabled'],
    [{ environment: 'moon', weight: 1 }, 'environment'],
  ])('are not changed by %j, which is refused by name', async (body, path) => {
    const answer = await patch('efi', body);
    expect([answer.status, answer.body.error.details[0]?.path]).toEqual([400, path]);
  });

  test('that are not configured do not exist, nor for anybody without an operator token', async () => {
    expect((await patch('other', { weight: 1 })).status).toBe(404);
    expect((await patch('efi', { environment: 'test', weight: 1 })).status).toBe(404);
    expect((await gateway.call('GET', '/ops/providers')).status).toBe(404);
  });
});

describe('a provider of one environment', () => {
  test('is read and changed by its path, which names the environment', async () => {
    const found = await gateway.asOperator('GET', '/ops/providers/test/sandbox');
    expect([found.status, found.body]).toMatchObject([200, { id: 'sandbox', environment: 'test' }]);
    for (const path of ['live/sandbox', 'moon/sandbox', 'test/nothing']) {
      expect((await gateway.asOperator('GET', `/ops/providers/${path}`)).status).toBe(404);
    }
    const changed = await patch('live/efi', { enabled: true });
    expect(changed).toMatchObject({ status: 200, body: { id: 'efi', environment: 'live', enabled: true } });
    expect((await patch('live/efi', { weight: 2 })).status).toBe(202);
  });

  test.each([
    ['live/efi', {}, 'enabled'],
    ['live/efi', { environment: 'live', enabled: true }, 'environment'],
    ['test/sandbox', { own_funds: { currency: 'BRL', amount_cents: 1 } }, 'own_funds'],
  ])('is not changed at %s by %j', async (path, body, named) => {
    const answer = await patch(path, body);
    expect([answer.status, answer.body.error.details.map((detail) => detail.path)]).toEqual([400, [named]]);
  });
});

test('an exchange is not taken for missing while the ledger does not answer: its approved change waits until it does', async () => {
  venues = [{ id: 'bitso', currencies: ['BRL'], balances: [{ ...provider.balances[0]!, provider: 'bitso' }] }];
  const proposed = await patch('bitso', { own_funds: { currency: 'BRL', amount_cents: 5 } });
  const path = `/ops/approvals/${proposed.body.approval.id}`;
  const back = Promise.withResolvers<void>();
  ledgerAway = back.promise;
  const early = [gateway.asOperator('GET', '/ops/providers/live/bitso'), gateway.asSecond('POST', `${path}/approve`)];
  expect((await Promise.all(early)).map(({ status }) => status)).toEqual([503, 503]);
  expect((await gateway.asOperator('GET', path)).body.approval.state).toBe('APPLYING');
  back.resolve();
  ledgerAway = undefined;
  const { status, body } = await gateway.asSecond('POST', `${path}/approve`);
  expect([status, body.approval]).toMatchObject([200, { state: 'APPLIED', outcome: { kind: 'exchange' } }]);
  expect(venues[0]?.balances[0]?.ownFunds).toBe(5);
});

describe('how a provider answered', () => {
  type Calls = z.infer<typeof providerCallsAnswerSchema>;
  const read = async () => (await gateway.asOperator('GET', '/ops/providers/live/efi/calls')).body as unknown as Calls;

  test('is shown by operation over a day, of all services that call it, with its last notification', async () => {
    const { calls, last_notification_at: notified, incomplete } = await read();
    expect([notified, incomplete]).toEqual(['2026-01-02T11:04:00.000Z', []]);
    const { body } = await gateway.asOperator('GET', '/ops/providers/live/efi');
    expect(body).toMatchObject({ certificate_ends_at: '2026-12-01T00:00:00.000Z' });
    expect((await gateway.asOperator('GET', '/ops/providers/live/none/calls')).status).toBe(404);
    expect(calls).toMatchObject([
      { operation: 'create-charge', calls: 101, failed: 3 },
      { operation: 'create-payout', calls: 2, failed: 0 },
    ]);
    const [charges, payouts] = calls;
    const isFrom = (ms: number | null, atLeast: number) => ms !== null && ms >= atLeast && ms <= atLeast * 1.25;
    expect([isFrom(charges!.p50_ms, 150), isFrom(charges!.p95_ms, 4_000)]).toEqual([true, true]);
    expect(payouts!.p99_ms).toBe(charges!.p50_ms);
  });

  test('is shown as far as it is known, and who did not answer is named', async () => {
    payoutsAreAway = true;
    const { calls, incomplete } = await read();
    expect(calls).toMatchObject([{ operation: 'create-charge', calls: 100, failed: 2 }]);
    expect(incomplete).toEqual(['payouts']);
    payoutsAreAway = false;
  });
});
