import { expect, test } from 'vitest';
import type { Decision } from '#src/decision/decision.ts';
import { linkContentOf } from '#src/decision/link-content.ts';

const decision = {
  sequence: 7,
  command: { id: 'adjust:1' },
  requestHash: 'ab',
  outcome: 'applied',
  refusal: null,
  balances: [{ currency: 'BRL', available: 1, pending: 2, blocked: 3 }],
  amounts: { blocked: 3 },
  postings: [
    { bucket: 'available', accountId: 'acc_1', currency: 'BRL', amount: -3, entry: {} },
    { bucket: 'blocked', accountId: 'acc_1', currency: 'BRL', amount: 3 },
    { bucket: 'system', account: 'fees', currency: 'BRL', amount: 0 },
  ],
  entries: [
    {
      ...{ id: 'led_1', environment: 'test', accountId: 'acc_1', currency: 'BRL', number: 4, type: 'MED_BLOCK' },
      ...{ amount: -3, refType: 'dispute', refId: 'med_1', balanceAfter: 1, createdAt: 9 },
    },
  ],
  decidedAtMs: 9_000,
} as unknown as Decision;

test('a link covers everything that its decision wrote', () => {
  expect(linkContentOf({ environment: 'test', shard: 2 }, decision)).toEqual({
    environment: 'test',
    shard: 2,
    sequence: 7,
    decidedAtMs: 9_000,
    commandId: 'adjust:1',
    requestHash: 'ab',
    outcome: 'applied',
    refusal: null,
    amounts: { blocked: 3 },
    balances: [['BRL', 1, 2, 3]],
    postings: [
      ['acc_1', 'available', 'BRL', -3],
      ['acc_1', 'blocked', 'BRL', 3],
      ['fees', 'system', 'BRL', 0],
    ],
    entries: [['led_1', 'acc_1', 'BRL', 4, 'MED_BLOCK', -3, 'dispute', 'med_1', 1]],
  });
});
