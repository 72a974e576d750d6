import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getCaller, getFreeze, getKeyHolder } from '@gateway/contracts/accounts';
import { approvePayout, getOperatorPayout, refusePayout } from '@gateway/contracts/payouts';
import { answering, callRpc } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { metricsText } from '@gateway/runtime';
import { eventually } from '@gateway/test-kit';
import { memberRoutes } from '#src/members/for-members.ts';
import { writesWithoutMoneyOut } from '#src/merchant/frozen-accounts.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { operatorPayoutOf } from '../harness/records.ts';
import { startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

const waiting = operatorPayoutOf({ status: 'PENDING', environment: 'live' });
let approved: string[];
let gateway: GatewayUnderTest;
beforeAll(async () => {
  approved = [];
  gateway = await startGateway([
    answering(getOperatorPayout, async () => ({ payout: waiting })),
    answering(approvePayout, async ({ id }) => {
      approved.push(id);
      return { before: waiting, payout: waiting };
    }),
    answering(refusePayout, async () => ({ before: waiting, payout: waiting })),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const reason = 'payouts to accounts the merchant does not know';
const freeze = (id: string, body: object) => gateway.asOperator('POST', `/ops/accounts/${id}/freeze`, { body });
const unfreeze = (id: string, body: object = {}) =>
  gateway.asOperator('POST', `/ops/accounts/${id}/unfreeze`, { body: { reason, ...body } });
const decide = (approvalId: string, as: 'asOperator' | 'asSecond') =>
  gateway[as]('POST', `/ops/approvals/${approvalId}/approve`);
const frozenOf = async (id: string) =>
  ((await gateway.asOperator('GET', `/ops/accounts/${id}`)).body as unknown as { frozen: unknown }).frozen;

const writing = merchantRoutes.filter(({ method }) => method !== 'GET');
const named = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;
/** A call of a route with whatever ids: a refusal comes before the path or the body is looked at. */
const called = async (key: KeyPair, method: string, path: string) => {
  const filled = path.replace(/:\w+/g, '01k9zzzzzzzzzzzzzzzzzzzzzz');
  const { status, body } = await gateway.asMerchant(key, method, filled);
  return status === 403 ? body.error.code : 'passed';
};

describe('of a frozen account', () => {
  test('every operation of the route table that writes is 403, and every reading one goes on', async () => {
    const { id, live, test: testKey } = await gateway.newAccount({ rate_limit: { per_second: 1_000, burst: 1_000 } });
    expect((await freeze(id, { level: 'writes', reason })).status).toBe(200);
    const keyFor = (path: string) => (path.startsWith('/v1/test/') ? testKey : live);
    const answers = merchantRoutes.map(async ({ method, path }) => [
      ...[method, path],
      await called(keyFor(path), method, path),
    ]);
    const expected = merchantRoutes.map(({ method, path }) => {
      return [method, path, method === 'GET' ? 'passed' : 'ACCOUNT_FROZEN'];
    });
    expect(await Promise.all(answers)).toEqual(expected);
  });

  test('whose payouts are frozen, whatever takes money out is 403, and everything else goes on', async () => {
    const { id, test: key } = await gateway.newAccount({ rate_limit: { per_second: 1_000, burst: 1_000 } });
    expect((await freeze(id, { level: 'payouts', reason })).status).toBe(200);
    const answers = await Promise.all(merchantRoutes.map(({ method, path }) => called(key, method, path)));
    const refused = merchantRoutes.filter((_route, index) => answers[index] === 'ACCOUNT_FROZEN');
    expect(refused.map(named).sort()).toEqual([
      'POST /v1/conversions',
      'POST /v1/deposits/:id/refunds',
      'POST /v1/payouts',
      'POST /v1/test/payouts/:id/approve',
    ]);
  });

  test('every operation that is said to take no money out is one of the route table', () => {
    const known = [...writing, ...memberRoutes].map(named);
    expect(writesWithoutMoneyOut.filter((each) => !known.includes(each))).toEqual([]);
  });

  test('a call is refused before its body is read, after its key was checked', async () => {
    const { id, live } = await gateway.newAccount();
    await freeze(id, { level: 'writes', reason });
    const answer = await gateway.asMerchant(live, 'POST', '/v1/deposits', { body: '{' });
    expect([answer.status, answer.body.error]).toMatchObject([403, { code: 'ACCOUNT_FROZEN' }]);
    expect(answer.text).not.toContain(reason);
    const stranger = await gateway.asMerchant({ ...live, secret_key: 'sk_live_0' }, 'POST', '/v1/deposits');
    expect([stranger.status, stranger.body.error.code]).toEqual([401, 'AUTH_INVALID']);
  });

  test('the merchant reads what is stopped and since when, and not who stopped it or why', async () => {
    const { id, live } = await gateway.newAccount();
    await freeze(id, { level: 'payouts', reason });
    const { body, text } = await gateway.asMerchant(live, 'GET', '/v1/account');
    expect(body).toMatchObject({ frozen: { level: 'payouts', at: expect.any(Number) as number } });
    expect([text.includes(reason), text.includes('"ana"')]).toEqual([false, false]);
  });

  test('other services learn it with the key, of that environment alone', async () => {
    const { id, test: testKey, live } = await gateway.newAccount();
    await freeze(id, { level: 'writes', environment: 'live', reason });
    for (const asked of [getCaller, getKeyHolder]) {
      const [ofLive, ofTest] = [live, testKey].map(({ public_key: publicKey }) =>
        callRpc(gateway.bus, asked, { publicKey }),
      );
      expect((await ofLive)?.frozen).toMatchObject({ level: 'writes' });
      expect((await ofTest)?.frozen).toBeNull();
    }
    const asked = (environment: 'live' | 'test', accountId = id) =>
      callRpc(gateway.bus, getFreeze, { environment, accountId });
    expect(await asked('live')).toMatchObject({ frozen: { level: 'writes' } });
    expect([await asked('test'), await asked('live', newId('account'))]).toEqual([{ frozen: null }, { frozen: null }]);
  });
});

describe('a freeze', () => {
  test('is in force at once, by one operator, with reason, audit and metric', async () => {
    const { id, test: key } = await gateway.newAccount();
    expect(await called(key, 'POST', '/v1/deposits')).toBe('passed');
    const { status, body } = await freeze(id, { level: 'writes', reason });
    const shown = { level: 'writes', reason, by: 'ana', at: expect.any(Number) as number };
    const both = { frozen: { ...shown, environment: null }, frozen_environments: { live: shown, test: shown } };
    expect([status, body]).toMatchObject([200, both]);
    expect(await called(key, 'POST', '/v1/deposits')).toBe('ACCOUNT_FROZEN');
    const [row] = (await gateway.asOperator('GET', `/ops/audit?target=${id}&action=account.freeze`)).body.data;
    expect(row).toMatchObject({ operator: 'ana', before: { frozen: null }, after: both });
    const frozen = await gateway.asOperator('GET', '/ops/accounts?frozen=true&limit=200');
    expect(frozen.body.data.map((account) => account.id)).toContain(id);
    const others = await gateway.asOperator('GET', '/ops/accounts?frozen=false&limit=200');
    expect(others.body.data.map((account) => account.id)).not.toContain(id);
    await eventually(async () =>
      expect((await metricsText()).text).toMatch(/gateway_accounts_frozen\{environment="live",level="writes"\} [1-9]/),
    );
    expect((await metricsText()).text).toMatch(/gateway_frozen_calls_refused_total\{level="writes"\} [1-9]/);
  });

  test('of one environment leaves the other as it is', async () => {
    const { id, test: testKey, live } = await gateway.newAccount();
    await freeze(id, { level: 'writes', environment: 'live', reason });
    expect(await called(live, 'POST', '/v1/deposits')).toBe('ACCOUNT_FROZEN');
    expect(await called(live, 'POST', '/v1/test/balance/release')).toBe('TEST_ONLY');
    expect(await called(testKey, 'POST', '/v1/deposits')).toBe('passed');
    expect(await frozenOf(id)).toMatchObject({ level: 'writes', environment: 'live' });
  });

  test('holds in every gateway process, in one that starts later, and when no signal of it was received', async () => {
    const { id, live } = await gateway.newAccount();
    const replica = await gateway.startReplica();
    const there = () => replica.asMerchant(live, 'POST', '/v1/payouts');
    expect((await there()).status).not.toBe(403);
    await freeze(id, { level: 'payouts', reason });
    await eventually(async () => expect((await there()).status).toBe(403));
    const later = await gateway.startReplica();
    expect((await later.asMerchant(live, 'POST', '/v1/payouts')).status).toBe(403);

    const unsignalled = await gateway.newAccount();
    expect(await called(unsignalled.live, 'POST', '/v1/payouts')).toBe('passed');
    await gateway.database.query(
      `update account set frozen_live = $2, version = version + 1, updated_at = now() where id = $1`,
      [unsignalled.id, JSON.stringify({ level: 'payouts', reason, by: 'ana', at: 1 })],
    );
    await eventually(async () => expect(await called(unsignalled.live, 'POST', '/v1/payouts')).toBe('ACCOUNT_FROZEN'));
  });

  test('is raised by one operator, and never lowered by one', async () => {
    const { id } = await gateway.newAccount();
    expect((await freeze(id, { level: 'payouts', reason })).status).toBe(200);
    expect((await freeze(id, { level: 'writes', environment: 'test', reason: 'more' })).status).toBe(200);
    expect(await frozenOf(id)).toMatchObject({ level: 'writes', environment: 'test', reason: 'more' });
    const lowered = await freeze(id, { level: 'payouts', reason });
    expect([lowered.status, lowered.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(await frozenOf(id)).toMatchObject({ level: 'writes', reason: 'more' });
  });

  test.each<[object, string]>([
    [{ reason }, 'level'],
    [{ level: 'everything', reason }, 'level'],
    [{ level: 'writes' }, 'reason'],
    [{ level: 'writes', reason: '' }, 'reason'],
    [{ level: 'writes', reason: 'x'.repeat(501) }, 'reason'],
    [{ level: 'writes', reason, environment: 'both' }, 'environment'],
    [{ level: 'writes', reason, account: 'acc' }, 'account'],
  ])('with %j is refused by name, and freezes nothing', async (body, path) => {
    const { id } = await gateway.newAccount();
    const answer = await freeze(id, body);
    expect([answer.status, answer.body.error.details.map((each) => each.path)]).toEqual([400, [path]]);
    expect(await frozenOf(id)).toBeNull();
  });

  test('of no account is 404', async () => {
    expect((await freeze(newId('account'), { level: 'writes', reason })).status).toBe(404);
    expect((await freeze('nonsense', { level: 'writes', reason })).status).toBe(404);
    expect((await unfreeze(newId('account'))).status).toBe(404);
  });
});

describe('lifting a freeze', () => {
  test('takes two operators, and lets the merchant write again', async () => {
    const { id, live } = await gateway.newAccount();
    await freeze(id, { level: 'writes', reason });
    const proposed = await unfreeze(id);
    expect([proposed.status, proposed.body.approval]).toMatchObject([
      202,
      { kind: 'account.unfreeze', target: id, state: 'PROPOSED', before: { live: { level: 'writes' } } },
    ]);
    const alone = await decide(proposed.body.approval.id, 'asOperator');
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(await called(live, 'POST', '/v1/deposits')).toBe('ACCOUNT_FROZEN');
    const lifted = await decide(proposed.body.approval.id, 'asSecond');
    expect([lifted.status, lifted.body.approval]).toMatchObject([200, { state: 'APPLIED', outcome: { frozen: null } }]);
    expect(await called(live, 'POST', '/v1/deposits')).toBe('passed');
    const [row] = (await gateway.asOperator('GET', `/ops/audit?target=${id}&action=account.unfreeze`)).body.data;
    expect(row).toMatchObject({ operator: 'bruno', before: { frozen: { level: 'writes' } }, after: { frozen: null } });
  });

  test('of one environment leaves the other frozen', async () => {
    const { id } = await gateway.newAccount();
    await freeze(id, { level: 'payouts', reason });
    const { approval } = (await unfreeze(id, { environment: 'test' })).body;
    expect((await decide(approval.id, 'asSecond')).status).toBe(200);
    expect(await frozenOf(id)).toMatchObject({ level: 'payouts', environment: 'live' });
  });

  test('is not carried out once the account was frozen again: the approver has not seen that freeze', async () => {
    const { id } = await gateway.newAccount();
    await freeze(id, { level: 'payouts', reason });
    const { approval } = (await unfreeze(id)).body;
    await freeze(id, { level: 'payouts', reason: 'another case' });
    const late = await decide(approval.id, 'asSecond');
    expect([late.status, late.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(await frozenOf(id)).toMatchObject({ level: 'payouts', reason: 'another case' });
    const { body } = await gateway.asOperator('GET', `/ops/approvals/${approval.id}`);
    expect(body.approval.state).toBe('FAILED');
  });

  test('of what is not frozen is 409, and without a reason 400', async () => {
    const { id } = await gateway.newAccount();
    expect((await unfreeze(id)).status).toBe(409);
    await freeze(id, { level: 'payouts', environment: 'live', reason });
    expect((await unfreeze(id, { environment: 'test' })).status).toBe(409);
    const answer = await unfreeze(id, { reason: '' });
    expect([answer.status, answer.body.error.details[0]?.path]).toEqual([400, 'reason']);
  });
});

test('a payout that waits for approval is not approved while its account is frozen, and can be refused', async () => {
  for (const level of ['payouts', 'writes'] as const) {
    const { id } = await gateway.newAccount();
    Object.assign(waiting, { accountId: id });
    await freeze(id, { level, environment: 'live', reason });
    const before = approved.length;
    const path = `/ops/payouts/${waiting.id}`;
    const refused = await gateway.asSecond('POST', `${path}/approve`);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'ACCOUNT_FROZEN']);
    expect(approved).toHaveLength(before);
    expect((await gateway.asSecond('POST', `${path}/refuse`)).status).toBe(200);
    const { approval } = (await unfreeze(id)).body;
    await decide(approval.id, 'asSecond');
    expect((await gateway.asSecond('POST', `${path}/approve`)).status).toBe(200);
    expect(approved).toHaveLength(before + 1);
  }
});
