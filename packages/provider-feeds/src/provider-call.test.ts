import { pino } from 'pino';
import { expect, test } from 'vitest';
import { metricsText } from '@gateway/runtime';
import { watchUnreadableAnswers } from '#src/provider-call.ts';

test("a provider's answer that makes no sense is counted from nothing, and logged", async () => {
  const lines: string[] = [];
  const report = watchUnreadableAnswers(pino({}, { write: (line: string) => void lines.push(line) }))('bank');
  const name = 'gateway_provider_unreadable_answers_total{provider="bank"}';
  expect((await metricsText()).text).toContain(`${name} 0`);
  report('the provider answered 200 with {a: string}');
  expect((await metricsText()).text).toContain(`${name} 1`);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { provider: 'bank', cause: 'the provider answered 200 with {a: string}', msg: 'provider answered nonsense' },
  ]);
});
