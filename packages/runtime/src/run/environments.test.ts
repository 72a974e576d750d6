import { expect, test } from 'vitest';
import { separateEnvironments } from '#src/run/environments.ts';

const services = ['ledger', 'api-gateway'];

test('a service of a shared process reads what is for all and what is its own, and nothing of another', () => {
  const env = {
    LOG_LEVEL: 'warn',
    LEDGER_PROVIDERS: 'efi',
    LEDGER__DATABASE_URL: 'postgres://ledger',
    LEDGER__LOG_LEVEL: 'info',
    API_GATEWAY__DATABASE_URL: 'postgres://gateway',
    WEBHOOKS__DATABASE_URL: 'of a service that is not here',
  };
  const environments = separateEnvironments(services, env);
  const common = { LEDGER_PROVIDERS: 'efi', WEBHOOKS__DATABASE_URL: 'of a service that is not here' };
  expect(environments.get('ledger')).toEqual({ ...common, LOG_LEVEL: 'info', DATABASE_URL: 'postgres://ledger' });
  expect(environments.get('api-gateway')).toEqual({
    ...common,
    LOG_LEVEL: 'warn',
    DATABASE_URL: 'postgres://gateway',
  });
});

test('what is of one service is gone from the environment of the process, where every module could read it', () => {
  const env: NodeJS.ProcessEnv = { LEDGER__DATABASE_URL: 'postgres://ledger', PATH: '/bin' };
  separateEnvironments(services, env);
  expect(env).toEqual({ PATH: '/bin' });
});

test('two services of a process are refused one database', () => {
  const shared = { DATABASE_URL: 'postgres://one' };
  expect(() => separateEnvironments(services, shared)).toThrow('DATABASE_URL of api-gateway is that of ledger');
});
