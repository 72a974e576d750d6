import type { Mutant } from '../mutant.ts';

export const typescriptSdk: readonly Mutant[] = [
  {
    id: 'S01',
    file: 'sdks/typescript/src/core/retry.ts',
    replaced: "if ('payout_id' in ids) return { kind: 'recorded' };",
    by: '',
    test: 'sdks/typescript/test/repetition.test.ts',
    named: 'whose outcome is unknown is never sent again: the error names it',
    guarantee: 'A payout whose outcome the gateway does not know is read, not sent again.',
  },
  {
    id: 'S02',
    file: 'sdks/typescript/src/core/retry.ts',
    replaced: "return repeat !== 'never';",
    by: 'return true;',
    test: 'sdks/typescript/test/repetition.test.ts',
    named: 'is not sent again when its outcome is unknown',
    guarantee: 'A call of which a second one makes a second record is not repeated.',
  },
  {
    id: 'S03',
    file: 'sdks/typescript/src/resources/deposits.ts',
    replaced: 'if (!isNew && options?.allowReused !== true)',
    by: 'if (options?.allowReused === false)',
    test: 'sdks/typescript/test/repetition.test.ts',
    named: 'of another amount is an error with the record that has it',
    guarantee: 'The record of another payment is not taken for the one asked for.',
  },
  {
    id: 'S04',
    file: 'sdks/typescript/src/core/redact.ts',
    replaced: "new Error(redacted(typeof message === 'string' ? message : 'unknown', secrets), options)",
    by: "new Error(typeof message === 'string' ? message : 'unknown', options)",
    test: 'sdks/typescript/test/answers.test.ts',
    named: 'is not in the error of a network library that keeps its request',
    guarantee: 'No error shows the secret key.',
  },
];
