import { expect, test } from 'vitest';
import { changesIn } from '#src/merchants/team/audit-entry.ts';

test('what an entry shows is what changed, and nothing that stayed', () => {
  const before = { name: 'bia', roles: ['finance'], last: null };
  expect(changesIn({ before, after: { ...before, roles: ['finance', 'owner'] } })).toEqual([
    { name: 'roles', before: 'finance', after: 'finance, owner' },
  ]);
  expect(changesIn({ before: null, after: { id: 'x', name: 'till', scopes: null, created_at: 1 } })).toEqual([
    { name: 'name', before: '', after: 'till' },
  ]);
  expect(changesIn({ before: null, after: null })).toEqual([]);
});
