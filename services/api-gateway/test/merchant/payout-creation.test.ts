import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { abandonRefund, createRefund, type Refund } from '@gateway/contracts/deposits';
import { abandonCreation, createPayout, type Payout, type PayoutStatus } from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { answering, serveRpc, type Bus } from '@gateway/messaging';
import { createTestBus, silentLogger } from '@gateway/test-kit';
import { createPayoutInTime } from '#src/merchant/payouts.ts';
import { createRefundInTime } from '#src/merchant/refunds.ts';
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

describe('a refund that is not answered', () => {
  const owner = { environment: 'test', accountId: newId('account'), depositId: newId('deposit') } as const;
  const wanted = { ...owner, externalId: 'refund-1', amount: null, reason: null };
  const unanswered = answering(createRefund, () => new Promise<never>(() => undefined));
  const known = (refund: Refund | null) => answering(abandonRefund, async () => ({ refund }));
  const refund = async (...peers: Parameters<typeof serveRpc>[1]) => {
    stack.use(await serveRpc(bus, peers, silentLogger));
    return await createRefundInTime(bus, wanted, 500);
  };

  test('is answered as it is where it is on its way', async () => {
    const onItsWay: Refund = {
      ...{ ...owner, id: newId('refund'), externalId: 'refund-1', status: 'PROCESSING', currency: 'BRL', amount: 100 },
      ...{ reason: null, returnId: null, failureReason: null, failureMessage: null, createdAt: 0, finishedAt: null },
    };
    expect(await refund(unanswered, known(onItsWay))).toEqual({ created: false, refund: onItsWay });
  });

  test('is 503 when none was made, nor will be', async () => {
    await expect(refund(unanswered, known(null))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('is 504 where nobody can tell: 503 would say that nothing was created', async () => {
    await expect(refund(unanswered)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  });
});
