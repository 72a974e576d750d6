import type { Gateway } from '@gateway/sdk';
import { processPaymentWorkflow } from '@medusajs/medusa/core-flows';
import { ContainerRegistrationKeys, Modules, PaymentActions } from '@medusajs/framework/utils';
import type { Logger, MedusaContainer } from '@medusajs/framework/types';
import { clientOf, type GatewayOptions } from '../options/options.ts';
import { sessionOf, type Deposit } from '../providers/gateway/charge.ts';
import { reaisOf } from '../providers/gateway/cents.ts';
import { gatewayOptionsOf } from '../options/options-of-shop.ts';

/** How far back the first run of a process looks; what was paid before is older than any webhook is repeated. */
const firstLookSec = 7 * 86_400;

export const config = { name: 'gateway-settle-paid-sessions', schedule: '* * * * *' };

/** Where each shop of this process has read to: the id of an event, or the time before the first one. */
const places = new Map<string, string>();

/**
 * Settles what was paid and whose webhook never came: reads the log of events, which misses none, from where the last run
 * was. Runs every minute. A payment that cannot be settled now is tried again by the next run.
 */
export default async function settlePaidSessions(container: MedusaContainer): Promise<void> {
  for (const options of gatewayOptionsOf(container)) await settle(container, options, clientOf(options));
}

async function settle(container: MedusaContainer, options: GatewayOptions, client: Gateway): Promise<void> {
  const logger: Logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  const place = places.get(options.publicKey);
  const begin =
    place === undefined ? { from: String(Math.floor(Date.now() / 1_000) - firstLookSec) } : { cursor: place };
  const paid = client.events.list({ event: ['deposit.paid'], order: 'asc', limit: 100, ...begin });
  for await (const event of paid) {
    try {
      await settleOne(container, options, event.data as Deposit, logger);
    } catch (error) {
      logger.error(`the payment of ${event.data_id} is not settled yet: ${String(error)}`);
      return;
    }
    places.set(options.publicKey, event.id);
  }
}

async function settleOne(
  container: MedusaContainer,
  options: GatewayOptions,
  deposit: Deposit,
  logger: Logger,
): Promise<void> {
  const id = sessionOf(deposit, options);
  if (id === undefined) return;
  const payments = container.resolve(Modules.PAYMENT);
  const [session] = await payments.listPaymentSessions({ id }, { relations: ['payment'] });
  if (session === undefined) {
    logger.warn(`${deposit.id} was paid for a session that is gone (${id}): refund it at the gateway`);
    return;
  }
  if (session.payment?.captured_at != null) return;
  await processPaymentWorkflow(container).run({
    input: { action: PaymentActions.SUCCESSFUL, data: { session_id: id, amount: reaisOf(deposit.amount_cents) } },
  });
}
