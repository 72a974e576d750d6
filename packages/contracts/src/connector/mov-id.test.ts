import { describe, expect, test } from 'vitest';
import { newId } from '@gateway/money';
import { movIdOf } from '#src/connector/mov-id.ts';

describe('a movId', () => {
  test('is 24 hex digits, another one for each record', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => newId(index % 2 === 0 ? 'deposit' : 'payout'));
    const movIds = ids.map(movIdOf);
    for (const movId of movIds) expect(movId).toMatch(/^[0-9a-f]{24}$/);
    expect(new Set(movIds).size).toBe(ids.length);
  });

  test('of a record never changes: merchants keep it as their primary key', () => {
    expect(movIdOf('dep_01k9z3m4v6t8x0a2c4e6g8jk02')).toBe('691612f6e5008ecb0b9679ee');
  });
});
