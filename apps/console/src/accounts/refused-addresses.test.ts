import { expect, test } from 'vitest';
import { refusedAddresses } from '#src/accounts/refused-addresses.ts';

test('each address that a key was refused from is one row, with how often and when last', () => {
  const request = (key: string, address: string, at: number) => ({ key, address, created_at: at });
  const refused = [request('pk_a', '10.0.0.1', 3), request('pk_b', '10.0.0.1', 9), request('pk_a', '10.0.0.1', 5)];
  expect(refusedAddresses(refused)).toEqual([
    { key: 'pk_b', address: '10.0.0.1', times: 1, lastAt: 9 },
    { key: 'pk_a', address: '10.0.0.1', times: 2, lastAt: 5 },
  ]);
});
