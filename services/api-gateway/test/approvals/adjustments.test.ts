import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LedgerCommandClient } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import type { RulesByKind } from '#src/approvals/approval.ts';
import { approve as decide } from '#src/approvals/decide-approval.ts';
import { adjustmentRules } from '#src/proposals/apply-adjustment.ts';
import { endingAtRecord } from '../harness/ending-process.ts';
import { ScriptedLedger } from '../harness/scripted-ledger.ts';
import { type GatewayUnderTest, operatorTokens, startGateway } from '../harness/start-gateway.ts';

const bruno = { authorization: `Bearer ${operatorTokens.bruno}` };
let ledger: ScriptedLedger;
let gateway: GatewayUnderTest;
let accountId: string;
let keys: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

beforeAll(async () => {
  gateway = await startGateway();
  keys = await gateway.newAccount();
  accountId = keys.id;
  ledger = await ScriptedLedger.start(gateway, 'test');
});
afterAll(async () => {
  await ledger[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});
beforeEach(() => ledger.forget());

const bodyOf = (members: object = {}) => ({
  ...{ account_id: accountId, environment: 'test', currency: 'BRL', amount_cents: -250, reason: 'a correction' },
  ...{ external_id: newId('request'), ...members },
});
const propose = (members: object = {}) => gateway.asOperator('POST', '/ops/adjustments', { body: bodyOf(members) });
const approve = (id: string, headers: Record<string, string> = bruno) =>
  gateway.asOperator('POST', `/ops/adjustments/${id}/approve`, { headers });

describe('an adjustment', () => {
  test('is proposed by one operator and carried out by another, once', async () => {
    const { status, body } = await propose();
    const { approval, ...proposed } = body;
    expect([status, proposed]).toEqual([
      201,
      expect.objectContaining({ object: 'adjustment', status: 'PROPOSED', amount_cents: -250, proposed_by: 'ana' }),
    ]);
    expect(approval).toMatchObject({ kind: 'adjustment.apply', target: proposed.id, state: 'PROPOSED' });
    expect(ledger.commands).toEqual([]);
    const applied = await approve(proposed.id);
    const decided = { status: 'APPLIED', approved_by: 'bruno', decided_at: expect.any(Number) as number };
    const { approval: carriedOut, ...after } = applied.body;
    expect([applied.status, after]).toEqual([200, { ...proposed, ...decided }]);
    expect(carriedOut).toMatchObject({ id: approval.id, state: 'APPLIED', approved_by: 'bruno', outcome: after });
    const command = { kind: 'adjust', id: `adjust:${proposed.id}`, adjustmentId: proposed.id, amount: -250 };
    expect(ledger.commands).toEqual([{ ...command, accountId, environment: 'test', currency: 'BRL' }]);
    expect((await approve(proposed.id)).body).toEqual(applied.body);
    expect(ledger.commands).toHaveLength(1);
    const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${proposed.id}`);
    expect(trail.data).toMatchObject([
      { operator: 'bruno', action: 'adjustment.approve', before: proposed, after },
      { operator: 'ana', action: 'adjustment.propose', before: null, after: proposed },
    ]);
  });

  test('is read by its own merchant once it is carried out, without who decided it and why', async () => {
    const { body: proposed } = await propose();
    const read = async (key = keys.test, version = '0.1') => {
      const headers = { 'x-api-version': version };
      return await gateway.asMerchant(key, 'GET', `/v1/adjustments/${proposed.id}`, { headers });
    };
    expect((await read()).status).toBe(404);
    await approve(proposed.id);
    const shown = { id: proposed.id, object: 'adjustment', status: 'APPLIED', environment: 'test' };
    const applied_at = expect.any(Number) as number;
    expect((await read()).body).toEqual({ ...shown, amount_cents: -250, applied_at });
    expect((await read(keys.test, '1.0')).body).toEqual({ ...shown, amount: -250, currency: 'BRL', applied_at });
    expect((await read(keys.live)).status).toBe(404);
    expect((await read((await gateway.newAccount()).test)).status).toBe(404);
  });

  test('is not approved by its proposer', async () => {
    const { body } = await propose();
    const answer = await approve(body.id, {});
    expect([answer.status, answer.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(ledger.commands).toEqual([]);
  });

  test.each(['adjustments', 'approvals'] as const)(
    'that was a mistake is withdrawn by its proposer at /ops/%s, and approved by nobody afterwards',
    async (route) => {
      const { body } = await propose();
      const id = route === 'adjustments' ? body.id : body.approval.id;
      const reason = { body: { reason: 'the wrong sign' } };
      const withdrawn = await gateway.asOperator('POST', `/ops/${route}/${id}/withdraw`, reason);
      const ended = { state: 'WITHDRAWN', decided_by: 'ana', decision_reason: 'the wrong sign', approved_by: null };
      expect([withdrawn.status, withdrawn.body.approval]).toMatchObject([200, ended]);
      const late = await approve(body.id);
      expect([late.status, late.body.error.code]).toEqual([409, 'INVALID_STATE']);
      expect(ledger.commands).toEqual([]);
      const list = `/ops/adjustments?status=WITHDRAWN&account_id=${accountId}`;
      expect((await gateway.asOperator('GET', list)).body.data.map((each) => each.id)).toContain(body.id);
      const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${body.id}`);
      expect(trail.data[0]).toMatchObject({ action: 'adjustment.withdraw', after: { status: 'WITHDRAWN' } });
    },
  );

  test('is refused by another operator alone, and withdrawn by its proposer alone', async () => {
    const { body } = await propose();
    const path = `/ops/adjustments/${body.id}`;
    const own = await gateway.asOperator('POST', `${path}/refuse`);
    expect([own.status, own.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    const others = await gateway.asSecond('POST', `${path}/withdraw`);
    expect([others.status, others.body.error.code]).toEqual([409, 'INVALID_STATE']);
    const refused = await gateway.asSecond('POST', `${path}/refuse`, { body: { reason: 'not on the statement' } });
    expect([refused.status, refused.body]).toMatchObject([
      200,
      { status: 'REJECTED', approval: { state: 'REFUSED', decided_by: 'bruno', approved_by: null } },
    ]);
    for (const late of ['approve', 'refuse', 'withdraw']) {
      expect((await gateway.asOperator('POST', `${path}/${late}`)).status).toBe(409);
    }
    expect(ledger.commands).toEqual([]);
  });

  test('withdrawn and approved at the same time has one end: booked, or never booked', async () => {
    const ends = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const { body } = await propose();
      const withdraw = () => gateway.asOperator('POST', `/ops/adjustments/${body.id}/withdraw`);
      const both = round % 2 === 0 ? [approve(body.id), withdraw()] : [withdraw(), approve(body.id)];
      const answers = await Promise.all(both);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const { approval } = (await gateway.asOperator('GET', `/ops/approvals/${body.approval.id}`)).body;
      const booked = ledger.commands.filter(({ id }) => id === `adjust:${body.id}`).length;
      expect([approval.state, booked]).toEqual(approval.state === 'APPLIED' ? ['APPLIED', 1] : ['WITHDRAWN', 0]);
      ends.add(approval.state);
    }
    expect(ends.size).toBeGreaterThan(0);
  });

  test.each([
    ['withdraw', { reason: '' }, 'reason'],
    ['refuse', { reason: 'x'.repeat(501) }, 'reason'],
    ['refuse', { because: 'x' }, 'because'],
  ])('%s with %j is refused by name, and stays proposed', async (decision, members, path) => {
    const { body } = await propose();
    const answer = await gateway.asSecond('POST', `/ops/adjustments/${body.id}/${decision}`, { body: members });
    expect([answer.status, answer.body.error.details.map((each) => each.path)]).toEqual([400, [path]]);
    expect((await approve(body.id)).status).toBe(200);
  });

  test('that the balance does not cover is refused for good', async () => {
    ledger.decides = () => ({ outcome: 'refused', refusal: 'insufficient_funds' });
    const { body } = await propose();
    const refused = await approve(body.id);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect((await approve(body.id)).status).toBe(409);
    const { body: page } = await gateway.asOperator('GET', `/ops/adjustments?status=REFUSED&account_id=${accountId}`);
    expect(page.data).toMatchObject([{ id: body.id, status: 'REFUSED', approved_by: 'bruno' }]);
  });

  test('proposed again under its external_id is the same one', async () => {
    const external_id = newId('request');
    const answers = await Promise.all([propose({ external_id }), propose({ external_id, amount_cents: 9 })]);
    const repeated = await propose({ external_id });
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(new Set([...answers, repeated].map(({ body }) => body.id)).size).toBe(1);
  });

  test.each<[object, string]>([
    [{ amount_cents: 0 }, 'amount_cents'],
    [{ amount_cents: 1.5 }, 'amount_cents'],
    [{ amount_cents: 100_000_000_001 }, 'amount_cents'],
    [{ currency: 'EUR' }, 'currency'],
    [{ environment: 'prod' }, 'environment'],
    [{ reason: '' }, 'reason'],
    [{ external_id: undefined }, 'external_id'],
    [{ account_id: newId('account') }, 'account_id'],
  ])('with %j is refused by name', async (members, path) => {
    const { status, body } = await propose(members);
    expect([status, body.error.details.map((detail) => detail.path)]).toEqual([400, [path]]);
  });

  test.each([
    ['applied', 'APPLIED'],
    ['refused', 'REFUSED'],
  ] as const)('whose gateway ended between the answer %s and its record is finished: %s', async (outcome, status) => {
    ledger.decides = () => ({ outcome, refusal: outcome === 'refused' ? 'insufficient_funds' : null });
    const { body: proposed } = await propose();
    await using ledgerClient = new LedgerCommandClient(gateway.bus);
    const act = { operator: 'bruno', may: () => true, requestId: 'the-approval', at: new Date(Date.now() - 60_000) };
    const rules = { 'adjustment.apply': adjustmentRules(ledgerClient) } as unknown as RulesByKind;
    const decision = { id: proposed.approval.id, reason: null };
    const dying = decide({ database: endingAtRecord(gateway.database), rules }, act, decision);
    await expect(dying).rejects.toThrow('the process ends here');
    const decided = await eventually(async () => {
      const { body } = await gateway.asOperator('GET', `/ops/adjustments?status=${status}&account_id=${accountId}`);
      const found = body.data.find(({ id }) => id === proposed.id);
      expect(found).toMatchObject({ approved_by: 'bruno', decided_at: expect.any(Number) as number });
      return found;
    });
    expect(new Set(ledger.commands.map(({ id }) => id))).toEqual(new Set([`adjust:${proposed.id}`]));
    const { body: trail } = await gateway.asOperator('GET', `/ops/audit?target=${proposed.id}`);
    expect(trail.data[0]).toMatchObject({ operator: 'bruno', action: 'adjustment.approve', after: decided });
  });

  test('nobody proposed is 404', async () => {
    expect((await approve(newId('adjustment'))).status).toBe(404);
    expect((await approve('nonsense')).status).toBe(404);
    for (const decision of ['withdraw', 'refuse']) {
      const path = `/ops/adjustments/${newId('adjustment')}/${decision}`;
      expect((await gateway.asOperator('POST', path)).status).toBe(404);
    }
  });
});
