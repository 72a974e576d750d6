import { afterEach, beforeEach, expect, test } from 'vitest';
import { createConversion } from '@gateway/contracts/conversions';
import type { RequestOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import { answering, serveRpc, type Bus } from '@gateway/messaging';
import { createTestBus, silentLogger } from '@gateway/test-kit';
import { createConversionOnce } from '#src/merchant/conversions.ts';

let bus: Bus;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  bus = stack.use(await createTestBus());
});
afterEach(async () => stack.disposeAsync());

type Request = RequestOf<typeof createConversion>;
const quoteId = newId('quote');
const order: Request['order'] = { kind: 'quoted', quoteId };
const silent = answering(createConversion, () => new Promise<never>(() => undefined));
const create = async (wanted: Request['order'], ...peers: Parameters<typeof serveRpc>[1]) => {
  stack.use(await serveRpc(bus, peers, silentLogger));
  const request: Request = { environment: 'test', accountId: newId('account'), externalId: 'treasury', order: wanted };
  return await createConversionOnce(bus.within(1_000), request);
};

test('a conversion that is not answered is 504 naming its quote, to be repeated', async () => {
  await expect(create(order, silent)).rejects.toMatchObject({
    ...{ code: 'PROVIDER_TIMEOUT', extra: { quote_id: quoteId } },
    message: expect.stringContaining('repeat the call with the same external_id') as string,
  });
});

test('at the rate of the moment there is no quote to name', async () => {
  const market: Request['order'] = { kind: 'market', from: 'BRL', to: 'USDT', amount: 1 };
  await expect(create(market, silent)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT', extra: {} });
});

test('a conversion that nobody received is 503: nothing was created', async () => {
  await expect(create(order)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSec: 1 });
});
