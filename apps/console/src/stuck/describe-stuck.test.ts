import { expect, test } from 'vitest';
import { byAge, type Stuck } from '#src/stuck/describe-stuck.ts';

test('of all kinds together, what has waited longest comes first', () => {
  const of = (id: string, at: string | null) => ({ id, attention_at: at }) as Stuck;
  const rows = [of('c', null), of('b', '2026-01-02T00:00:00Z'), of('a', '2026-01-01T00:00:00.500Z')];
  expect(byAge(rows).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});
