import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DueWork, type Database } from '@gateway/persistence';
import { silentLogger } from '@gateway/test-kit';
import { treasuryDue, wakingTreasury } from '#src/workers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what the treasury owes and cannot buy yet has an exchange asked every two seconds, and no more often', async () => {
  const query = async () => [{ 0: new Date(0) }];
  const onWrite = () => ({ [Symbol.dispose]: () => undefined });
  await using dueWork = new DueWork({ database: { query, onWrite } as unknown as Database, logger: silentLogger });
  let rounds = 0;
  const wake = wakingTreasury({ wake: () => void (rounds += 1) });
  dueWork.add({ name: 'treasury', firstDue: treasuryDue, wake });
  for (let calls = 0; calls < 60; calls += 1) {
    dueWork.announce(new Date());
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(rounds).toBeLessThanOrEqual(31);
  expect(rounds).toBeGreaterThanOrEqual(25);
});
