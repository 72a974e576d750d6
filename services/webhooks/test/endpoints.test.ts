import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callRpc } from '@gateway/messaging';
import { checkTargetUrl, getWebhook, listWebhooks, type Webhook } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { newMerchant } from './support/events.ts';
import { createHarness, type Harness } from './support/harness.ts';

const target = 'https://shop.invalid/hook';

let webhooks: Harness;
let service: AsyncDisposable;
beforeAll(async () => {
  webhooks = await createHarness({ WEBHOOK_ALLOW_INSECURE_TARGETS: 'false' });
  service = await webhooks.start();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await webhooks[Symbol.asyncDispose]();
});

const get = ({ id, environment, accountId }: Webhook) =>
  callRpc(webhooks.bus, getWebhook, { id, environment, accountId });

test.each([
  'http://shop.example/pix',
  'https://127.0.0.1/pix',
  'https://localhost/pix',
  'https://user:secret@shop.example/pix',
  'https://shop.example/pix#part',
  'https://shop.example:5432/pix',
  'ftp://shop.example/pix',
  'shop',
])('a URL for callbacks is held to the rules of registration and named as the caller has it: %s', async (url) => {
  const asked = callRpc(webhooks.bus, checkTargetUrl, { url, member: 'callback_url' });
  const details = [expect.objectContaining({ path: 'callback_url' }) as object];
  await expect(asked).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
  expect(await callRpc(webhooks.bus, checkTargetUrl, { url: target, member: 'callback_url' })).toEqual({});
});

describe('a webhook', () => {
  test('is found by its owner alone, and its secret is shown only when it is made', async () => {
    const merchant = newMerchant('live');
    const { secret, ...webhook } = await webhooks.register(merchant, target, ['deposit.paid', 'deposit.paid']);
    expect(secret).toMatch(/^whsec_/);
    expect(webhook).toMatchObject({
      ...merchant,
      name: 'shop',
      url: target,
      events: ['deposit.paid'],
      status: 'enabled',
    });
    expect(await get(webhook)).toEqual({ webhook });
    const strangers = [
      { ...webhook, environment: 'test' as const },
      { ...webhook, accountId: newId('account') },
      { ...webhook, id: newId('webhook') },
    ];
    for (const stranger of strangers) await expect(get(stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const rows = await webhooks.database.query('select * from endpoint where id = $1', [webhook.id]);
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length));
  });

  test.each([
    'http://shop.example/hook',
    'https://127.0.0.1/hook',
    'https://[::ffff:10.0.0.1]/hook',
    'https://localhost/hook',
    'https://shop.example:5432/hook',
    'https://user:password@shop.example/hook',
    'not a url',
  ])('is refused naming url for %s', async (url) => {
    await expect(webhooks.register(newMerchant(), url)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'url' }],
    });
  });

  test('twenty are allowed, also when thirty are registered at once', async () => {
    const merchant = newMerchant();
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => webhooks.register(merchant, target)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(10);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'LIMIT_REACHED' });
    await webhooks.register({ ...merchant, environment: 'live' }, target);
  });
});

describe('a list of webhooks', () => {
  test('comes newest first, page by page, without gaps while more are made', async () => {
    const merchant = newMerchant();
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift((await webhooks.register(merchant, target)).id);
    const first = await callRpc(webhooks.bus, listWebhooks, { ...merchant, limit: 2 });
    await webhooks.register(merchant, target);
    const seen = [...first.webhooks];
    for (let { nextCursor } = first; nextCursor !== null;) {
      const page = await callRpc(webhooks.bus, listWebhooks, { ...merchant, limit: 2, cursor: nextCursor });
      seen.push(...page.webhooks);
      nextCursor = page.nextCursor;
    }
    expect(seen.map(({ id }) => id)).toEqual(made);
  });

  test('refuses a cursor that is none of them', async () => {
    const foreign = await webhooks.register(newMerchant(), target);
    for (const cursor of [foreign.id, 'nonsense']) {
      await expect(callRpc(webhooks.bus, listWebhooks, { ...newMerchant(), limit: 2, cursor })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'cursor' }],
      });
    }
  });
});
