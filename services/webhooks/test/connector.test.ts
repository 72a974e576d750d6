import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { movIdOf } from '@gateway/contracts/connector';
import {
  getDelivery,
  listWebhooks,
  replaceConnectorEndpoints,
  testWebhook,
  updateWebhook,
  webhookEventSchema,
  type WebhookEvent,
} from '@gateway/contracts/webhooks';
import { callRpc } from '@gateway/messaging';
import { eventually } from '@gateway/test-kit';
import { happensBesidesPayments, happensToDeposit, happensToPayout } from './support/connector.ts';
import { newDeposit, newMerchant, newPayout, paid, publishDeposit, type Merchant } from './support/events.ts';
import { Receiver } from './support/receiver.ts';
import { createHarness, type Harness } from './support/harness.ts';

const pixIn: WebhookEvent[] = ['deposit.paid', 'deposit.expired', 'deposit.canceled'];
const pixOut: WebhookEvent[] = ['payout.paid', 'payout.failed', 'payout.canceled'];
const all = [...pixIn, ...pixOut];

let webhooks: Harness;
let service: AsyncDisposable;
beforeAll(async () => {
  webhooks = await createHarness();
  service = await webhooks.start();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await webhooks[Symbol.asyncDispose]();
});

const replace = (
  merchant: Merchant,
  endpoints: { url: string; events: WebhookEvent[] }[],
  securityParaphrase = 'open sesame',
  prefix: 'cli' | 'alt' = 'cli',
) =>
  callRpc(webhooks.bus, replaceConnectorEndpoints, {
    ...{ ...merchant, prefix },
    ...{ apiVersion: '0.1', clientId: 'pk_test_shop', securityParaphrase, endpoints },
  });
const registered = async (merchant: Merchant) =>
  (await callRpc(webhooks.bus, listWebhooks, { ...merchant, limit: 200 })).webhooks;
const textsOf = (receiver: Receiver) => receiver.received.map(({ body }) => body.toString()).toSorted();

describe('the body of a confirmation', () => {
  test('of a deposit is byte for byte what receivers of the connector read', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(201).end());
    const merchant = newMerchant();
    await replace(merchant, [{ url: receiver.url, events: all }]);
    const details = { name: 'MARIA SOUZA', document: '***.444.777-**', bank: 'Banco', ispb: '00000000' };
    const deposit = { ...paid(newDeposit(merchant, { amount: 1_990 })), payerDetails: details };
    await happensToDeposit(webhooks.bus, 'DepositPaid', deposit);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(textsOf(receiver)).toEqual([
      `{"status":"CONFIRMED","type":"PixIn","externalId":"order-1","paymentId":"${deposit.id}",` +
        `"movId":"${movIdOf(deposit.id)}","amount":19.9,"securityParaphrase":"open sesame","value":"19.90",` +
        '"e2e":"E1234567820260930120012345678901","confirmationDate":"2026-09-30T09:00:00-03:00",' +
        '"payer":{"name":"MARIA SOUZA","document":"***.444.777-**"},"receiver":{"name":"","document":""},' +
        '"details":null,"reasonCancellation":null,"clientId":"pk_test_shop"}',
    ]);
  });

  test('of a payout is byte for byte what receivers of the connector read, its receiver masked', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    await replace(merchant, [{ url: receiver.url, events: all }], '');
    const payout = newPayout(merchant, {
      ...{ status: 'FAILED', amount: 5, failureReason: 'key_not_found', failureMessage: 'The key does not exist.' },
    });
    await happensToPayout(webhooks.bus, 'PayoutFailed', payout);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(textsOf(receiver)).toEqual([
      `{"status":"FAILED","type":"PixOut","externalId":"payout-1","paymentId":"${payout.id}",` +
        `"movId":"${movIdOf(payout.id)}","amount":0.05,"securityParaphrase":"","value":"0.05",` +
        '"e2e":null,"confirmationDate":null,"payer":{"name":"","document":""},' +
        '"receiver":{"name":"Maria","document":"***.444.777-**"},' +
        '"details":null,"reasonCancellation":"Nenhuma conta está registrada com a chave.","clientId":"pk_test_shop"}',
    ]);
  });
});

