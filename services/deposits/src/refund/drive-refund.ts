import type { LedgerCommandOf } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { routeOf } from '#src/providers/charge-routes.ts';
import { moveRefund } from '#src/refund/move-refund.ts';
import type { RefundRow } from '#src/refund/refund-entity.ts';
import { sendBack } from '#src/returns/send-back.ts';

const ledgerTimeoutMs = 5_000;

/** Takes a refund as far as it goes now: sent, decided, and given back to the balance where the provider refused. */
export async function driveRefund(dependencies: Dependencies, refund: RefundRow): Promise<RefundRow> {
  const sent = refund.state === 'SENDING' ? await sendRefund(dependencies, refund) : refund;
  return sent.state === 'REVERSING' ? await reverseRefund(dependencies, sent) : sent;
}

async function sendRefund(dependencies: Dependencies, refund: RefundRow): Promise<RefundRow> {
  const { database, chargeRoutes, logger } = dependencies;
  const { environment, accountId, depositId } = refund;
  const route = routeOf(chargeRoutes, environment, refund.provider);
  if (!route) {
    logger.warn({ refundId: refund.id, provider: refund.provider }, 'provider of a refund is not configured');
    return refund;
  }
  const deposit = await database.reader().findOneOrFail(DepositEntity, { environment, accountId, id: depositId });
  const sent = await sendBack(route, deposit, refund);
  switch (sent.kind) {
    case 'done':
      return await moveRefund(dependencies, refund, 'done', { providerRef: sent.providerRef, returnId: sent.returnId });
    case 'failed':
      return await moveRefund(dependencies, refund, 'refused', {
        failureReason: sent.code,
        failureMessage: sent.message,
      });
    case 'waiting':
      return await keepProviderRef(dependencies, refund, sent.providerRef);
  }
}

async function keepProviderRef({ database }: Dependencies, refund: RefundRow, providerRef: string | null) {
  if (providerRef === null || refund.providerRef === providerRef) return refund;
  const { environment, accountId, id } = refund;
  await database.query(
    `update refund set provider_ref = $4 where environment = $1 and account_id = $2 and id = $3 and state = 'SENDING'`,
    [environment, accountId, id, providerRef],
  );
  return { ...refund, providerRef };
}

async function reverseRefund(dependencies: Dependencies, refund: RefundRow): Promise<RefundRow> {
  const command: LedgerCommandOf<'reverse-refund'> = {
    kind: 'reverse-refund',
    id: `reverse-refund:${refund.id}`,
    environment: refund.environment,
    accountId: refund.accountId,
    currency: refund.currency,
    depositId: refund.depositId,
    refundId: refund.id,
    provider: refund.provider,
    amount: refund.amount,
  };
  const { outcome, refusal, field } = await dependencies.askLedger(command, ledgerTimeoutMs);
  if (outcome === 'applied') return await moveRefund(dependencies, refund, 'reversed', {});
  throw new Error(`the ledger refuses to reverse ${refund.id}: ${outcome} ${refusal ?? field ?? ''}`);
}
