import { expect, test } from 'vitest';
import { genesisHash, linkHash, type LinkContent } from '#src/chain/link.ts';

const content: LinkContent = {
  environment: 'test',
  shard: 0,
  sequence: 3,
  decidedAtMs: 1_767_000_000_000,
  commandId: 'adjust:one',
  requestHash: 'ab',
  outcome: 'applied',
  refusal: null,
  amounts: { blocked: 5, lapsed: 1 },
  balances: [['BRL', 1, 2, 3]],
  postings: [['acc_1', 'available', 'BRL', 1]],
  entries: [['led_1', 'acc_1', 'BRL', 1, 'ADJUSTMENT', 1, 'adjustment', 'adj_1', 1]],
};

/** Another value for each member: one that is added to a link has to be added here. */
const changed: { readonly [M in keyof LinkContent]: LinkContent[M] } = {
  environment: 'live',
  shard: 1,
  sequence: 4,
  decidedAtMs: 1_767_000_000_001,
  commandId: 'adjust:two',
  requestHash: 'ac',
  outcome: 'refused',
  refusal: 'invalid_state',
  amounts: { blocked: 6, lapsed: 1 },
  balances: [['BRL', 1, 2, 4]],
  postings: [['acc_1', 'available', 'BRL', 2]],
  entries: [['led_1', 'acc_1', 'BRL', 1, 'ADJUSTMENT', 1, 'adjustment', 'adj_1', 2]],
};

test.each(Object.keys(changed) as (keyof LinkContent)[])('a link covers %s', (member) => {
  const other = { ...content, [member]: changed[member] };
  expect(linkHash(genesisHash, other)).not.toBe(linkHash(genesisHash, content));
});

test('a link covers the one before it, and no order in which amounts happen to be read', () => {
  expect(linkHash('1'.repeat(64), content)).not.toBe(linkHash(genesisHash, content));
  const turned = { ...content, amounts: { lapsed: 1, blocked: 5 } };
  expect(linkHash(genesisHash, turned)).toBe(linkHash(genesisHash, content));
});
