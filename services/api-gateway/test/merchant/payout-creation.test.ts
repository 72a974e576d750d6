import { afterEach, beforeEach, expect, test } from 'vitest';
import { abandonCreation, createPayout, type Payout, type PayoutStatus } from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { answering, serveRpc, type Bus } from '@gateway/messaging';
import { createTestBus, silentLogger } from '@gateway/test-kit';
import { createPayoutInTime } from '#src/merchant/payouts.ts';
import { payoutOf, payoutRequest } from '../harness/records.ts';

let bus: Bus;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  bus = stack.use(await createTestBus());
});
afterEach(async () => stack.disposeAsync());

const request = payoutRequest({ id: newId('account') });
const silent = answering(createPayout, () => new Promise<never>(() => undefined));
const knowing = (payout: Payout | null) => answering(abandonCreation, async () => ({ payout }));
const create = async (...peers: Parameters<typeof serveRpc>[1]) => {
  stack.use(await serveRpc(bus, peers, silentLogger));
  return await createPayoutInTime(bus, request, 1_000);
};
const made = (status: PayoutStatus): Payout => ({ ...payoutOf(request), status });

test('a creation that is not answered is 504 naming the payout that is PROCESSING', async () => {
  const payout = made('PROCESSING');
  await expect(create(silent, knowing(payout))).rejects.toMatchObject({
    code: 'PROVIDER_TIMEOUT',
    extra: { payout_id: payout.id },
  });
});

test('a creation that is not answered answers the payout whose outcome is known', async () => {
  const payout = made('REJECTED');
  expect(await create(silent, knowing(payout))).toEqual({ created: false, payout });
});

test('a creation that is not answered is 503 when none was made, nor will be', async () => {
  await expect(create(silent, knowing(null))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1 });
});

test('a creation that nobody received is 503 at once', async () => {
  await expect(create()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1 });
});

test('a creation of which nobody can tell is 504 naming no payout: 503 would say that nothing was created', async () => {
  const untold = {
    code: 'PROVIDER_TIMEOUT',
    message: expect.stringContaining('same external_id') as string,
    extra: {},
  };
  await expect(create(silent)).rejects.toMatchObject(untold);
});
