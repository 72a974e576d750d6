import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@gateway/test-kit';
import { startEdge, type Edge, type NewMerchant } from './support/edge.ts';
import { OperatorBrowser, signedInMember, signedInOperator, timedCode } from './support/operator-browser.ts';

const password = 'correct horse battery staple';
const environments = ['test', 'live'];
let edge: Edge;
let shop: NewMerchant;
let other: NewMerchant;
let owner: OperatorBrowser;
beforeAll(async () => {
  edge = await startEdge({ layout: 'together' });
  [shop, other] = [await edge.newMerchant(), await edge.newMerchant()];
  owner = await signedInMember(edge, 'olga.dias', { accountId: shop.id, roles: ['owner'], environments });
});
afterAll(async () => edge[Symbol.asyncDispose]());

const within = (accountId: string, environment: string) => ({ 'x-account': accountId, 'x-environment': environment });
const read = (browser: OperatorBrowser, path: string, headers = within(shop.id, 'test')) =>
  browser.call('GET', path, undefined, headers);

test('a person of a merchant signs in by a passkey, and reads and makes charges of the account in the mode that is chosen', async () => {
  const chosen = within(shop.id, 'test');
  const document = '52998224725';
  const charge = { amount: 1_250, external_id: 'by-session', payer: { name: 'Maria da Silva', document } };
  const created = await owner.call('POST', '/v1/deposits', charge, chosen);
  expect([created.status, created.body.currency]).toEqual([201, 'BRL']);
  const listed = await read(owner, '/v1/deposits');
  expect(listed.text).not.toContain(document);
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([created.body.id]);
  expect((await shop.test.get(`/v1/deposits/${created.body.id}`)).body.external_id).toBe('by-session');
  expect((await read(owner, '/v1/deposits', within(shop.id, 'live'))).body.data).toEqual([]);
  expect((await read(owner, '/v1/deposits', within(other.id, 'test'))).status).toBe(403);
});

test('a password with codes signs in elsewhere, with the same rights', async () => {
  const dora = await signedInMember(edge, 'dora.melo', { accountId: shop.id, roles: ['developer'], environments });
  const { challenge_id, secret } = (await dora.call('POST', '/password/begin')).body;
  const typed = { challenge_id, password, code: timedCode(secret) };
  expect((await dora.call('PUT', '/password', typed)).status).toBe(204);
  const elsewhere = new OperatorBrowser(edge.stack.consoleUrl);
  const sign = (code: string) => elsewhere.call('POST', '/session/password', { name: 'dora.melo', password, code });
  expect((await sign(timedCode(secret, 1))).status).toBe(200);
  expect((await read(elsewhere, '/v1/balance')).status).toBe(200);
  expect((await read(elsewhere, '/v1/balance', within(shop.id, 'live'))).status).toBe(403);
});

test('what shows a secret is confirmed by a passkey, for that account and mode', async () => {
  const hook = { name: 'loja', url: edge.receiver.url, events: ['deposit.paid'] };
  const asked = await owner.call('POST', '/v1/webhooks', hook, within(shop.id, 'test'));
  const confirmation = owner.confirmationOf(asked);
  const moved = await owner.call('POST', '/v1/webhooks', hook, { ...within(shop.id, 'live'), ...confirmation });
  expect([moved.status, moved.body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
  const made = await owner.confirmed('POST', '/v1/webhooks', hook, within(shop.id, 'test'));
  expect([made.status, typeof made.body.secret]).toEqual([201, 'string']);
});

test('no cookie of one console is one of the other', async () => {
  const operator = await signedInOperator(edge, 'ana.lima', ['admin', 'duty']);
  const token = (browser: OperatorBrowser) => browser.cookie.split('=')[1];
  const port = (url: string) => new URL(url).port;
  const asOperator = new OperatorBrowser(edge.stack.opsUrl);
  asOperator.cookie = `ops-${port(edge.stack.opsUrl)}=${token(owner)}`;
  const asMember = new OperatorBrowser(edge.stack.consoleUrl);
  asMember.cookie = `console-${port(edge.stack.consoleUrl)}=${token(operator)}`;
  expect((await asOperator.call('GET', '/ops/accounts')).status).toBe(401);
  expect((await asOperator.call('GET', '/session')).status).toBe(401);
  expect((await read(asMember, '/v1/balance')).status).toBe(401);
  expect((await asMember.call('GET', '/session')).status).toBe(401);
  // Each is in force at its own.
  expect((await operator.call('GET', '/ops/accounts')).status).toBe(200);
  expect((await read(owner, '/v1/balance')).status).toBe(200);
});

test('who no longer belongs to an account reads nothing of it within a second, and keeps nothing by the session', async () => {
  const leaving = await signedInMember(edge, 'vera.luz', { accountId: shop.id, roles: ['viewer'], environments });
  expect((await read(leaving, '/v1/deposits')).status).toBe(200);
  const identity = await edge.databaseOf('identity');
  await identity.query('delete from membership where person_id = $1', [leaving.personId]);
  await eventually(async () => expect((await read(leaving, '/v1/deposits')).status).toBe(403), { timeoutMs: 1_500 });
  expect((await leaving.call('GET', '/accounts')).body.data).toEqual([]);
});

test('the people of the demo merchant sign in by the links that the start prints, each once, and by one that is asked for', async () => {
  const links = await edge.stack.signInLinks();
  const dev = JSON.parse(readFileSync(`${edge.home}/dev.json`, 'utf8')) as Record<string, unknown>;
  expect(dev).toMatchObject({
    merchant_console_url: `http://localhost:${new URL(edge.stack.consoleUrl).port}`,
    logins: links,
  });
  const [demo] = edge.stack.dev.merchants;
  const signInBy = async (link: string) => {
    const [address, token] = link.trim().split('/welcome#');
    const browser = new OperatorBrowser(edge.stack.consoleUrl);
    return { address, ...(await browser.call('POST', '/session/link', { token })) };
  };
  const ofMerchants = links.filter(({ console }) => console === 'merchants');
  expect(ofMerchants.map(({ name }) => name)).toEqual(['olga', 'paulo']);
  for (const [link, role] of [
    [ofMerchants[0], 'owner'],
    [ofMerchants[1], 'approver'],
  ] as const) {
    const { address, body } = await signInBy(link?.url ?? '');
    expect(address).toBe(dev['merchant_console_url']);
    expect(body.session.accounts).toMatchObject([{ account_id: demo?.account_id, roles: [role], environments }]);
    expect((await signInBy(link?.url ?? '')).status).toBe(401);
  }
  const login = (name: string) =>
    promisify(execFile)(process.execPath, ['packages/local-stack/src/login.ts', name], {
      env: { ...process.env, GATEWAY_HOME: edge.home },
    });
  const another = await signInBy((await login('olga')).stdout);
  expect([another.status, another.body.session.person.name]).toEqual([200, 'olga']);
  await expect(login('mallory')).rejects.toThrow('it is one of ana, bruno, olga, paulo');
});
