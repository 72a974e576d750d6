import type { PayerDetails } from '@gateway/contracts/deposits';
import { unixSeconds } from '@gateway/contracts/values';
import { feeOf } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import { maskDocument } from '@gateway/pix';
import { providerText } from '@gateway/provider-feeds';
import type { ChargeReceipt, PayerDetails as PayerAccount } from '@gateway/providers';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { nextState } from '#src/deposit/life-cycle.ts';
import { recordedName } from '#src/deposit/receipt-name.ts';
import { PaymentEntity, type PaymentRow } from '#src/payment/payment-entity.ts';

const daySec = 86_400;
/** How long the process that received the payment has to get it credited before a sweeper tries. */
const creditLeaseMs = 5_000;

/**
 * Remembers that money arrived for a deposit, before anything is done about it. The first payment of a deposit is the
 * one that counts: a repetition answers it again, so there is one credit whatever is reported how often.
 *
 * @param deposit locked in `tx`
 * @throws DomainError INVALID_STATE when the deposit takes no payment
 */
export async function receivePayment(
  tx: Tx,
  deposit: DepositRow,
  receipt: ChargeReceipt,
  now: Date,
): Promise<PaymentRow> {
  const { environment, accountId } = deposit;
  const known = await tx.em.findOne(PaymentEntity, { environment, accountId, depositId: deposit.id });
  if (known) return known;
  nextState(deposit.state, 'paid');
  return tx.em.create(PaymentEntity, paymentOf(deposit, receipt, now));
}

/** A receipt as the payment of its deposit. */
export function paymentOf(deposit: DepositRow, receipt: ChargeReceipt, now: Date): PaymentRow {
  const { money, paidAt, payer } = receipt;
  const fee = feeOfReceived(deposit, money.amount);
  const name = recordedName(receipt);
  return paymentRow(deposit, { ...name, ...money, fee, payerDetails: payerDetailsOf(payer), paidAt }, now);
}

export function paymentRow(
  deposit: DepositRow,
  payment: Pick<PaymentRow, 'e2eId' | 'trackingKey' | 'currency' | 'amount' | 'fee' | 'payerDetails' | 'paidAt'>,
  now: Date,
): PaymentRow {
  return {
    environment: deposit.environment,
    provider: deposit.provider,
    ...payment,
    accountId: deposit.accountId,
    depositId: deposit.id,
    state: 'RECEIVED',
    releaseAt: deposit.retentionDays === 0 ? null : unixSeconds(payment.paidAt) + deposit.retentionDays * daySec,
    attempts: 0,
    nextAttemptAt: new Date(now.getTime() + creditLeaseMs),
    refusal: null,
  };
}

/** Who has paid, as the provider names it; what no text of the database may have does not keep money from being credited. */
export function payerDetailsOf({ name, document, bank, ispb }: PayerAccount = {}): PayerDetails {
  return {
    name: keptText(name),
    document: document === undefined ? null : maskDocument(providerText(document)),
    bank: keptText(bank),
    ispb: keptText(ispb),
  };
}

function keptText(text: string | undefined): string | null {
  return text === undefined ? null : providerText(text);
}

/** The fee follows the money that came (api.md 5), by the account's fees as they were when the deposit was created. */
export function feeOfReceived({ fee, feeSchedule }: Pick<DepositRow, 'fee' | 'feeSchedule'>, amount: number): number {
  return feeSchedule ? feeOf(amount, feeSchedule) : fee;
}
