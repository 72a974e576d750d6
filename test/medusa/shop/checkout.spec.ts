import { medusaIntegrationTestRunner } from '@medusajs/test-utils';
import { refundPaymentWorkflow } from '@medusajs/medusa/core-flows';
import { Modules } from '@medusajs/framework/utils';
import settlePaidSessions from '@gateway/medusa/.medusa/server/src/jobs/settle-paid-sessions.js';
import { gateway } from './gateway.ts';
import { Shop, type OpenCart } from './shop.ts';

const once = { paid: ['100.5'], refunded: [] };

medusaIntegrationTestRunner({
  moduleName: 'gateway',
  env: { PORT: process.env['SHOP_PORT'] },
  testSuite: ({ getContainer, utils }) => {
    const shop = new Shop(getContainer);
    let cart: OpenCart;
    const depositId = () => cart.session.data['deposit_id'] as string;
    const orders = () => shop.ordersOf(cart.cartId);
    const settled = async (expected: object = once) => {
      await expect.poll(orders).toEqual([expect.objectContaining(expected)]);
      await utils.waitWorkflowExecutions();
    };

    beforeAll(() => shop.open());
    beforeEach(async () => {
      await gateway.listen('enabled');
      cart = await shop.openCart();
    });

    test('the session shows the code of a charge of the cart’s amount', async () => {
      expect(cart.session.data).toMatchObject({ amount_cents: 10_050, emv: expect.stringContaining('br.gov.bcb.pix') });
      expect(await gateway.deposit(depositId())).toMatchObject({ status: 'PENDING', external_id: cart.session.id });
    });

    test('a webhook before the storefront completes places one order, captured', async () => {
      await gateway.pay(depositId());
      await settled();
      expect(await shop.complete(cart.cartId)).toBe((await orders())[0]!.id);
      await settled();
    });

    test('an order that is placed before it is paid is captured once by the webhook', async () => {
      await shop.complete(cart.cartId);
      await settled({ paid: [], refunded: [] });
      await gateway.pay(depositId());
      await settled();
    });

    test('the webhook twice, and the storefront at the same time: one order, captured once', async () => {
      await Promise.all([gateway.pay(depositId()), shop.complete(cart.cartId).catch(() => undefined)]);
      await settled();
      const [delivery] = await gateway.deliveriesOf(depositId());
      await gateway.redeliver(delivery.id);
      await expect
        .poll(async () => (await gateway.deliveriesOf(depositId()))[0].attempts, { timeout: 30_000 })
        .toBeGreaterThan(1);
      await shop.complete(cart.cartId);
      await settled();
    });

    test('a payment whose webhook never comes is settled by the job, once', async () => {
      await gateway.listen('disabled');
      await gateway.pay(depositId());
      expect(await orders()).toEqual([]);
      await Promise.all([settlePaidSessions(getContainer()), settlePaidSessions(getContainer())]);
      await settled();
      await settlePaidSessions(getContainer());
      await settled();
    });

    test('an expired charge places no order that is paid, and another session is paid in its place', async () => {
      await gateway.expire(depositId());
      await expect(shop.complete(cart.cartId)).rejects.toThrow();
      expect(await orders()).toEqual([]);
      const second = await shop.newSession(cart.paymentCollectionId);
      await gateway.pay(second.data['deposit_id']);
      await settled();
      expect(await gateway.deposit(depositId())).toMatchObject({ status: 'EXPIRED' });
    });

    test('a payment after the charge has expired is captured for the order that waits', async () => {
      await shop.complete(cart.cartId);
      await gateway.expire(depositId());
      await gateway.pay(depositId());
      await settled();
    });

    test('refunds in parts go back once each, also one whose answer was lost', async () => {
      await gateway.pay(depositId());
      await settled();
      const payments = getContainer().resolve(Modules.PAYMENT);
      const [payment] = await payments.listPayments({ payment_session_id: [cart.session.id] } as never);
      const refund = (amount: number) =>
        refundPaymentWorkflow(getContainer()).run({ input: { payment_id: payment!.id, amount } });
      await refund(30);
      // As if the shop had ended between the gateway's answer and its own record: the refund is there, and not known.
      await gateway.refund(depositId(), 2_050, `ref_${crypto.randomUUID()}`);
      await refund(20.5);
      await refund(50);
      await expect(refund(0.01)).rejects.toThrow();
      const made = await gateway.refundsOf(depositId());
      expect(made.map((each: any) => each.amount_cents).sort()).toEqual([2_050, 3_000, 5_000]);
    });

    test('a session whose charge is paid is not given up for another one', async () => {
      await gateway.listen('disabled');
      await gateway.pay(depositId());
      await expect(shop.newSession(cart.paymentCollectionId)).rejects.toThrow('Could not delete');
      await settlePaidSessions(getContainer());
      await settled();
    });

    test('a payment of another shop with the same account settles nothing here', async () => {
      const foreign = await gateway.charge({ medusa_session: cart.session.id, medusa_shop: 'another' });
      await gateway.pay(foreign.id);
      await expect
        .poll(async () => (await gateway.deliveriesOf(foreign.id))[0]?.status, { timeout: 30_000 })
        .toBe('DELIVERED');
      await settlePaidSessions(getContainer());
      expect(await orders()).toEqual([]);
    });

    test('another amount of the cart is another charge, and the one before it can no longer be paid', async () => {
      await shop.addShirt(cart.cartId);
      const { data } = await shop.newSession(cart.paymentCollectionId);
      expect(data).toMatchObject({ amount_cents: 20_100 });
      expect(await gateway.deposit(depositId())).toMatchObject({ status: 'FAILED' });
      await gateway.pay(data['deposit_id']);
      await settled({ paid: ['201'] });
    });

    test('a webhook that is not signed by the gateway changes nothing', async () => {
      const forged = { event: 'deposit.paid', data: { id: depositId(), status: 'PAID' } };
      const payments = getContainer().resolve(Modules.PAYMENT);
      const payload = { data: forged, rawData: JSON.stringify(forged), headers: { 'x-gateway-timestamp': '1' } };
      await expect(payments.getWebhookActionAndData({ provider: 'gateway_gateway', payload })).rejects.toThrow(
        /refused/,
      );
      expect(await orders()).toEqual([]);
    });
  },
});
