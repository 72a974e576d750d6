import { expect, test } from 'vitest';
import { behindOf, writerState } from '#src/operators/describe-running.ts';

test('balances that no process writes are a fault, and one that has not begun is waited for', () => {
  expect(writerState({ writer: null, since: null })).toEqual({ tone: 'bad', word: 'none' });
  expect(writerState({ writer: 'ledger-0:7', since: null })).toEqual({ tone: 'wait', word: 'starts' });
  expect(writerState({ writer: 'ledger-0:7', since: 1_767_348_000 })).toEqual({ tone: 'good', word: 'writes' });
});

test('a consumer that was never counted is not one that has handled everything', () => {
  const [handled, behind, unknown] = [0, 3, null].map((waiting) => ({ consumer: 'c', stream: 's', waiting }));
  expect(behindOf({ consumers: [handled!, behind!, unknown!] })).toEqual([behind, unknown]);
});
