import { expect, test } from 'vitest';
import { isConnectionError } from '#src/http/connection-error.ts';

const failure = (code: string, syscall?: string) => Object.assign(new Error('failed'), { code, syscall });

test.each([
  ['a connection that is refused', failure('ECONNREFUSED'), true],
  ['a kernel socket that is not there', failure('ENOENT', 'connect'), true],
  ['a kernel socket whose queue is full', failure('EAGAIN', 'connect'), true],
  ['a file that is not there', failure('ENOENT', 'open'), false],
  ['a server that shuts down', failure('57P01'), true],
  ['a server with too many connections', failure('53300'), true],
  [
    'a connection that ended, as the cause of another error',
    new Error('outer', { cause: failure('ECONNRESET') }),
    true,
  ],
  ['a violated constraint', failure('23505'), false],
  ['a bug', new Error('bug'), false],
])('%s is told from a fault of the statement', (_what, error, expected) => {
  expect(isConnectionError(error)).toBe(expected);
});