test('each terminal event has its status and type, and progress and refunds are never sent', async () => {
  await using receiver = await Receiver.start();
  const merchant = newMerchant();
  await replace(merchant, [{ url: receiver.url, events: all }]);
  const deposit = (externalId: string) => newDeposit(merchant, { externalId });
  const payout = (externalId: string) => newPayout(merchant, { externalId });
  const { bus } = webhooks;
  for (const name of ['DepositCreated', 'DepositRefunded', 'DepositPaid', 'DepositExpired', 'DepositCanceled'] as const)
    await happensToDeposit(bus, name, deposit(name));
  for (const name of ['PayoutPending', 'PayoutProcessing', 'PayoutPaid', 'PayoutFailed', 'PayoutCanceled'] as const)
    await happensToPayout(bus, name, payout(name));
  await eventually(() => expect(receiver.received).toHaveLength(6));
  const bodies = textsOf(receiver).map((text) => {
    const { externalId, status, type } = JSON.parse(text) as Record<string, string>;
    return [externalId, status, type];
  });
  expect(bodies.toSorted()).toEqual([
    ['DepositCanceled', 'FAILED', 'PixIn'],
    ['DepositExpired', 'EXPIRED', 'PixIn'],
    ['DepositPaid', 'CONFIRMED', 'PixIn'],
    ['PayoutCanceled', 'FAILED', 'PixOut'],
    ['PayoutFailed', 'FAILED', 'PixOut'],
    ['PayoutPaid', 'CONFIRMED', 'PixOut'],
  ]);
});

test('MED, conversions, refunds, returns and pesos are never sent, whatever events are asked for', async () => {
  await using receiver = await Receiver.start();
  await using native = await Receiver.start();
  const merchant = newMerchant();
  await webhooks.register(merchant, native.url);
  await replace(merchant, [{ url: receiver.url, events: webhookEventSchema.options }]);
  const pesos = { currency: 'MXN', paymentMethod: 'SPEI' } as const;
  const { bus } = webhooks;
  await happensBesidesPayments(bus, merchant);
  await happensToDeposit(bus, 'DepositRefunded', newDeposit(merchant));
  await happensToPayout(bus, 'PayoutReturned', newPayout(merchant));
  for (const name of ['DepositPaid', 'DepositExpired', 'DepositCanceled'] as const)
    await happensToDeposit(bus, name, newDeposit(merchant, pesos));
  for (const name of ['PayoutPaid', 'PayoutFailed', 'PayoutCanceled'] as const)
    await happensToPayout(bus, name, newPayout(merchant, { ...pesos, key: '032180000118359719', keyType: 'clabe' }));
  const reais = paid(newDeposit(merchant, { externalId: 'in reais' }));
  await happensToDeposit(bus, 'DepositPaid', reais);
  await eventually(() => expect(native.received).toHaveLength(14));
  await eventually(() => expect(receiver.received).toHaveLength(1));
  const connector = (await registered(merchant)).find(({ url }) => url === receiver.url)!;
  expect(await webhooks.deliveries(connector)).toHaveLength(1);
  expect(textsOf(receiver)[0]).toContain(`"paymentId":"${reais.id}"`);
});

test('a URL hears only what its permission lets through, and a native endpoint stays native beside it', async () => {
  await using incoming = await Receiver.start();
  await using webhookRequest = await Receiver.start();
  await using native = await Receiver.start();
  const merchant = newMerchant();
  await webhooks.register(merchant, native.url);
  await replace(merchant, [
    { url: incoming.url, events: pixIn },
    { url: webhookRequest.url, events: pixOut },
  ]);
  await happensToDeposit(webhooks.bus, 'DepositPaid', paid(newDeposit(merchant)));
  await happensToPayout(webhooks.bus, 'PayoutPaid', newPayout(merchant));
  await eventually(() => expect(native.received).toHaveLength(2));
  await eventually(() => expect([incoming.received.length, webhookRequest.received.length]).toEqual([1, 1]));
  expect(textsOf(incoming)[0]).toContain('"type":"PixIn"');
  expect(textsOf(webhookRequest)[0]).toContain('"type":"PixOut"');
  expect(native.of('deposit.paid')).toHaveLength(1);
  expect(native.of('payout.paid')).toHaveLength(1);
});

