import { expect, test } from 'vitest';
import { textOf, type TestCall } from '#src/merchants/simulate/describe-call.ts';

const returned: TestCall = {
  path: '/v1/test/payouts/pyt_1/settle',
  method: 'payouts.settle',
  id: 'pyt_1',
  body: { result: 'returned', amount: 500 },
};
const released: TestCall = {
  path: '/v1/test/balance/release',
  method: 'balance.release',
  id: undefined,
  body: {},
};

test('a call is shown as each program makes it, with what it is about and what is sent', () => {
  expect(textOf('curl', returned)).toBe(
    `curl -sS -X POST \\
  "$GATEWAY_BASE_URL/v1/test/payouts/pyt_1/settle" \\
  -u "$GATEWAY_API_KEY:$GATEWAY_API_SECRET" \\
  -H 'x-api-version: 1.0' \\
  -H 'content-type: application/json' -d '{"result":"returned","amount":500}'`,
  );
  expect(textOf('ts', returned)).toContain(
    "await gateway.test.payouts.settle('pyt_1', { result: 'returned', amount: 500 });",
  );
  expect(textOf('py', returned)).toContain('gateway.test.payouts.settle("pyt_1", result="returned", amount=500)');
});

test('a call about the whole account, without a body, has neither', () => {
  expect(textOf('curl', released)).not.toContain('-d');
  expect(textOf('ts', released)).toContain('gateway.test.balance.release();');
  expect(textOf('py', released)).toContain('gateway.test.balance.release()');
});
