import { expect, test } from 'vitest';
import { landedIn } from '#src/session/landed.ts';

test.each([
  ['?sign-in=passkey', 'passkey'],
  ['?sign-in=refused', 'refused'],
  ['?sign-in=unavailable', 'unavailable'],
  ['?sign-in=%3Cscript%3E', undefined],
  ['?status=OPEN', undefined],
  ['', undefined],
])('of the address %s a page reads the outcome %s of a sign-in, and no text of its own', (search, outcome) => {
  expect(landedIn(search)).toBe(outcome);
});
