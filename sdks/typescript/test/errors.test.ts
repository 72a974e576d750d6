import { expect, test } from 'vitest';
import type * as Errors from '#src/errors/errors.ts';
import { ConnectionError, isGatewayError } from '#src/index.ts';

test('an error of another copy of the package is known as one of the gateway', async () => {
  const otherCopy = new URL('../src/errors/errors.ts?other-copy', import.meta.url).href;
  const other = (await import(otherCopy)) as typeof Errors;
  const error = new other.ConnectionError('lost', { sent: true, attempts: 1 });
  expect(error).not.toBeInstanceOf(ConnectionError);
  expect([isGatewayError(error), error.name]).toEqual([true, 'ConnectionError']);
  expect([isGatewayError(new Error('lost')), isGatewayError('lost'), isGatewayError(null)]).toEqual([
    false,
    false,
    false,
  ]);
});
