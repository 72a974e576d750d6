import { expect, test } from 'vitest';
import type { ServiceToken } from '#src/generated/types.gen.ts';
import { browserOf, tokenStateOf } from '#src/people/describe-person.ts';

test('a token opens nothing once it is revoked, and nothing once its time is up', () => {
  const token = { revoked_at: null, ends_at: 100 } as ServiceToken;
  expect(tokenStateOf(token, 99)).toBe('active');
  expect(tokenStateOf(token, 100)).toBe('ended');
  expect(tokenStateOf({ ...token, revoked_at: 50 }, 60)).toBe('revoked');
});

test('a session names the browser and the system, and what is no known browser is shown whole', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  expect(browserOf(`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/156.0.0.0 Safari/537.36`)).toBe(
    'Chrome 156, Linux',
  );
  expect(browserOf(`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/156.0 Safari/537.36 Edg/155.0`)).toBe(
    'Edge 155, Windows',
  );
  expect(browserOf('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/1 Safari/604.1')).toBe(
    'Safari 19, iOS',
  );
  expect(browserOf('curl/8.5')).toBe('curl/8.5');
});
