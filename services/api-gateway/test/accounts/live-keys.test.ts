import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getBalance } from '@gateway/contracts/ledger';
import { answering } from '@gateway/messaging';
import { revokeUnclaimed } from '#src/accounts/claim-key.ts';
import { personAt, ScriptedIdentity } from '../harness/signing-in.ts';
import { startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
let ana: ReturnType<typeof personAt>;
let bruno: ReturnType<typeof personAt>;
let accountId: string;

beforeAll(async () => {
  const identity = new ScriptedIdentity();
  const peers = [...identity.routes(), answering(getBalance, async () => ({ balances: [] }))];
  // As in a deployment, where people decide and no operator sees a live secret.
  gateway = await startGateway(peers, { DEV_LOGIN: 'false' });
  [ana, bruno] = [personAt(gateway, identity, 'ana'), personAt(gateway, identity, 'bruno')];
  accountId = (await ana.call('POST', '/ops/accounts', { body: { name: 'Loja' } })).body.id;
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const propose = (body: object = {}) =>
  ana.confirmed('POST', `/ops/accounts/${accountId}/keys`, { environment: 'live', ...body });
const approve = (id: string) => bruno.confirmed('POST', `/ops/approvals/${id}/approve`, {});
const keysOf = async () => (await gateway.asOperator('GET', `/ops/accounts/${accountId}/keys`)).body.data;
const balance = (key: KeyPair) => gateway.asMerchant(key, 'GET', '/v1/balance');
const auditOf = async (target: string) => (await gateway.asOperator('GET', `/ops/audit?target=${target}`)).body.data;
const asCode = { accept: 'application/json' };

/** A live key that was approved, and the path of its link. */
async function issued(body: object = {}) {
  const { approval } = (await propose(body)).body;
  const { outcome } = (await approve(approval.id)).body.approval;
  return { approval, outcome, path: new URL(outcome.claim_url).pathname };
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
    for (const { text } of [theirs, listed, trail]) expect(text).not.toContain(new URL(outcome.claim_url).pathname);
  });

  test('opens nothing until its link was opened, which looking at it does not do', async () => {
    const { outcome, path } = await issued();
    for (const secret_key of ['', `sk_live_${'0'.repeat(64)}`]) {
      expect((await balance({ public_key: outcome.public_key, secret_key })).status).toBe(401);
    }
    for (let look = 0; look < 2; look++) {
      const page = await gateway.call('GET', path, { headers: { 'accept-language': 'pt-BR' } });
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('Mostrar o segredo')]);
      expect(page.text).not.toContain('sk_live_');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.headers.get('cache-control')).toBe('no-store');
    }
    const opened = await gateway.call('POST', path, { headers: asCode });
    expect([opened.status, opened.body]).toEqual([
      200,
      { public_key: outcome.public_key, secret_key: expect.stringMatching(/^sk_live_[0-9a-f]{64}$/) as string },
    ]);
    expect((await balance(opened.body)).status).toBe(200);
  });

  test('has its link opened once, of many at the same time, and leaves from where', async () => {
    const { outcome, path } = await issued();
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' };
    const answers = await Promise.all([1, 2, 3].map(() => gateway.call('POST', path, form)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const [page] = answers.filter(({ status }) => status === 200);
    const [secret_key = ''] = /sk_live_[0-9a-f]{64}/.exec(page?.text ?? '') ?? [];
    expect((await balance({ public_key: outcome.public_key, secret_key })).status).toBe(200);
    expect((await gateway.call('GET', path)).status).toBe(404);
    const [opening] = await auditOf(outcome.public_key);
    expect(opening).toMatchObject({ operator: 'merchant', action: 'key.claim', after: { address: '127.0.0.1' } });
    expect(JSON.stringify(await auditOf(outcome.public_key))).not.toContain(secret_key);
  });

  test('cannot be claimed by a link that is forged, of another key, or of another account', async () => {
    const [{ path }, other] = [await issued(), await issued()];
    const [, , publicKey, token = ''] = path.split('/');
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const foreign = token.replace(accountId, 'acc_01k9zzzzzzzzzzzzzzzzzzzzzz');
    for (const wrong of [
      ...[
        `/keys/${publicKey}/${forged}`,
        `/keys/${publicKey}/${foreign}`,
        `/keys/${other.outcome.public_key}/${token}`,
      ],
      ...[`/keys/nonsense/${token}`, `/keys/${publicKey}/%00`],
    ]) {
      expect((await gateway.call('POST', wrong, { headers: asCode })).status, wrong).toBe(404);
    }
    expect((await gateway.call('GET', path)).status).toBe(200);
  });

  test('nobody has claimed in time is revoked, its link opens nothing, and one that was claimed goes on', async () => {
    const [unclaimed, claimed] = [await issued(), await issued()];
    const pair = (await gateway.call('POST', claimed.path, { headers: asCode })).body;
    const late = `update api_key set claim_expires_at = now() - interval '1 second' where public_key = any($1::text[])`;
    await gateway.database.query(late, [[unclaimed.outcome.public_key, pair.public_key]]);
    expect((await gateway.call('POST', unclaimed.path, { headers: asCode })).status).toBe(404);
    await revokeUnclaimed(gateway.database, new Date());
    const revoked = (await keysOf()) as unknown as { public_key: string; revoked_at: number | null }[];
    expect(revoked.find((key) => key.public_key === unclaimed.outcome.public_key)?.revoked_at).not.toBeNull();
    expect((await auditOf(unclaimed.outcome.public_key))[0]).toMatchObject({
      operator: 'gateway',
      action: 'key.revoke',
    });
    expect((await balance(pair)).status).toBe(200);
  });

  test('that was revoked before its link was opened stays dead', async () => {
    const { outcome, path } = await issued();
    await ana.call('DELETE', `/ops/keys/${outcome.public_key}`);
    expect((await gateway.call('POST', path, { headers: asCode })).status).toBe(404);
  });
});

test('links are limited by address', async () => {
  await using flooded = await startGateway();
  const statuses = new Set<number>();
  for (let call = 0; call < 40; call++) {
    const { status } = await flooded.call('POST', `/keys/pk_live_${'0'.repeat(32)}/x`, { headers: asCode });
    statuses.add(status);
  }
  expect([...statuses].sort()).toEqual([404, 429]);
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
