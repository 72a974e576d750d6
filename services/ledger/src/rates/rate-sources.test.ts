import { describe, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { silentLogger } from '@gateway/test-kit';
import { readConfig } from '#src/config.ts';
import { rateSourcesOf } from '#src/rates/rate-sources.ts';

const required = { DATABASE_URL: 'postgresql://ledger@127.0.0.1/ledger', NATS_URL: 'nats://127.0.0.1:4222' };
const sourcesWith = (env: Record<string, string>) =>
  rateSourcesOf(readConfig({ ...required, ...env }), { logger: silentLogger, now: () => 0 });
const pair = { from: 'BRL', to: 'USDT' } as const;

describe('live conversions', () => {
  test.each<Record<string, string>>([{}, { LIVE_CONVERSIONS: '' }, { LIVE_CONVERSIONS: 'off' }])(
    'are refused in words unless an operator switched them on, although there is a rate: %j',
    async (env) => {
      const { live, test: sandbox } = sourcesWith({ RATE_SOURCE: 'fixed', ...env });
      const refused = await live.rateOf(pair).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(DomainError);
      expect(refused).toMatchObject({
        code: 'CURRENCY_NOT_SUPPORTED',
        message: 'conversions are not enabled in live mode: BRL is not changed into USDT',
      });
      expect(await sandbox.rateOf(pair)).toBe(540_000_000n);
    },
  );

  test('that are switched on have the rate of the configuration, and without a source none at the moment', async () => {
    expect(await sourcesWith({ LIVE_CONVERSIONS: 'on', RATE_SOURCE: 'fixed' }).live.rateOf(pair)).toBe(540_000_000n);
    await expect(sourcesWith({ LIVE_CONVERSIONS: 'on' }).live.rateOf(pair)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  test('have no other setting', () => {
    expect(() => readConfig({ ...required, LIVE_CONVERSIONS: 'true' })).toThrow('LIVE_CONVERSIONS');
  });
});
