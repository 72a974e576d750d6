import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listProviders, type Provider, updateProvider } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { eventually } from '@gateway/test-kit';
import { accountUpdateRules } from '#src/accounts/change-account.ts';
import type { ApprovalRules, RulesByKind } from '#src/approvals/approval.ts';
import { approve } from '#src/approvals/decide-approval.ts';
import { providerChangeRules } from '#src/proposals/change-provider.ts';
import { type GatewayUnderTest, operatorTokens, startGateway } from '../harness/start-gateway.ts';

const first: Provider = {
  ...{ environment: 'live', id: 'efi', enabled: true, weight: 1, healthy: true },
  ...{ certificateEndsAt: null, paymentMethods: ['PIX'], balances: [] },
};
let provider: Provider;
let updates: number;
/** Runs before the provider is changed; may refuse. */
let whenUpdated: () => void;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway([
    answering(listProviders, async () => ({ providers: [provider] })),
    answering(updateProvider, async ({ weight }) => {
      whenUpdated();
      updates++;
      const before = provider;
      provider = { ...provider, weight: weight ?? provider.weight };
      return { before, provider };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  provider = first;
  updates = 0;
  whenUpdated = () => undefined;
});

const newAccount = async (settings: object = {}): Promise<string> =>
  (await gateway.asOperator('POST', '/ops/accounts', { body: { name: 'Loja', ...settings } })).body.id;
const change = (id: string, body: object) => gateway.asOperator('PATCH', `/ops/accounts/${id}`, { body });
const read = async (id: string) => (await gateway.asOperator('GET', `/ops/approvals/${id}`)).body.approval;
const settingsOf = async (id: string) => (await gateway.asOperator('GET', `/ops/accounts/${id}`)).body;
const approvedBy = {
  ana: (id: string) => gateway.asOperator('POST', `/ops/approvals/${id}/approve`),
  bruno: (id: string) => gateway.asSecond('POST', `/ops/approvals/${id}/approve`),
};
const rejected = (id: string, body?: object) => gateway.asOperator('POST', `/ops/approvals/${id}/reject`, { body });
const auditOf = async (target: string) => (await gateway.asOperator('GET', `/ops/audit?target=${target}`)).body.data;
/** Makes the loop that finishes approvals run now. */
const longAgo = () => ({
  operator: 'bruno',
  may: () => true,
  requestId: newId('request'),
  at: new Date(Date.now() - 60_000),
});

describe('what one operator cannot do alone', () => {
  const limits = { per_payout_cents: 1_000, per_day_cents: 5_000 };
  const careful = {
    ...{ auto_approve_payouts: false, payout_limits: limits, document: '52998224725' },
    fees: {
      ...{ deposit: { fixed_cents: 10, bps: 99 }, payout: { fixed_cents: 50, bps: 0 } },
      MXN: { payout: { fixed_cents: 800 } },
    },
  };

  test.each<[string, object]>([
    ['switch automatic approval on', { auto_approve_payouts: true }],
    ['raise the limit of one payout', { payout_limits: { per_payout_cents: 1_001 } }],
    ['raise the limit of a day', { payout_limits: { per_day_cents: 5_001 } }],
    ['lift a limit', { payout_limits: { per_day_cents: null } }],
    ['give one currency a higher limit than the account', { payout_limits: { MXN: { per_payout_cents: 1_001 } } }],
    ['lower the fee of one currency', { fees: { MXN: { payout: { fixed_cents: 799 } } } }],
    ['lower a fee', { fees: { payout: { fixed_cents: 49 } } }],
    ['redirect settlements', { document: '11222333000181' }],
    ['take a document away, for another to be registered', { document: null }],
    ['do so among other changes', { name: 'Loja Nova', auto_approve_payouts: true, retention_days: 3 }],
  ])('is to %s: nothing changes until a second one approves', async (_what, body) => {
    const id = await newAccount(careful);
    const before = await settingsOf(id);
    const { status, body: answer } = await change(id, { ...body, reason: 'as agreed' });
    expect([status, answer.approval]).toMatchObject([
      202,
      { kind: 'account.update', target: id, account_id: id, request: body, reason: 'as agreed', state: 'PROPOSED' },
    ]);
    expect(answer.approval).toMatchObject({ after_preview: body, proposed_at: answer.approval.created_at });
    const alone = await approvedBy.ana(answer.approval.id);
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(await settingsOf(id)).toEqual(before);
    const approved = await approvedBy.bruno(answer.approval.id);
    expect([approved.status, approved.body.approval]).toMatchObject([200, { state: 'APPLIED', approved_by: 'bruno' }]);
    const after = await settingsOf(id);
    expect(after).toMatchObject(body);
    expect(approved.body.approval.outcome).toEqual(after);
  });

  test.each<[string, object]>([
    ['switch automatic approval off', { auto_approve_payouts: false }],
    ['lower a limit', { payout_limits: { per_payout_cents: 999, per_day_cents: 4_999 } }],
    ['lower the limit of one currency', { payout_limits: { MXN: { per_day_cents: 4_999 } } }],
    ['raise the fee of one currency', { fees: { MXN: { deposit: { bps: 100 } } } }],
    ['raise a fee', { fees: { deposit: { bps: 100 } } }],
    ['say what is so already', { document: '52998224725', payout_limits: limits }],
  ])('is not to %s, which is in force at once', async (_what, body) => {
    const id = await newAccount({ ...careful, auto_approve_payouts: true });
    expect((await change(id, body)).status).toBe(200);
    expect(await settingsOf(id)).toMatchObject(body);
  });

  test('is not to register the first document, nor to say what a new account begins with', async () => {
    const id = await newAccount({ auto_approve_payouts: true });
    expect((await change(id, { document: '52998224725', payout_limits: limits })).status).toBe(200);
  });

  test('is to change the weight of a live provider', async () => {
    const { body } = await gateway.asOperator('PATCH', '/ops/providers/efi', { body: { weight: 9 } });
    expect((await approvedBy.ana(body.approval.id)).status).toBe(409);
    expect(provider.weight).toBe(1);
    expect((await approvedBy.bruno(body.approval.id)).body.approval.outcome).toMatchObject({ weight: 9 });
    expect(provider.weight).toBe(9);
  });
});

describe('an approval', () => {
  const raised = async (settings: object = {}) => {
    const id = await newAccount({ auto_approve_payouts: false, ...settings });
    return { id, approval: (await change(id, { auto_approve_payouts: true })).body.approval };
  };

  test('of two who approve at once is carried out once, for the one who won', async () => {
    const third = { operator: 'carla', may: () => true, requestId: newId('request'), at: new Date() };
    const { approval } = (await gateway.asOperator('PATCH', '/ops/providers/efi', { body: { weight: 3 } })).body;
    const rules = { 'provider.update': providerChangeRules(gateway.bus) } as unknown as RulesByKind;
    const decision = { id: approval.id, reason: null };
    const [bruno, carla] = await Promise.allSettled([
      approvedBy.bruno(approval.id).then(({ status }) => status),
      approve({ database: gateway.database, rules }, third, decision),
    ]);
    const winners = [bruno.status === 'fulfilled' && bruno.value === 200, carla.status === 'fulfilled'];
    expect(winners.filter(Boolean)).toHaveLength(1);
    expect([updates, provider.weight]).toEqual([1, 3]);
    expect((await read(approval.id)).approved_by).toBe(winners[0] ? 'bruno' : 'carla');
  });

  test('approved again by the same operator is answered as it is, and done once', async () => {
    const { id, approval } = await raised();
    const answers = [await approvedBy.bruno(approval.id), await approvedBy.bruno(approval.id)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const changes = (await auditOf(id)) as unknown as { action: string }[];
    expect(changes.filter(({ action }) => action === 'account.update')).toHaveLength(1);
  });

  test('that arrives several times at once from the same operator makes one live key', async () => {
    const id = await newAccount();
    const keys = `/ops/accounts/${id}/keys`;
    const { approval } = (await gateway.asOperator('POST', keys, { body: { environment: 'live' } })).body;
    const answers = await Promise.all([1, 2, 3].map(() => approvedBy.bruno(approval.id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.approval.outcome.public_key)).size).toBe(1);
    expect((await gateway.asOperator('GET', keys)).body.data).toHaveLength(1);
  });

  test.each([1, 2])(
    'whose gateway ended before write %i of its approver is finished under the same id',
    async (write) => {
      const { id, approval } = await raised();
      const rules = { 'account.update': accountUpdateRules(silentDirectory) } as unknown as RulesByKind;
      const dying = approve({ database: endingAt(write), rules }, longAgo(), { id: approval.id, reason: null });
      await expect(dying).rejects.toThrow('the process ends here');
      // Before the first write nothing was decided: the operator, who got no answer, approves again.
      if (write === 1) expect((await read(approval.id)).state).toBe('PROPOSED');
      if (write === 1) await approvedBy.bruno(approval.id);
      await eventually(async () => expect(await read(approval.id)).toMatchObject({ state: 'APPLIED' }));
      expect(await settingsOf(id)).toMatchObject({ auto_approve_payouts: true });
      const changes = (await auditOf(id)) as unknown as { action: string }[];
      expect(changes.filter(({ action }) => action === 'account.update')).toHaveLength(1);
    },
  );

  test('that another service carried out before its gateway ended is finished, and overwrites nothing newer', async () => {
    const { approval } = (await gateway.asOperator('PATCH', '/ops/providers/efi', { body: { weight: 4 } })).body;
    const rules = { 'provider.update': providerChangeRules(gateway.bus) } as unknown as RulesByKind;
    const dying = approve({ database: endingAt(2), rules }, longAgo(), { id: approval.id, reason: null });
    await expect(dying).rejects.toThrow('the process ends here');
    expect(provider.weight).toBe(4);
    await eventually(async () => expect(await read(approval.id)).toMatchObject({ state: 'APPLIED' }));
    expect(provider.weight).toBe(4);
  });

  test('that another service does not answer stays APPLYING, and is carried out once that service is back', async () => {
    whenUpdated = () => {
      throw new DomainError('SERVICE_UNAVAILABLE', 'as the test wants it');
    };
    const { approval } = (await gateway.asOperator('PATCH', '/ops/providers/efi', { body: { weight: 5 } })).body;
    expect((await approvedBy.bruno(approval.id)).status).toBe(503);
    expect(await read(approval.id)).toMatchObject({ state: 'APPLYING', approved_by: 'bruno', outcome: null });
    const other = (await gateway.asOperator('PATCH', '/ops/providers/efi', { body: { weight: 6 } })).body.approval;
    expect((await approvedBy.bruno(other.id)).body.error.code).toBe('INVALID_STATE');
    whenUpdated = () => undefined;
    expect((await approvedBy.bruno(approval.id)).body.approval).toMatchObject({ state: 'APPLIED' });
    expect(provider.weight).toBe(5);
  });

  test('that one attempt found refused for good is answered as refused by another attempt that was slower', async () => {
    const { approval } = (await gateway.asOperator('PATCH', '/ops/providers/efi', { body: { weight: 7 } })).body;
    const slow = Promise.withResolvers<void>();
    const carriedOut = (apply: ApprovalRules['apply']) => {
      const rules = { 'provider.update': { ...providerChangeRules(gateway.bus), apply } } as unknown as RulesByKind;
      const act = { operator: 'bruno', may: () => true, requestId: newId('request'), at: new Date() };
      return approve({ database: gateway.database, rules }, act, { id: approval.id, reason: null });
    };
    const slower = carriedOut(async () => {
      await slow.promise;
      return async () => ({ outcome: {} });
    });
    await eventually(async () => expect(await read(approval.id)).toMatchObject({ state: 'APPLYING' }));
    const refused = carriedOut(async () => {
      throw new DomainError('INVALID_STATE', 'changed by others');
    });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_STATE' });
    slow.resolve();
    await expect(slower).rejects.toMatchObject({ code: 'INVALID_STATE', message: 'changed by others' });
    expect(await read(approval.id)).toMatchObject({ state: 'FAILED', outcome: null });
  });

  test('is withdrawn by its proposer by the earlier name too, with the reason, and then approved by nobody', async () => {
    const { id, approval } = await raised();
    const reason = 'the wrong account';
    const answer = await rejected(approval.id, { reason });
    expect([answer.status, answer.body.approval]).toMatchObject([
      200,
      { state: 'WITHDRAWN', decided_by: 'ana', decision_reason: reason, approved_by: null },
    ]);
    expect((await approvedBy.bruno(approval.id)).body.error.code).toBe('INVALID_STATE');
    expect((await rejected(approval.id)).status).toBe(409);
    expect(await settingsOf(id)).toMatchObject({ auto_approve_payouts: false });
  });

  test('nobody decides in time has EXPIRED, and is approved no more', async () => {
    const [old, late] = [await raised(), await raised()];
    const expire = `update approval set expires_at = now() - interval '1 second' where id = $1`;
    await gateway.database.query(expire, [late.approval.id]);
    const answer = await approvedBy.bruno(late.approval.id);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
    await gateway.database.query(expire, [old.approval.id]);
    await eventually(async () =>
      expect(await read(old.approval.id)).toMatchObject({ state: 'EXPIRED', outcome: null }),
    );
    expect(await settingsOf(late.id)).toMatchObject({ auto_approve_payouts: false });
    expect(await auditOf(old.approval.id)).toMatchObject([
      { operator: 'gateway', action: 'approval.expire', after: { state: 'EXPIRED' } },
      { operator: 'ana', action: 'approval.propose' },
    ]);
  });

  test('of what has changed since it was proposed has FAILED: nobody saw what it would overwrite', async () => {
    const { id, approval } = await raised({ payout_limits: { per_day_cents: 100 } });
    const more = (await change(id, { payout_limits: { per_day_cents: 900 } })).body.approval;
    await change(id, { payout_limits: { per_day_cents: 50 } });
    const answer = await approvedBy.bruno(more.id);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(await read(more.id)).toMatchObject({ state: 'FAILED', failure: { code: 'INVALID_STATE' } });
    expect((await approvedBy.bruno(approval.id)).status).toBe(200);
    expect(await settingsOf(id)).toMatchObject({ payout_limits: { per_day_cents: 50 }, auto_approve_payouts: true });
  });

  test('leaves who proposed and who decided, with before and after', async () => {
    const { id, approval } = await raised();
    await approvedBy.bruno(approval.id);
    expect(await auditOf(approval.id)).toMatchObject([
      { operator: 'bruno', action: 'approval.approve', before: { state: 'PROPOSED' }, after: { state: 'APPLIED' } },
      { operator: 'ana', action: 'approval.propose', before: null, after: { state: 'PROPOSED' } },
    ]);
    expect((await auditOf(id))[0]).toMatchObject({ operator: 'bruno', action: 'account.update' });
  });

  test('is listed by state, kind and account, page by page', async () => {
    const { id, approval } = await raised();
    const { approval: second } = (await change(id, { auto_approve_payouts: true, name: 'Outra' })).body;
    const page = async (query: string) =>
      (await gateway.asOperator('GET', `/ops/approvals?account_id=${id}&${query}`)).body;
    const newest = await page('limit=1&state=PROPOSED');
    const older = await page(`limit=1&cursor=${newest.next_cursor}`);
    expect([...newest.data, ...older.data].map((row) => row.id)).toEqual([second.id, approval.id]);
    expect((await page('kind=key.issue')).data).toEqual([]);
    expect((await page('state=APPLIED')).data).toEqual([]);
    const wrong = await gateway.asOperator('GET', '/ops/approvals?state=MAYBE&kind=theft');
    expect(wrong.body.error.details.map(({ path }) => path)).toEqual(['state', 'kind']);
  });

  test('that does not exist is 404, by whatever is done to it', async () => {
    for (const id of [newId('approval'), 'nonsense']) {
      expect((await gateway.asOperator('GET', `/ops/approvals/${id}`)).status).toBe(404);
      expect((await approvedBy.bruno(id)).status).toBe(404);
      expect((await rejected(id)).status).toBe(404);
    }
  });
});

test('the same operator under two tokens is a configuration that does not start', async () => {
  const twice = ['ana', ' Ana'].map((name, index) => ({ name, token: `${operatorTokens.ana}-${index}` }));
  const start = startGateway([], { OPS_OPERATORS: JSON.stringify(twice) });
  await expect(start).rejects.toThrow(/OPS_OPERATORS.*must not name an operator twice/);
});

const silentDirectory = { announceAccountChanged: () => undefined } as unknown as Parameters<
  typeof accountUpdateRules
>[0];

/** The database of a process that ends when it is about to write that time. */
function endingAt(write: number): Database {
  let writes = 0;
  return new Proxy(gateway.database, {
    get: (database, name) => {
      const member: unknown = Reflect.get(database, name);
      if (typeof member !== 'function') return member;
      if (name !== 'transaction' || ++writes < write) return member.bind(database) as unknown;
      return async () => {
        throw new Error('the process ends here');
      };
    },
  });
}