describe('a registration', () => {
  test('is replaced as a whole, and a URL that stays keeps its id and gets the new paraphrase', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    await replace(merchant, [
      { url: receiver.url, events: pixIn },
      { url: `${receiver.url}/gone`, events: pixIn },
    ]);
    const before = await registered(merchant);
    await replace(merchant, [{ url: receiver.url, events: all }], 'changed');
    const after = await registered(merchant);
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: before.find(({ url }) => url === receiver.url)?.id, events: all });
    await happensToDeposit(webhooks.bus, 'DepositPaid', paid(newDeposit(merchant)));
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(textsOf(receiver)[0]).toContain('"securityParaphrase":"changed"');
    await replace(merchant, []);
    expect(await registered(merchant)).toEqual([]);
  });

  test('is of one connector: the account’s other connector keeps its URLs and its paraphrase', async () => {
    await using first = await Receiver.start();
    await using second = await Receiver.start();
    const merchant = newMerchant();
    await replace(merchant, [{ url: first.url, events: all }], 'of the first');
    await replace(merchant, [{ url: second.url, events: all }], 'of the second', 'alt');
    await replace(merchant, [{ url: second.url, events: pixIn }], 'of the second, later', 'alt');
    await happensToDeposit(webhooks.bus, 'DepositPaid', paid(newDeposit(merchant)));
    await eventually(() => expect([first.received.length, second.received.length]).toEqual([1, 1]));
    expect(textsOf(first)[0]).toContain('"securityParaphrase":"of the first"');
    expect(textsOf(second)[0]).toContain('"securityParaphrase":"of the second, later"');
    await replace(merchant, [], '', 'cli');
    expect((await registered(merchant)).map(({ url }) => url)).toEqual([second.url]);
  });

  test('that was stored before there were two is the first connector’s', async () => {
    const merchant = newMerchant();
    await replace(merchant, [{ url: 'https://shop.invalid/pix', events: all }]);
    await webhooks.database.query(`update endpoint set connector = connector - 'prefix' where account_id = $1`, [
      merchant.accountId,
    ]);
    await replace(merchant, [], '', 'alt');
    expect(await registered(merchant)).toHaveLength(1);
    await replace(merchant, []);
    expect(await registered(merchant)).toEqual([]);
  });

  test('of a URL that had been disabled has it bodies again', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    await replace(merchant, [{ url: receiver.url, events: all }]);
    const [{ id } = { id: '' }] = await registered(merchant);
    await callRpc(webhooks.bus, updateWebhook, { ...merchant, id, status: 'disabled' });
    await replace(merchant, [{ url: receiver.url, events: all }]);
    expect(await registered(merchant)).toMatchObject([{ url: receiver.url, status: 'enabled' }]);
    await happensToDeposit(webhooks.bus, 'DepositPaid', paid(newDeposit(merchant)));
    await eventually(() => expect(receiver.received).toHaveLength(1));
  });

  test('leaves native endpoints alone, and other environments', async () => {
    const live = newMerchant('live');
    const native = await webhooks.register(live, 'https://shop.invalid/native');
    await replace({ ...live, environment: 'test' }, [{ url: 'https://shop.invalid/pix', events: all }]);
    await replace(live, []);
    expect((await registered(live)).map(({ id }) => id)).toEqual([native.id]);
    expect(await registered({ ...live, environment: 'test' })).toHaveLength(1);
  });

  test('keeps its paraphrase unreadable in the database', async () => {
    const merchant = newMerchant();
    await replace(merchant, [{ url: 'https://shop.invalid/pix', events: all }], 'a phrase nobody reads');
    const rows = await webhooks.database.query('select * from endpoint where account_id = $1', [merchant.accountId]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('a phrase nobody reads');
  });

  test('has its paraphrase in what is sent, and nowhere in what is stored or shown', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    await replace(merchant, [{ url: receiver.url, events: all }], 'a phrase nobody reads');
    await publishDeposit(webhooks.bus, paid(newDeposit(merchant)));
    const [webhook] = await registered(merchant);
    const [delivery] = await eventually(async () => {
      const found = await webhooks.deliveries(webhook!, { status: 'DELIVERED' });
      expect(found).toHaveLength(1);
      return found;
    });
    expect(textsOf(receiver)[0]).toContain('"securityParaphrase":"a phrase nobody reads"');
    const request = { ...merchant, webhookId: webhook!.id, id: delivery!.id };
    const { requestBody } = (await callRpc(webhooks.bus, getDelivery, request)).delivery;
    expect(requestBody).toBe(textsOf(receiver)[0]?.replace('a phrase nobody reads', '***'));
    const bodies = await webhooks.database.query<{ body: string }>(
      `select encode(body, 'escape') as body from event where account_id = $1`,
      [merchant.accountId],
    );
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.body).not.toContain('a phrase');
  });

  test('with a URL that may not be called changes nothing and names it', async () => {
    const merchant = newMerchant();
    await replace(merchant, [{ url: 'https://shop.invalid/pix', events: all }]);
    const refused = replace(merchant, [
      { url: 'https://shop.invalid/other', events: all },
      { url: 'ftp://shop.invalid', events: all },
    ]);
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'endpoints.1.url' }] });
    expect((await registered(merchant)).map(({ url }) => url)).toEqual(['https://shop.invalid/pix']);
  });

  test('shares the limit of endpoints with the native ones', async () => {
    const merchant = newMerchant();
    await webhooks.register(merchant, 'https://shop.invalid/native');
    const urls = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ url: `https://shop.invalid/${index}`, events: all }));
    await expect(replace(merchant, urls(20))).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    expect(await registered(merchant)).toHaveLength(1);
    await replace(merchant, urls(19));
    expect(await registered(merchant)).toHaveLength(20);
  });

  test('is tried out with a sample in its own format', async () => {
    await using receiver = await Receiver.start();
    const merchant = newMerchant();
    await replace(merchant, [{ url: receiver.url, events: pixIn }]);
    const [{ id } = { id: '' }] = await registered(merchant);
    expect(await callRpc(webhooks.bus, testWebhook, { ...merchant, id })).toMatchObject({ delivered: true });
    expect(textsOf(receiver)[0]).toMatch(/"type":"PixIn".*"movId":"[0-9a-f]{24}"/);
  });
});
