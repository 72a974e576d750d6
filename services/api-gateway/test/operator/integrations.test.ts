import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listIntegrations, removeIntegration, setIntegration, type Integration } from '@gateway/contracts/connector';
import { NotFoundError } from '@gateway/contracts/errors';
import { answering } from '@gateway/messaging';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const id = 'int_01k9z3m4v6t8x0a2c4e6g8jk09';
const known = new Map<string, Integration>();
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway([
    answering(setIntegration, async (request) => {
      const before = known.get(request.accountId) ?? null;
      const integration = { id, createdAt: 1_790_000_000, ...request };
      known.set(request.accountId, integration);
      return { before, integration };
    }),
    answering(listIntegrations, async ({ accountId }) => ({
      integrations: [...known.values()].filter((each) => accountId === undefined || each.accountId === accountId),
    })),
    answering(removeIntegration, async ({ accountId }) => {
      const before = known.get(accountId);
      if (!before) throw new NotFoundError('integration');
      known.delete(accountId);
      return { before };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const set = (body: object) => gateway.asOperator('POST', '/ops/compat/integrations', { body });

describe('POST /ops/compat/integrations', () => {
  test('answers 201 with the integration, without restrictions unless they are named', async () => {
    const account = await gateway.newAccount();
    const { status, body } = await set({ account_id: account.id, prefix: 'alt' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id,
      object: 'integration',
      account_id: account.id,
      prefix: 'alt',
      ip_allowlist: [],
      payouts_enabled: true,
      created_at: 1_790_000_000,
    });
  });

  test('leaves an audit row with operator, before and after', async () => {
    const account = await gateway.newAccount();
    await set({ account_id: account.id, prefix: 'cli' });
    const restricted = { ip_allowlist: ['203.0.113.0/24', '2001:db8::1'], payouts_enabled: false };
    await set({ account_id: account.id, prefix: 'cli', ...restricted });
    const { body } = await gateway.asOperator('GET', '/ops/audit?limit=1');
    expect(body.data).toMatchObject([
      {
        operator: 'ana',
        action: 'integration.set',
        target: id,
        before: { account_id: account.id, ip_allowlist: [], payouts_enabled: true },
        after: { account_id: account.id, ...restricted },
      },
    ]);
  });

  test('is 404 for an account that does not exist, and nothing is set', async () => {
    const unknown = 'acc_01k9z3m4v6t8x0a2c4e6g8jk01';
    expect(await set({ account_id: unknown, prefix: 'alt' })).toMatchObject({ status: 404 });
    expect(known.has(unknown)).toBe(false);
  });

  test.each([
    ['prefix', { prefix: 'other' }],
    ['ip_allowlist.0', { prefix: 'alt', ip_allowlist: ['203.0.113'] }],
    ['ip_allowlist.1', { prefix: 'alt', ip_allowlist: ['203.0.113.7', '203.0.113.0/33'] }],
    ['payouts_enabled', { prefix: 'alt', payouts_enabled: 'no' }],
  ])('is 400 naming %s', async (path, members) => {
    const account = await gateway.newAccount();
    const { status, body } = await set({ account_id: account.id, ...members });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ path }]);
    expect(known.has(account.id)).toBe(false);
  });
});

describe('addresses', () => {
  test('are narrowed by one operator, and widened or lifted by two alone', async () => {
    const { id: account_id } = await gateway.newAccount();
    const asked = (ip_allowlist: string[]) => set({ account_id, prefix: 'cli', ip_allowlist });
    const first = ['203.0.113.0/24', '2001:db8::/32'];
    expect((await asked(first)).status).toBe(201);
    expect((await asked(['203.0.113.0/25', '2001:db8::1'])).status).toBe(201);
    for (const wider of [['203.0.113.0/24'], ['203.0.113.7', '198.51.100.1'], ['0.0.0.0/0'], []]) {
      const { status, body } = await asked(wider);
      expect([wider, status]).toEqual([wider, 202]);
      expect(body.approval).toMatchObject({
        before: { restrictions: { ip_allowlist: ['203.0.113.0/25', '2001:db8::1'] } },
      });
    }
    const { approval } = (await asked(['203.0.113.0/24'])).body;
    const applied = await gateway.asSecond('POST', `/ops/approvals/${approval.id}/approve`);
    expect(applied.body.approval.outcome).toMatchObject({ ip_allowlist: ['203.0.113.0/24'] });
    expect(known.get(account_id)?.ipAllowlist).toEqual(['203.0.113.0/24']);
  });

  test('at the second connector, which take the place of a live key’s own, are no wider than those by one operator', async () => {
    const account = await gateway.newAccount();
    await gateway.database.query(`update api_key set ip_allowlist = '{203.0.113.0/24}' where public_key = $1`, [
      account.live.public_key,
    ]);
    const asked = (prefix: string, ip_allowlist: string[]) => set({ account_id: account.id, prefix, ip_allowlist });
    expect((await asked('alt', ['0.0.0.0/0'])).status).toBe(202);
    expect(known.has(account.id)).toBe(false);
    expect((await asked('alt', ['203.0.113.7'])).status).toBe(201);
  });
});

describe('restrictions that are set', () => {
  test('are listed, and lifted with an audit row of what they were', async () => {
    const account = await gateway.newAccount();
    await set({ account_id: account.id, prefix: 'alt', ip_allowlist: ['203.0.113.7'] });
    const listed = await gateway.asOperator('GET', `/ops/compat/integrations?account_id=${account.id}`);
    expect(listed).toMatchObject({
      status: 200,
      body: { data: [{ account_id: account.id, prefix: 'alt', ip_allowlist: ['203.0.113.7'] }], next_cursor: null },
    });
    const path = `/ops/compat/integrations?account_id=${account.id}&prefix=alt`;
    const { status, body: proposed } = await gateway.asOperator('DELETE', path);
    expect([status, known.has(account.id)]).toEqual([202, true]);
    const approve = `/ops/approvals/${proposed.approval.id}/approve`;
    expect((await gateway.asOperator('POST', approve)).body.error.code).toBe('SECOND_PERSON_REQUIRED');
    expect((await gateway.asSecond('POST', approve)).body.approval).toMatchObject({
      ...{ state: 'APPLIED', kind: 'integration.set', outcome: { removed: true } },
    });
    expect(known.has(account.id)).toBe(false);
    const { body } = await gateway.asOperator('GET', '/ops/audit?action=integration.remove');
    expect(body.data).toMatchObject([
      { operator: 'bruno', before: { ip_allowlist: ['203.0.113.7'] }, after: { removed: true } },
    ]);
    expect((await gateway.asOperator('DELETE', path)).status).toBe(404);
    await set({ account_id: account.id, prefix: 'alt', payouts_enabled: false });
    expect((await gateway.asOperator('DELETE', path)).status).toBe(204);
    expect((await gateway.asOperator('DELETE', '/ops/compat/integrations')).status).toBe(400);
  });
});
