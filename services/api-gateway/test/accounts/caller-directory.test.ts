import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '@gateway/persistence';
import { createTestBus, silentLogger } from '@gateway/test-kit';
import { newPublicKey } from '#src/accounts/api-key.ts';
import { CallerDirectory } from '#src/accounts/caller-directory.ts';

const row = {
  ...{ secret_hash: '00', environment: 'live', api_version: '1.0', ip_allowlist: [], key_version: 1, version: 1 },
  ...{ id: 'acc_01k9z3m4v6t8x0a2c4e6g8jk01', name: 'shop', document: null, auto_approve_payouts: true },
  ...{ deposit_fee_fixed: 0, deposit_fee_bps: 0, payout_fee_fixed: 0, payout_fee_bps: 0, retention_days: 0 },
  ...{ rate_per_second: 1, rate_burst: 1, payout_limit: null, payout_day_limit: null, currency_terms: {} },
};

afterEach(() => void vi.useRealTimers());

test('a key that is revoked while it is being loaded is not remembered', async () => {
  await using bus = await createTestBus();
  const loading: ((rows: unknown[]) => void)[] = [];
  const query = async (_text: string, _params: unknown, name: string) =>
    name === 'load-key' ? await new Promise((resolve) => loading.push(resolve)) : [];
  await using directory = new CallerDirectory({
    database: { query } as unknown as Database,
    bus,
    logger: silentLogger,
  });
  const publicKey = newPublicKey('live', '1.0');
  const found = directory.find(publicKey);
  directory.announceRevoked(publicKey);
  loading[0]?.([{ ...row, public_key: publicKey }]);
  await found;
  expect(directory.knows(publicKey)).toBe(false);
});

test('a gateway without calls hardly watches its keys, and knows of a revocation at the first call all the same', async () => {
  await using bus = await createTestBus();
  vi.useFakeTimers();
  const publicKey = newPublicKey('live', '1.0');
  let isRevoked = false;
  let watched = 0;
  const query = async (_text: string, _params: unknown, name: string) => {
    if (name === 'load-key') return isRevoked ? [] : [{ ...row, public_key: publicKey }];
    watched += 1;
    return isRevoked ? [{ public_key: publicKey, revoked: true, key_version: 0, account_version: 0 }] : [];
  };
  const database = { query } as unknown as Database;
  await using directory = new CallerDirectory({ database, bus, logger: silentLogger });
  expect(await directory.find(publicKey)).toBeDefined();
  await vi.advanceTimersByTimeAsync(10_000);
  watched = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(watched).toBeLessThanOrEqual(3);
  // Its signal is lost.
  isRevoked = true;
  expect(directory.remembered(publicKey)).toBeUndefined();
  expect(await directory.find(publicKey)).toBeUndefined();
  watched = 0;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(watched).toBeGreaterThanOrEqual(9);
});
