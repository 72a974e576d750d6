import { expect, test } from 'vitest';
import type { ServiceToken } from '#src/generated/types.gen.ts';
import { tokenStateOf } from '#src/people/describe-person.ts';

test('a token opens nothing once it is revoked, and nothing once its time is up', () => {
  const token = { revoked_at: null, ends_at: 100 } as ServiceToken;
  expect(tokenStateOf(token, 99)).toBe('active');
  expect(tokenStateOf(token, 100)).toBe('ended');
  expect(tokenStateOf({ ...token, revoked_at: 50 }, 60)).toBe('revoked');
});
