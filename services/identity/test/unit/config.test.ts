import { expect, test } from 'vitest';
import { issuersOf, readConfig } from '#src/config.ts';

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

test('an issuer is configured whole, and on https beyond this machine', () => {
  const settings = {
    OPERATOR_ISSUER_URL: 'https://login.example.com/realm',
    OPERATOR_ISSUER_CLIENT_ID: 'gateway',
    OPERATOR_ISSUER_CLIENT_SECRET: 'a secret of sixteen',
    OPERATOR_ISSUER_ACR_VALUES: 'phr, phrh',
  };
  const { operator, merchant } = issuersOf(readConfig({ ...base, ...settings }));
  expect([operator, merchant]).toEqual([
    {
      ...{ url: 'https://login.example.com/realm', clientId: 'gateway', clientSecret: 'a secret of sixteen' },
      ...{ name: 'login.example.com', acrValues: ['phr', 'phrh'] },
      redirectUrl: 'http://localhost:9080/session/issuer/callback',
    },
    null,
  ]);
  const { OPERATOR_ISSUER_CLIENT_SECRET: _secret, ...half } = settings;
  expect(() => readConfig({ ...base, ...half })).toThrow('OPERATOR_ISSUER_CLIENT_SECRET');
  const plain = { ...settings, OPERATOR_ISSUER_URL: 'http://login.example.com' };
  expect(() => readConfig({ ...base, ...plain })).toThrow('OPERATOR_ISSUER_URL');
});

test('links sign in on a machine whose consoles are on loopback alone', () => {
  expect(readConfig({ ...base, DEV_LOGIN: 'true' }).DEV_LOGIN).toBe(true);
  expect(readConfig(base).DEV_LOGIN).toBe(false);
  const reached = { ...base, DEV_LOGIN: 'true', OPERATOR_CONSOLE_URL: 'https://ops.example.com' };
  expect(() => readConfig(reached)).toThrow('DEV_LOGIN');
});
