import { processPaymentWorkflow } from '@medusajs/medusa/core-flows';
import { ContainerRegistrationKeys, Modules, PaymentActions } from '@medusajs/framework/utils';
import type { Logger, MedusaContainer } from '@medusajs/framework/types';
import { PaidDeposits, type Deposit } from '../events/paid-deposits.ts';
import { clientOf, type GatewayOptions } from '../options/options.ts';
import { sessionOf } from '../providers/gateway/charge.ts';
import { reaisOf } from '../providers/gateway/cents.ts';
import { gatewayOptionsOf } from '../options/options-of-shop.ts';

export const config = { name: 'gateway-settle-paid-sessions', schedule: '* * * * *' };

/** What each shop of this process has read of the log, by its key. */
const shops = new Map<string, PaidDeposits>();

/**
 * Settles what was paid and whose webhook never came: reads the log of events, which misses none, from where the last run
 * was. Runs every minute. A payment that cannot be settled now is tried again by the next run, and those after it go on.
 */
export default async function settlePaidSessions(container: MedusaContainer): Promise<void> {
  const logger: Logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  for (const options of gatewayOptionsOf(container)) {
    const deposits = shops.get(options.publicKey) ?? new PaidDeposits();
    shops.set(options.publicKey, deposits);
    try {
      await deposits.settleAll(clientOf(options).events, {
        settle: (deposit) => settleOne(container, options, deposit, logger),
        failed: ({ id }, error) => logger.error(`the payment of ${id} is not settled yet: ${String(error)}`),
      });
    } catch (error) {
      // Another registration of the provider has an account of its own, whose log can be read.
      logger.error(`the gateway's log of ${options.publicKey} cannot be read now: ${String(error)}`);
    }
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
