import { expect, test } from 'vitest';
import type { LoggedRequest } from '#src/generated/merchants/types.gen.ts';
import { countedByCode, faultsIn, messageIn } from '#src/merchants/requests/describe-request.ts';

const refused = (id: string, code: string | null) => ({ id, code }) as LoggedRequest;

test('refusals are counted by their code, the most frequent first, each with its latest', () => {
  const list = [
    refused('3', 'NOT_FOUND'),
    refused('2', 'SCOPE_MISSING'),
    refused('1', 'SCOPE_MISSING'),
    refused('0', null),
  ];
  expect(countedByCode(list).map(({ code, count, latest }) => [code, count, latest.id])).toEqual([
    ['SCOPE_MISSING', 2, '2'],
    ['NOT_FOUND', 1, '3'],
  ]);
});

test('what is wrong with a request is read from its answer, whatever else stands there', () => {
  const details = [{ path: 'amount', message: 'is required' }, { path: 1 }, null];
  const answer = { error: { code: 'VALIDATION_ERROR', message: 'the body does not fit', details } };
  expect(faultsIn(answer)).toEqual([{ path: 'amount', message: 'is required' }]);
  expect(messageIn(answer)).toBe('the body does not fit');
  for (const other of [null, 'text', { error: null }, { error: { details: 'none' } }, { id: 'dep_1' }]) {
    expect([faultsIn(other), messageIn(other)]).toEqual([[], undefined]);
  }
});
