import { afterAll, beforeAll, expect, test } from 'vitest';
import { metricsText } from '@gateway/runtime';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const burst = 100;
const metric = 'gateway_operator_tokens_refused_total';
let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const refusedSoFar = async (): Promise<number> => {
  const line = (await metricsText()).text.split('\n').find((each) => each.startsWith(`${metric} `));
  return Number(line?.slice(metric.length));
};
const guess = (token: string) =>
  gateway.asOperator('GET', '/ops/accounts', { headers: { authorization: `Bearer ${token}` } });

test('refused tokens are limited by address and counted, and shut nobody out who has one', async () => {
  const before = await refusedSoFar();
  const guesses = Array.from({ length: 3 * burst }, (_, nth) => guess(`guess-number-${nth}`));
  const answers = await Promise.all(guesses);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  const limited = answers.filter(({ status }) => status === 429);
  expect(new Set(limited.map(({ headers }) => /^\d+$/.test(headers.get('retry-after') ?? '')))).toEqual(
    new Set([true]),
  );
  expect((await refusedSoFar()) - before).toBe(3 * burst);
  expect((await gateway.asOperator('GET', '/ops/accounts')).status).toBe(200);
  const missing = await gateway.asOperator('GET', '/ops/accounts', { headers: { authorization: '' } });
  expect(missing.body.error.code).toBe('AUTH_REQUIRED');
});
