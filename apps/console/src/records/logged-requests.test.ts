import { expect, test } from 'vitest';
import { toneOf, wordOf } from '#src/records/logged-requests.ts';

test('a refusal that is worth repeating is no fault of the request', () => {
  expect([201, 422, 429, 503].map((status) => toneOf({ status }))).toEqual(['good', 'bad', 'wait', 'wait']);
});

test('an answer is named by its status, and by its code where it was a refusal', () => {
  expect([wordOf({ status: 201, code: null }), wordOf({ status: 403, code: 'SCOPE_MISSING' })]).toEqual([
    '201',
    '403 SCOPE_MISSING',
  ]);
});
