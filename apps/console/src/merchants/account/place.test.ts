import { expect, test } from 'vitest';
import { addressIn, firstPlace, isAllowed, samePageIn } from '#src/merchants/account/place.ts';

const accountId = 'acc_01k9z3m4v6t8x0a2c4e6g8jk01';
const other = 'acc_01k9z3m4v6t8x0a2c4e6g8jk02';
const member = { account_id: accountId, roles: ['viewer'], environments: ['test', 'live'], permissions: {} } as const;

test('an address says which account and which environment it is of, and what is below', () => {
  expect(addressIn(`/${accountId}/test/payments/dep_1`)).toEqual({
    place: { accountId, environment: 'test' },
    below: '/payments/dep_1',
  });
  expect(addressIn(`/${accountId}/live`)).toEqual({ place: { accountId, environment: 'live' }, below: '/' });
  for (const path of [
    '/',
    '/me',
    '/payments',
    `/${accountId}`,
    `/${accountId}/sandbox/payments`,
    `/${accountId}/tested`,
  ])
    expect(addressIn(path)).toEqual({ place: undefined, below: path });
});

test('the other environment keeps the page and drops the record that is open', () => {
  const place = { accountId, environment: 'live' } as const;
  expect(samePageIn(place, '/payments/dep_1')).toBe(`/${accountId}/live/payments`);
  expect(samePageIn(place, '/')).toBe(`/${accountId}/live/`);
});

test('a person begins where they were last if they still belong there, otherwise in live mode of their first account', () => {
  expect(firstPlace([member], `/${accountId}/test`)).toEqual({ accountId, environment: 'test' });
  expect(firstPlace([member], `/${other}/test`)).toEqual({ accountId, environment: 'live' });
  expect(firstPlace([{ ...member, environments: ['test'] }], `/${accountId}/live`)).toEqual({
    accountId,
    environment: 'test',
  });
  expect(firstPlace([], null)).toBeUndefined();
});

test('what is of test mode alone, or takes another person, is not offered in live mode', () => {
  const permissions = { 'balances:read': 'test_only', 'records:read': 'full' };
  const developer = { ...member, permissions };
  expect(isAllowed(developer, 'balances:read', 'test')).toBe(true);
  expect(isAllowed(developer, 'balances:read', 'live')).toBe(false);
  expect(isAllowed(developer, 'records:read', 'live')).toBe(true);
  expect(isAllowed(developer, 'toString', 'test')).toBe(false);
});
