import { expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { classifyFailure } from '#src/consumer/failure.ts';

const lost = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

test.each([1, 10, 1_000])(
  'a message is delivered again for as long as the database is away, delivery %i too',
  (deliveries) => {
    expect(classifyFailure(lost, deliveries).action).toBe('again');
  },
);

test.each([
  ['SERVICE_UNAVAILABLE', 'again'],
  ['PROVIDER_UNAVAILABLE', 'again'],
  ['INVALID_STATE', 'set-aside'],
] as const)('a message that is refused with %s is handled: %s, however often it was delivered', (code, action) => {
  for (const deliveries of [1, 1_000]) {
    expect(classifyFailure(new DomainError(code, 'as the test wants it'), deliveries).action).toBe(action);
  }
});

test('a message that meets a bug is delivered ten times, and set aside then', () => {
  const bug = new Error('bug');
  expect([1, 9, 10].map((deliveries) => classifyFailure(bug, deliveries).action)).toEqual([
    'again',
    'again',
    'set-aside',
  ]);
});
