import { type Deposit, DepositPaid } from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import type { LedgerCommandOf, LedgerResult } from '@gateway/contracts/ledger';
import { environmentSchema } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import { outboxRow } from '@gateway/persistence';
import { counter } from '@gateway/runtime';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { findDeposit } from '#src/deposit/find-deposit.ts';
import { follow } from '#src/deposit/life-cycle.ts';
import { toDeposit, unixSeconds } from '#src/deposit/to-deposit.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';
import type { PaymentRow } from '#src/payment/payment-entity.ts';

/**
 * Has a received payment credited, then makes its deposit PAID, in that order: whoever sees PAID finds the balance.
 * Repeatable at any point: the ledger decides the command once, and the payment's state lets one caller record it.
 *
 * @param deposit as it was when the payment was received: only expiry may have changed it since
 * @throws DomainError SERVICE_UNAVAILABLE when the ledger did not answer in time; the sweeper asks again
 */
export async function creditPayment(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
  deposit: DepositRow,
  timeoutMs: number,
): Promise<Deposit> {
  const result = await dependencies.askLedger(creditCommandOf(payment), timeoutMs);
  if (result.refusal === 'unknown_provider') {
    throw new DomainError('SERVICE_UNAVAILABLE', `the ledger has not been told of ${payment.provider}`);
  }
  if (result.outcome !== 'applied') return await recordRefusal(dependencies, payment, result);
  return await recordCredit(dependencies, payment, deposit);
}

/** Follows from the payment alone and names its deposit: one credit per deposit, however often it is asked for. */
function creditCommandOf(payment: PaymentRow): LedgerCommandOf<'credit-deposit'> {
  return {
    kind: 'credit-deposit',
    id: `credit-deposit:${payment.depositId}`,
    environment: payment.environment,
    accountId: payment.accountId,
    currency: payment.currency,
    depositId: payment.depositId,
    provider: payment.provider,
    amount: payment.amount,
    fee: payment.fee,
    releaseAt: payment.releaseAt ?? null,
  };
}

async function recordCredit(
  { database, payments, now }: PaymentDependencies,
  payment: PaymentRow,
  deposit: DepositRow,
): Promise<Deposit> {
  if (deposit.state === 'PAID' || deposit.state === 'REFUNDED') return toDeposit(deposit);
  const { amount, fee, paidAt, e2eId, payerDetails } = payment;
  const state = follow(deposit.state, 'paid');
  const record = toDeposit({ ...deposit, state, amount, fee, paidAt, e2eId, payerDetails });
  const at = now();
  const event = { id: newId('event', at.getTime()), occurredAt: unixSeconds(at), deposit: record };
  if (await payments.credit(payment, outboxRow(DepositPaid, event))) return record;
  // Somebody else was faster: the sweeper, or the same report told twice.
  return toDeposit(await findDeposit(database, deposit));
}

const refused = counter('gateway_payments_refused_total', 'Payments the ledger refuses to credit', ['environment']);
// An increase from nothing is seen only where there was a zero.
for (const environment of environmentSchema.options) refused.add(0, { environment });

/** The ledger never changes its mind, so asking again is pointless: kept for an operator, and said loudly. */
async function recordRefusal(
  { payments, logger }: PaymentDependencies,
  payment: PaymentRow,
  result: LedgerResult,
): Promise<never> {
  const refusal = `${result.outcome}: ${result.refusal ?? result.field ?? 'no reason given'}`;
  await payments.refuse(payment, refusal);
  refused.add(1, { environment: payment.environment });
  logger.error({ depositId: payment.depositId, refusal }, 'the ledger refuses to credit a payment');
  throw new Error(`the ledger refuses to credit ${payment.depositId}: ${refusal}`);
}
