import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FreezeLevel } from '@gateway/contracts/accounts';
import { addMerchant, bearer, post, postAs, runFacade, type RunningFacade } from './running-facade.ts';

let facade: RunningFacade;
beforeAll(async () => {
  facade = await runFacade();
});
afterAll(async () => facade[Symbol.asyncDispose]());

const order = { externalId: 'order', value: 1 };
const withdrawal = { externalId: 'withdrawal', pixKey: 'maria@example.com', payment: { amount: 1 } };

const cases: readonly (readonly [FreezeLevel, string, readonly number[]])[] = [
  ['payouts', '/compat/cli', [200, 200, 200, 200, 403]],
  ['payouts', '/compat/alt/cli', [200, 200, 200, 200, 403]],
  ['writes', '/compat/cli', [200, 200, 403, 403, 403]],
  ['writes', '/compat/alt/cli', [200, 200, 403, 403, 403]],
  ['writes', '/cli', [200, 200, 403, 403, 403]],
];

test('of a frozen account the operations of every prefix are refused in the envelope, as far as it is frozen', async () => {
  for (const [level, prefix, expected] of cases) {
    const { publicKey, secretKey } = addMerchant(facade.peers);
    const signedIn = await facade.authenticate(publicKey, secretKey);
    const known = facade.peers.keys.get(publicKey)!;
    facade.peers.keys.set(publicKey, { ...known, caller: { ...known.caller, frozen: { level, at: 1_767_000_000 } } });
    const { deposits, payouts } = facade.peers.payments;
    const made = () => [deposits.size, payouts.size, facade.peers.registrations.size];
    const before = made();
    const calls: [string, RequestInit][] = [
      ['client/authenticate', post({ clientId: publicKey, password: secretKey })],
      ['client/balance', bearer(signedIn)],
      ['client/update/notification-url', { ...postAs(signedIn, { notificationUrl: [] }), method: 'PUT' }],
      ['payment/pix/generate-pix', postAs(signedIn, order)],
      ['payment/pix/pix-key', postAs(signedIn, withdrawal)],
    ];
    const answers = [];
    for (const [path, init] of calls) answers.push(await facade.call(`${prefix}/${path}`, init));
    expect(answers.map(({ status }) => status)).toEqual(expected);
    for (const { status, body } of answers) {
      if (status !== 403) continue;
      expect(body).toEqual({ success: false, data: null, errors: [expect.stringContaining('the account is frozen')] });
    }
    if (level === 'writes') expect(made()).toEqual(before);
  }
});
