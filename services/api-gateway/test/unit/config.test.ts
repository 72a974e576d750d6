import { expect, test } from 'vitest';
import { configSchema } from '#src/config.ts';

test.each(['', 'https://grafana.example/trace/{trace_id}', 'http://localhost:3000/?id={trace_id}&org=1'])(
  'traces are seen at %j',
  (url) => {
    expect(configSchema.shape.TRACE_URL.parse(url)).toBe(url);
  },
);

test.each([
  'https://grafana.example/trace',
  'javascript:{trace_id}',
  'grafana/{trace_id}',
  'https://{host}/{trace_id}',
])('traces are not seen at %j', (url) => {
  expect(configSchema.shape.TRACE_URL.safeParse(url).success).toBe(false);
});
