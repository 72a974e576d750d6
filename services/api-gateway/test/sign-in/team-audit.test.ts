import { afterAll, beforeAll, expect, test } from 'vitest';
import { teamAuditSql } from '#src/members/team-audit.ts';
import { rowsReadBy } from '../harness/rows-read.ts';
import { browserOf } from '../harness/signing-in.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';
import { createShop, ScriptedMoney, type TeamMember } from '../harness/team-money.ts';

const money = new ScriptedMoney();
let gateway: GatewayUnderTest;
let shop: string;
let other: string;
let owner: TeamMember;
let approver: TeamMember;
beforeAll(async () => {
  money.reset();
  gateway = await startGateway(money.routes());
  [shop, other] = [await createShop(gateway), await createShop(gateway)];
  [owner, approver] = [money.member(gateway, 'olga', shop, 'owner'), money.member(gateway, 'paulo', shop, 'approver')];
});
afterAll(async () => gateway[Symbol.asyncDispose]());

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly target: string;
  readonly by: { readonly kind: string; readonly name: string | null };
  readonly [member: string]: unknown;
}

const recipient = { name: 'Maria da Silva', document: '529.982.247-25' };
const payout = (externalId: string) => ({
  ...{ amount: 1_200, external_id: externalId, payout_key: 'maria@example.com', payout_key_type: 'email', recipient },
});
const propose = async (by: TeamMember, externalId: string, environment = 'live') => {
  const mode = { 'x-environment': environment };
  const { status, body } = await by.confirmed('POST', '/payout-batches', { payouts: [payout(externalId)] }, mode);
  expect(status).toBe(202);
  return body.approval;
};
const audit = async (query = '', environment = 'live', by = owner): Promise<readonly Entry[]> => {
  const { status, body } = await by.call('GET', `/team/audit${query}`, undefined, { 'x-environment': environment });
  expect(status).toBe(200);
  return body.data as unknown as readonly Entry[];
};
const actionsIn = (entries: readonly Entry[]) => entries.map(({ action, by }) => `${by.name ?? by.kind} ${action}`);

test('an owner reads who proposed and decided what, who issued and revoked which key, newest first, personal data masked', async () => {
  const { id, request_digest } = await propose(owner, 'audited-1');
  const approved = await approver.confirmed('POST', `/approvals/${id}/approve`, { request_digest });
  expect(approved.body.approval.state).toBe('APPLIED');
  const issued = await gateway.asOperator('POST', `/ops/accounts/${shop}/keys`, { body: { environment: 'test' } });
  await gateway.asOperator('DELETE', `/ops/keys/${issued.body.public_key}`);
  const live = await audit();
  expect(actionsIn(live)).toEqual(['paulo approval.approve', 'olga approval.propose']);
  expect(live[0]).toMatchObject({
    target: id,
    kind: 'change',
    before: { state: 'PROPOSED' },
    after: { state: 'APPLIED' },
  });
  expect(JSON.stringify(live)).not.toMatch(/52998224725|maria@example/);
  expect(JSON.stringify(live)).toContain('m***@example.com');
  const inTest = await audit('', 'test');
  expect(actionsIn(inTest)).toEqual(['operator key.revoke', 'operator key.issue']);
  expect(JSON.stringify(inTest)).not.toContain('"ana"');
});

test('what operators decide among themselves about the account is not in it, nor what belongs to another account', async () => {
  const settings = { payout_fee: { fixed_cents: 0, bps: 0 } };
  await gateway.asOperator('PATCH', `/ops/accounts/${shop}`, { body: { name: 'Loja Nova', ...settings } });
  await gateway.asOperator('POST', `/ops/accounts/${other}/keys`, { body: { environment: 'test' } });
  const theirs = money.member(gateway, 'rita', other, 'owner');
  await propose(theirs, 'audited-2');
  const every = [...(await audit()), ...(await audit('', 'test'))];
  expect(every.filter(({ action }) => action.startsWith('account.'))).toEqual([]);
  expect(JSON.stringify(every)).not.toContain(other);
  expect(actionsIn(await audit('', 'live', theirs))).toEqual(['rita approval.propose']);
  const refused = await theirs.call('GET', '/team/audit', undefined, { 'x-account': shop });
  expect(refused.status).toBe(403);
});

test('an owner of test mode alone sees nothing of live mode, nor who read what', async () => {
  const { id } = await propose(owner, 'audited-4');
  expect((await audit()).map(({ target }) => target)).toContain(id);
  const tester = money.member(gateway, 'tina', shop, 'owner', ['test']);
  await gateway.asOperator('GET', `/ops/accounts/${shop}`);
  expect((await tester.call('GET', '/team/audit')).status).toBe(403);
  expect(actionsIn(await audit('', 'test', tester)).join()).not.toContain('approval');
  expect(await audit('?kind=read', 'test', tester)).toEqual([]);
  expect(actionsIn(await audit('?kind=read'))).toContain('operator account.read');
});

test('a reveal is there with the reason that the person gave, and an operator’s reason is not', async () => {
  const { id } = await propose(owner, 'audited-3');
  await approver.call('GET', `/approvals/${id}`, undefined, { 'x-reveal': 'whether it is the right Maria' });
  const [read] = await audit(`?kind=read&target=${id}`);
  expect(read).toMatchObject({
    action: 'approval.read',
    by: { kind: 'person', name: 'paulo' },
    reason: 'whether it is the right Maria',
  });
  const duty = browserOf(gateway, money.identity.signIn('sueli', ['duty']).token);
  await duty('GET', `/ops/accounts/${shop}`, { headers: { 'x-reveal': 'asked by the authorities' } });
  const reads = await audit('?kind=read');
  expect(actionsIn(reads)[0]).toBe('operator account.read');
  expect(JSON.stringify(reads)).not.toMatch(/authorities|sueli/);
  expect(reads.filter(({ by, reason }) => by.kind === 'operator' && reason !== null)).toEqual([]);
});

test('pages and filters give each entry once', async () => {
  const all = await audit('?limit=200');
  const paged: Entry[] = [];
  for (let cursor = ''; ;) {
    const { body } = await owner.call('GET', `/team/audit?limit=1${cursor}`);
    paged.push(...(body.data as unknown as Entry[]));
    const next = (body as unknown as { next_cursor: string | null }).next_cursor;
    if (next === null) break;
    cursor = `&cursor=${next}`;
  }
  expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(actionsIn(await audit('?person=paulo'))).toEqual(['paulo approval.approve']);
  expect(actionsIn(await audit('?person=ana'))).toEqual([]);
  expect(new Set(actionsIn(await audit('?action=approval.propose')))).toEqual(new Set(['olga approval.propose']));
  expect(await audit('?from=99999999999')).toEqual([]);
  const unknown = await owner.call('GET', '/team/audit?operator=ana');
  expect([unknown.status, unknown.body.error.details[0]?.path]).toEqual([400, 'operator']);
});

test('a page of the trail is read from its index, whatever others have read and done', async () => {
  await gateway.database.query(
    `insert into audit (id, operator, action, target, request_id, created_at, kind, account_id)
     select 'aud_' || lpad(n::text, 26, '0'), 'ana', 'payout.get', 'pyt_1', 'r', now(), 'read', $1
     from generate_series(1, 20000) n`,
    [other],
  );
  await gateway.database.query('analyze audit');
  for (const kind of ['read', 'change']) {
    const asked = [shop, 'live', kind, null, null, null, null, null, 51];
    expect(await rowsReadBy(gateway.database, teamAuditSql, asked), kind).toBeLessThan(100);
  }
});
