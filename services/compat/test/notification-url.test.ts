import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMerchant, postAs, runFacade, type RunningFacade } from './running-facade.ts';

let facade: RunningFacade;
beforeAll(async () => {
  facade = await runFacade();
});
afterAll(async () => facade[Symbol.asyncDispose]());

async function register(body: unknown, prefix = '/compat/cli', environment: 'live' | 'test' = 'live') {
  const merchant = addMerchant(facade.peers, environment);
  const signedIn = await facade.authenticate(merchant.publicKey, merchant.secretKey);
  const request = { ...postAs(signedIn, body), method: 'PUT' };
  const answer = await facade.call(`${prefix}/client/update/notification-url`, request);
  return { answer, merchant, registered: facade.peers.registrations.get(`${environment}:${merchant.accountId}`) };
}

const both = { url: 'https://shop.example/pix', permission: ['PIX_IN', 'PIX_OUT'] };

describe('the notification-url registration', () => {
  test.each(['/compat/cli', '/compat/alt/cli', '/cli'])('is echoed under %s', async (prefix) => {
    const registration = { notificationUrl: [both], securityParaphrase: 'open sesame' };
    const { answer } = await register({ ...registration, unknown: true }, prefix);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, data: registration, errors: [] });
  });

  test.each([
    ['/compat/cli', 'cli'],
    ['/cli', 'cli'],
    ['/compat/alt/cli', 'alt'],
  ])('under %s is that of the connector %s', async (path, prefix) => {
    expect((await register({ notificationUrl: [both] }, path)).registered).toMatchObject({ prefix });
  });

  test('is of the environment of the key pair, and names the key', async () => {
    const { merchant, registered } = await register({ notificationUrl: [both] }, '/cli', 'test');
    expect(registered).toMatchObject({ environment: 'test', clientId: merchant.publicKey, securityParaphrase: '' });
  });

  test('lets PIX_IN receive what ends a deposit and PIX_OUT what ends a payout, at several URLs', async () => {
    const { registered } = await register({
      notificationUrl: [
        { url: 'https://shop.example/in', permission: ['PIX_IN'] },
        { url: 'https://shop.example/out', permission: ['PIX_OUT', 'PIX_OUT'] },
      ],
      securityParaphrase: '',
    });
    expect(registered?.endpoints).toEqual([
      { url: 'https://shop.example/in', events: ['deposit.paid', 'deposit.expired', 'deposit.canceled'] },
      { url: 'https://shop.example/out', events: ['payout.paid', 'payout.failed', 'payout.canceled'] },
    ]);
  });

  test('with an empty list ends all notifications', async () => {
    const { answer, registered } = await register({ notificationUrl: [], securityParaphrase: 'x' });
    expect(answer.status).toBe(200);
    expect(registered?.endpoints).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['no list', {}, 'notificationUrl'],
    ['no permission', { notificationUrl: [{ ...both, permission: [] }] }, 'notificationUrl.0.permission'],
    ['another permission', { notificationUrl: [{ ...both, permission: ['MED'] }] }, 'notificationUrl.0.permission.0'],
    [
      'permissions that are no list',
      { notificationUrl: [{ ...both, permission: 'PIX_IN' }] },
      'notificationUrl.0.permission',
    ],
    ['an entry that is no object', { notificationUrl: ['https://shop.example/pix'] }, 'notificationUrl.0'],
    ['a URL that may not be called', { notificationUrl: [both, { ...both, url: 'ftp://x' }] }, 'notificationUrl.1.url'],
    ['a paraphrase that is no text', { notificationUrl: [both], securityParaphrase: 7 }, 'securityParaphrase'],
    ['too many', { notificationUrl: Array.from({ length: 21 }, () => both) }, 'notificationUrl'],
  ])('is refused with 400 for %s, and nothing is registered', async (_name, body, field) => {
    const { answer, registered } = await register(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      success: false,
      data: null,
      errors: [expect.stringMatching(new RegExp(`^${field} (is|must) `))],
    });
    expect(registered).toBeUndefined();
  });
});
