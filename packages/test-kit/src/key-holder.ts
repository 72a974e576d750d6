import type { Account, Caller } from '@gateway/contracts/accounts';

/** What the gateway answers about a key: of a test key of the account without limits, but for the members that a test names. */
export function keyHolderOf(account: Account, members: Partial<Caller> = {}): Caller {
  return {
    ...{ account, environment: 'test', publicKey: 'pk_test_1', apiVersion: '0.1', frozen: null, scopes: null },
    ...members,
  };
}
