import { describe, expect, test } from 'vitest';
import { canonicalRequest, requestHashOf } from '#src/chain/canonical-request.ts';
import { breakOf, genesisHash, linkHash, type LinkContent, type StoredLink } from '#src/chain/link.ts';

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

describe('a stored link', () => {
  const request = { kind: 'adjust', id: 'adjust:one', amount: 1 };
  const requestHash = requestHashOf(canonicalRequest(request));
  const place = { environment: 'test', shard: 0, previous: { sequence: 2, hash: genesisHash } };
  const stored: StoredLink = {
    ...content,
    request,
    commandRequestHash: requestHash,
    hash: linkHash(genesisHash, { ...content, requestHash }),
  };

  test('that is as it was written has no break', () => {
    expect(breakOf(stored, place)).toBeNull();
  });

  test.each<[string, StoredLink, typeof place, number, string]>([
    ['is missing', stored, { ...place, previous: { ...place.previous, sequence: 1 } }, 2, 'result 2 is missing'],
    [
      'has lost the row of its command',
      { ...stored, commandRequestHash: null },
      place,
      3,
      'result 3 (adjust:one) has lost its row in command',
    ],
    [
      'has another command',
      { ...stored, commandRequestHash: 'cd' },
      place,
      3,
      'result 3 (adjust:one) has another request in command',
    ],
    [
      'has another request',
      { ...stored, request: { ...request, amount: 2 } },
      place,
      3,
      'result 3 (adjust:one) has another request in command',
    ],
    ['was changed', { ...stored, refusal: 'x' }, place, 3, 'result 3 (adjust:one) or its entries were changed'],
    ['stands in another shard', stored, { ...place, shard: 1 }, 3, 'result 3 (adjust:one) or its entries were changed'],
    [
      'follows another link',
      stored,
      { ...place, previous: { ...place.previous, hash: 'f'.repeat(64) } },
      3,
      'result 3 (adjust:one) or its entries were changed',
    ],
  ])('that %s is named with what is wrong', (_what, link, where, sequence, problem) => {
    expect(breakOf(link, where)).toEqual({ sequence, problem });
  });
});

test('the chain begins with 64 zeros, and a link is 64 hexadecimal digits', () => {
  expect(genesisHash).toBe('0'.repeat(64));
  expect(linkHash(genesisHash, content)).toMatch(/^[0-9a-f]{64}$/);
});
