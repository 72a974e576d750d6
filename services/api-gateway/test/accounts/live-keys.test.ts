import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getBalance } from '@gateway/contracts/ledger';
import { answering } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { revokeUnclaimed } from '#src/accounts/claim-key.ts';
import { browserOf, personAt } from '../harness/signing-in.ts';
import { operatorTokens, startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';
import { ScriptedMoney, type TeamMember } from '../harness/team-money.ts';

const money = new ScriptedMoney();
let gateway: GatewayUnderTest;
let ana: ReturnType<typeof personAt>;
let bruno: ReturnType<typeof personAt>;
let accountId: string;
let owner: TeamMember;
let developer: TeamMember;

beforeAll(async () => {
  // As in a deployment, where people decide and no operator sees a live secret.
  gateway = await startGateway(money.routes(), { DEV_LOGIN: 'false' });
  [ana, bruno] = [personAt(gateway, money.identity, 'ana'), personAt(gateway, money.identity, 'bruno')];
  accountId = (await ana.call('POST', '/ops/accounts', { body: { name: 'Loja' } })).body.id;
  owner = money.member(gateway, 'olga', accountId, 'owner');
  developer = money.member(gateway, 'davi', accountId, 'developer');
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const propose = (body: object = {}) =>
  ana.confirmed('POST', `/ops/accounts/${accountId}/keys`, { environment: 'live', ...body });
const approve = (id: string) => bruno.confirmed('POST', `/ops/approvals/${id}/approve`, {});
const keysOf = async () => (await gateway.asOperator('GET', `/ops/accounts/${accountId}/keys`)).body.data;
const balance = (key: KeyPair) => gateway.asMerchant(key, 'GET', '/v1/balance');
const auditOf = async (target: string) => (await gateway.asOperator('GET', `/ops/audit?target=${target}`)).body.data;
/** A person of the account fetches the secret of a key. */
const claim = async (by: TeamMember, publicKey: string, headers: Record<string, string> = {}) => {
  const { status, body } = await by.confirmed('POST', `/v1/keys/${publicKey}/claim`, {}, headers);
  return { status, body, pair: body as unknown as KeyPair };
};

/** A live key that was approved. */
async function issued(body: object = {}) {
  const { approval } = (await propose(body)).body;
  const { outcome } = (await approve(approval.id)).body.approval;
  return { approval, outcome, publicKey: outcome.public_key };
}

describe('a live key', () => {
  test('is not issued by one operator: there is none before another has approved', async () => {
    const { status, body } = await propose({ name: 'till', reason: 'their go-live' });
    expect([status, body.approval]).toMatchObject([
      202,
      {
        ...{ kind: 'key.issue', environment: 'live', account_id: accountId, state: 'PROPOSED', proposed_by: 'ana' },
        ...{ request: { environment: 'live', name: 'till' }, reason: 'their go-live', outcome: null },
      },
    ]);
    expect(body).not.toHaveProperty('secret_key');
    const alone = await ana.confirmed('POST', `/ops/approvals/${body.approval.id}/approve`, {});
    expect([alone.status, alone.body.error.code]).toEqual([409, 'SECOND_PERSON_REQUIRED']);
    expect(await keysOf()).toEqual([]);
  });

  test('shows its secret to no operator, and its link to the approving one alone', async () => {
    const { approval, outcome } = await issued();
    expect(outcome).toMatchObject({ public_key: expect.stringMatching(/^pk_live_/) as string });
    expect(outcome).not.toHaveProperty('secret_key');
    const mine = (await bruno.call('GET', `/ops/approvals/${approval.id}`)).body.approval;
    expect(mine.outcome).toEqual(outcome);
    const theirs = await ana.call('GET', `/ops/approvals/${approval.id}`);
    expect(theirs.body.approval.outcome).not.toHaveProperty('claim_url');
    const listed = await ana.call('GET', '/ops/approvals');
    const trail = await bruno.call('GET', '/ops/audit?limit=200');
    for (const { text } of [theirs, listed, trail]) expect(text).not.toContain(outcome.claim_url);
  });

  test('is handed on by a link to its page in the merchants’ console, which gives nothing to an operator, by session or token', async () => {
    const { outcome, publicKey } = await issued();
    expect(outcome.claim_url).toBe(`http://localhost:8088/${accountId}/live/developers/${publicKey}`);
    const { pathname } = new URL(outcome.claim_url);
    const { token: session } = money.identity.signIn('bruno', ['admin', 'treasurer', 'duty']);
    const page = browserOf(gateway, session);
    const asOperator = { authorization: `Bearer ${operatorTokens.bruno}` };
    const place = {
      'x-account': accountId,
      'x-environment': 'live',
      'x-console': '1',
      origin: 'http://localhost:8088',
    };
    const atConsole = { ...place, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const path = `/v1/keys/${publicKey}/claim`;
    for (const [what, answer] of Object.entries({
      look: await page('GET', pathname),
      open: await page('POST', pathname, { body: {} }),
      claim: await page('POST', path, { body: {}, headers: place }),
      public: await gateway.call('GET', pathname, { headers: asOperator }),
      bare: await gateway.call('POST', pathname, { headers: { accept: 'application/json' } }),
      key: await gateway.call('POST', path, { headers: asOperator, body: {} }),
    })) {
      expect(answer.status, what).toBeGreaterThanOrEqual(400);
      expect(answer.text, what).not.toContain('sk_live_');
    }
    for (const cookie of [`ops-9080=${session}`, `console-8088=${session}`]) {
      const headers = { ...atConsole, cookie };
      const answer = await fetch(`${gateway.consoleUrl}${path}`, { method: 'POST', headers, body: '{}' });
      expect([answer.status, await answer.text()]).toEqual([401, expect.not.stringContaining('sk_live_')]);
    }
    const { status, pair } = await claim(owner, publicKey);
    expect([status, pair.secret_key]).toEqual([200, expect.stringMatching(/^sk_live_[0-9a-f]{64}$/)]);
  });

  test('opens nothing until an owner or a developer of its account has fetched the secret', async () => {
    const { publicKey } = await issued();
    for (const secret_key of ['', `sk_live_${'0'.repeat(64)}`]) {
      expect((await balance({ public_key: publicKey, secret_key })).status).toBe(401);
    }
    const { status, pair } = await claim(developer, publicKey);
    expect([status, pair]).toEqual([
      200,
      { public_key: publicKey, secret_key: expect.stringMatching(/^sk_live_[0-9a-f]{64}$/) as string },
    ]);
    await eventually(async () => expect((await balance(pair)).status).toBe(200));
  });

  test('has its secret fetched with a confirmation, once, of many at the same time, and by whom is in the audit', async () => {
    const { publicKey } = await issued();
    const asked = await owner.call('POST', `/v1/keys/${publicKey}/claim`, {});
    expect(asked.body.error.code).toBe('STEP_UP_REQUIRED');
    const answers = await Promise.all([owner, developer, owner].map((by) => claim(by, publicKey)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const [fetched] = answers.filter(({ status }) => status === 200);
    await eventually(async () => expect((await balance(fetched!.pair)).status).toBe(200));
    const [opening] = await auditOf(publicKey);
    expect(opening).toMatchObject({
      operator: expect.stringMatching(/^merchant:(olga|davi)$/) as string,
      ...{ action: 'key.claim', after: { address: '127.0.0.1' } },
    });
    expect(JSON.stringify(await auditOf(publicKey))).not.toContain(fetched!.pair.secret_key);
  });

  test('is kept from people of other accounts, from other roles of its own, and from test mode', async () => {
    const { publicKey } = await issued();
    const stranger = money.member(
      gateway,
      'rita',
      (await ana.call('POST', '/ops/accounts', { body: { name: 'Loja Verde' } })).body.id,
      'owner',
    );
    const elsewhere = money.member(gateway, 'ugo', accountId, 'owner', ['test']);
    expect((await claim(stranger, publicKey)).status).toBe(404);
    expect((await claim(stranger, publicKey, { 'x-account': accountId })).status).toBe(403);
    expect((await claim(owner, publicKey, { 'x-environment': 'test' })).status).toBe(404);
    expect((await claim(elsewhere, publicKey)).status).toBe(403);
    for (const role of ['finance', 'approver', 'viewer'] as const) {
      expect((await claim(money.member(gateway, role, accountId, role), publicKey)).status, role).toBe(403);
    }
    for (const unknown of [`pk_live_${'0'.repeat(32)}`, 'nonsense']) {
      expect((await claim(owner, unknown)).status).toBe(404);
    }
    expect((await claim(owner, publicKey)).status).toBe(200);
  });

  test('nobody has claimed in time is revoked, its secret is not to be had any more, and one that was claimed goes on', async () => {
    const [unclaimed, claimed] = [await issued(), await issued()];
    const { pair } = await claim(owner, claimed.publicKey);
    const late = `update api_key set claim_expires_at = now() - interval '1 second' where public_key = any($1::text[])`;
    await gateway.database.query(late, [[unclaimed.publicKey, pair.public_key]]);
    expect((await claim(owner, unclaimed.publicKey)).status).toBe(404);
    await revokeUnclaimed(gateway.database, new Date());
    const revoked = (await keysOf()) as unknown as { public_key: string; revoked_at: number | null }[];
    expect(revoked.find((key) => key.public_key === unclaimed.publicKey)?.revoked_at).not.toBeNull();
    expect((await auditOf(unclaimed.publicKey))[0]).toMatchObject({
      operator: 'gateway',
      action: 'key.revoke',
    });
    expect((await balance(pair)).status).toBe(200);
  });

  test('that was revoked before its secret was fetched stays dead', async () => {
    const { publicKey } = await issued();
    await ana.call('DELETE', `/ops/keys/${publicKey}`);
    expect((await claim(owner, publicKey)).status).toBe(404);
  });
});

test('a stack that is open to others does not start when it would show live secrets to operators', async () => {
  const open = startGateway([], { DEV_LOGIN: 'true', OPS_HOST: '0.0.0.0' });
  await expect(open).rejects.toThrow(/DEV_LOGIN is for listeners on loopback alone/);
});

test('on a stack of its own the approver is shown the secret, once, and the key works at once', async () => {
  await using local = await startGateway([answering(getBalance, async () => ({ balances: [] }))]);
  const { id, live } = await local.newAccount();
  expect((await local.asMerchant(live, 'GET', '/v1/balance')).status).toBe(200);
  const { body } = await local.asSecond('GET', `/ops/approvals?account_id=${id}`);
  expect(JSON.stringify(body)).not.toContain(live.secret_key);
});
