import { expect, test } from 'vitest';
import { isPoison } from '#src/writer/poison.ts';

const refusal = (code: string, constraint?: string) => Object.assign(new Error(code), { code, constraint });

test.each([
  ['a value that does not fit', refusal('22003'), true],
  ['a constraint that the rows violate', refusal('23514', 'balance_not_negative'), true],
  ['a bug of a rule', new Error('bug'), true],
  ['a row that exists already', refusal('23505', 'command_pkey'), false],
  ['rows that are not as the writer remembers them', refusal('23514', 'shard_rows_as_remembered'), false],
  ['a batch that is out of balance', refusal('23514', 'shard_in_balance'), false],
  ['a missing partition', refusal('23514'), false],
  ['a server that shuts down', refusal('57P01'), false],
])('%s makes a command a dead letter where the command is the cause: %o %s', (_what, error, expected) => {
  expect(isPoison(error)).toBe(expected);
});
