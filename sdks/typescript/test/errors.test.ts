import { expect, test } from 'vitest';
import type * as Errors from '#src/errors/gateway-error.ts';
import { GatewayError, isGatewayError } from '#src/index.ts';

test('an error of another copy of the package is known as one of the gateway', async () => {
  const otherCopy = new URL('../src/errors/gateway-error.ts?other-copy', import.meta.url).href;
  const other = (await import(otherCopy)) as typeof Errors;
  const error = new other.GatewayError('lost');
  expect(error).not.toBeInstanceOf(GatewayError);
  expect([isGatewayError(error), error.name]).toEqual([true, 'GatewayError']);
  expect([isGatewayError(new Error('lost')), isGatewayError('lost'), isGatewayError(null)]).toEqual([
    false,
    false,
    false,
  ]);
});
