import { expect, test } from 'vitest';
import { readConfig } from '#src/config.ts';

const base = {
  DATABASE_URL: 'postgresql://localhost/identity',
  NATS_URL: 'nats://localhost',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
};

test.each([
  ['an address, to which no passkey belongs', { OPERATOR_CONSOLE_URL: 'http://127.0.0.1:9080' }],
  ['a path', { CONSOLE_URL: 'https://pay.example.com/console' }],
  ['a name beyond this machine without TLS', { CONSOLE_URL: 'http://console.example.com' }],
])('a console at %s is refused', (_what, given) => {
  const [name = ''] = Object.keys(given);
  expect(() => readConfig({ ...base, ...given })).toThrow(name);
});

test('links sign in on a machine whose consoles are on loopback alone', () => {
  expect(readConfig({ ...base, DEV_LOGIN: 'true' }).DEV_LOGIN).toBe(true);
  expect(readConfig(base).DEV_LOGIN).toBe(false);
  const reached = { ...base, DEV_LOGIN: 'true', OPERATOR_CONSOLE_URL: 'https://ops.example.com' };
  expect(() => readConfig(reached)).toThrow('DEV_LOGIN');
});
