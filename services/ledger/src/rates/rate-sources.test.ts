import { describe, expect, test } from 'vitest';
import { DomainError } from '@gateway/contracts/errors';
import { silentLogger } from '@gateway/test-kit';
import { readConfig } from '#src/config.ts';
import { rateSourcesOf } from '#src/rates/rate-sources.ts';

const required = {
  DATABASE_URL: 'postgresql://ledger@127.0.0.1/ledger',
  NATS_URL: 'nats://127.0.0.1:4222',
  PUBLIC_URL: 'https://pay.example',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const sourcesWith = (env: Record<string, string>, isSwitchedOn = async () => true) =>
  rateSourcesOf(readConfig({ ...required, ...env }), { logger: silentLogger, now: () => 0, isSwitchedOn });
const refusal = {
  code: 'CURRENCY_NOT_SUPPORTED',
  message: 'conversions are not enabled in live mode: BRL is not changed into USDT',
};
const pair = { from: 'BRL', to: 'USDT' } as const;

describe('live conversions', () => {
  test.each<Record<string, string>>([{}, { LIVE_CONVERSIONS: '' }, { LIVE_CONVERSIONS: 'off' }])(
    'are refused in words where the deployment does not allow them, although there is a rate and the switch is on: %j',
    async (env) => {
      const { live, test: sandbox } = sourcesWith({ RATE_SOURCE: 'fixed', ...env });
      const refused = await live.rateOf(pair).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(DomainError);
      expect(refused).toMatchObject(refusal);
      expect(await sandbox.rateOf(pair)).toBe(540_000_000n);
    },
  );

  test('that are allowed are refused in the same words while operators have not switched them on, asked each time', async () => {
    let isOn = false;
    const { live, test: sandbox } = sourcesWith({ LIVE_CONVERSIONS: 'on', RATE_SOURCE: 'fixed' }, async () => isOn);
    await expect(live.rateOf(pair)).rejects.toMatchObject(refusal);
    expect(await sandbox.rateOf(pair)).toBe(540_000_000n);
    isOn = true;
    expect(await live.rateOf(pair)).toBe(540_000_000n);
    isOn = false;
    await expect(live.rateOf(pair)).rejects.toMatchObject(refusal);
  });

  test('have no rate while the switch cannot be read', async () => {
    const unreadable = () => Promise.reject(new Error('no database'));
    const { live } = sourcesWith({ LIVE_CONVERSIONS: 'on', RATE_SOURCE: 'fixed' }, unreadable);
    await expect(live.rateOf(pair)).rejects.toThrow('no database');
  });

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
