import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMerchant, bearer, runFacade, type RunningFacade } from './running-facade.ts';

let facade: RunningFacade;
beforeAll(async () => {
  facade = await runFacade();
});
afterAll(async () => facade[Symbol.asyncDispose]());

describe('the connector balance', () => {
  test('is decimals with the digits of the cents, total first', async () => {
    const { publicKey, secretKey, accountId } = addMerchant(facade.peers);
    facade.peers.balances.set(`live:${accountId}`, [
      { currency: 'USDT', available: 701, pending: 0, blocked: 5 },
      { currency: 'BRL', available: 9_007_199_254_740_991, pending: 110, blocked: 29 },
    ]);
    const answer = await facade.call(
      '/compat/cli/client/balance',
      bearer(await facade.authenticate(publicKey, secretKey)),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.text).toBe(
      '{"success":true,"data":{"accountBalance":90071992547411.3,"precautionaryBlocking":0.29,' +
        '"availableBalance":90071992547409.91,"availableBalanceUsdt":7.01},"errors":[]}',
    );
  });

  test('is that of the environment of the key', async () => {
    const { publicKey, secretKey, accountId } = addMerchant(facade.peers, 'test');
    const brl = { currency: 'BRL', pending: 0, blocked: 0 } as const;
    facade.peers.balances.set(`live:${accountId}`, [{ ...brl, available: 100 }]);
    facade.peers.balances.set(`test:${accountId}`, [{ ...brl, available: 700 }]);
    const token = bearer(await facade.authenticate(publicKey, secretKey));
    const { text } = await facade.call('/compat/cli/client/balance', token);
    expect(JSON.parse(text)).toMatchObject({ data: { availableBalance: 7 } });
  });

  test('of an account that never moved money is zeros', async () => {
    const { publicKey, secretKey } = addMerchant(facade.peers);
    const token = bearer(await facade.authenticate(publicKey, secretKey));
    for (const prefix of ['/compat/cli', '/compat/alt/cli', '/cli']) {
      const { body } = await facade.call(`${prefix}/client/balance`, token);
      expect(body.data).toEqual({
        accountBalance: 0,
        precautionaryBlocking: 0,
        availableBalance: 0,
        availableBalanceUsdt: 0,
      });
    }
  });

  test('shows what an account owes as a negative number', async () => {
    const { publicKey, secretKey, accountId } = addMerchant(facade.peers);
    facade.peers.balances.set(`live:${accountId}`, [{ currency: 'BRL', available: -150, pending: 0, blocked: 0 }]);
    const answer = await facade.call('/cli/client/balance', bearer(await facade.authenticate(publicKey, secretKey)));
    expect(answer.body.data).toMatchObject({ accountBalance: -1.5, availableBalance: -1.5 });
  });
});
