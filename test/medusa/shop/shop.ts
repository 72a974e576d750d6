import {
  addToCartWorkflow,
  completeCartWorkflow,
  createCartWorkflow,
  createPaymentCollectionForCartWorkflow,
  createPaymentSessionsWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
} from '@medusajs/medusa/core-flows';
import type { MedusaContainer } from '@medusajs/framework/types';
import { Modules } from '@medusajs/framework/utils';

const providerId = 'pp_gateway_gateway';

export interface OpenCart {
  readonly cartId: string;
  readonly paymentCollectionId: string;
  readonly session: { readonly id: string; readonly data: Record<string, any> };
}

export interface ShownOrder {
  readonly id: string;
  readonly paid: string[];
  readonly refunded: string[];
}

/** A shop with one product at R$ 100,50, and what its storefront and its people do. */
export class Shop {
  readonly #container: () => MedusaContainer;
  #regionId = '';
  #variantId = '';
  #salesChannelId = '';

  constructor(container: () => MedusaContainer) {
    this.#container = container;
  }

  async open(): Promise<void> {
    const container = this.#container();
    const [region] = (
      await createRegionsWorkflow(container).run({
        input: {
          regions: [{ name: 'Brasil', currency_code: 'brl', countries: ['br'], payment_providers: [providerId] }],
        },
      })
    ).result;
    const channel = await container.resolve(Modules.SALES_CHANNEL).createSalesChannels({ name: 'Loja' });
    const [product] = (
      await createProductsWorkflow(container).run({
        input: {
          products: [
            {
              title: 'Camiseta',
              status: 'published',
              options: [{ title: 'Tamanho', values: ['M'] }],
              sales_channels: [{ id: channel.id }],
              variants: [
                {
                  title: 'M',
                  options: { Tamanho: 'M' },
                  manage_inventory: false,
                  prices: [{ amount: 100.5, currency_code: 'brl' }],
                },
              ],
            },
          ],
        },
      })
    ).result;
    this.#regionId = region!.id;
    this.#salesChannelId = channel.id;
    this.#variantId = product!.variants[0]!.id;
  }

  /** A cart with one shirt, and the session of its payment. */
  async openCart(): Promise<OpenCart> {
    const container = this.#container();
    const { result: cart } = await createCartWorkflow(container).run({
      input: {
        region_id: this.#regionId,
        sales_channel_id: this.#salesChannelId,
        currency_code: 'brl',
        email: 'maria@example.com',
        items: [{ variant_id: this.#variantId, quantity: 1, requires_shipping: false }],
      },
    });
    await createPaymentCollectionForCartWorkflow(container).run({ input: { cart_id: cart.id } });
    const { data } = await container.resolve('query').graph({
      entity: 'cart_payment_collection',
      fields: ['payment_collection_id'],
      filters: { cart_id: cart.id },
    });
    const paymentCollectionId = data[0]!.payment_collection_id as string;
    return { cartId: cart.id, paymentCollectionId, session: await this.newSession(paymentCollectionId) };
  }

  async addShirt(cartId: string): Promise<void> {
    const items = [{ variant_id: this.#variantId, quantity: 1, requires_shipping: false }];
    await addToCartWorkflow(this.#container()).run({ input: { cart_id: cartId, items } });
  }

  /** A session replaces the one before it, as when a payer asks for another code. */
  async newSession(paymentCollectionId: string): Promise<OpenCart['session']> {
    const { result } = await createPaymentSessionsWorkflow(this.#container()).run({
      input: { payment_collection_id: paymentCollectionId, provider_id: providerId },
    });
    return result as unknown as OpenCart['session'];
  }

  async complete(cartId: string): Promise<string> {
    const { result } = await completeCartWorkflow(this.#container()).run({ input: { id: cartId } });
    return result.id;
  }

  /** The orders of a cart, with what was captured for each and what went back, in reais. */
  async ordersOf(cartId: string): Promise<ShownOrder[]> {
    const { data } = await this.#container()
      .resolve('query')
      .graph({
        entity: 'order_cart',
        fields: [
          'order.id',
          'order.payment_collections.payments.captures.amount',
          'order.payment_collections.payments.refunds.amount',
        ],
        filters: { cart_id: cartId },
      });
    return data.map(({ order }: any) => {
      const payments = order.payment_collections.flatMap((collection: any) => collection.payments ?? []);
      const amounts = (of: string) =>
        payments.flatMap((payment: any) => (payment[of] ?? []).map((each: any) => String(each.amount)));
      return { id: order.id, paid: amounts('captures'), refunded: amounts('refunds') };
    });
  }
}
