import type { z } from 'zod';
import type { Export } from '@gateway/contracts/exports';
import type { Deposit, Dispute, Refund } from '@gateway/contracts/deposits';
import { totalOf, type KnownBalance, type LedgerEntry } from '@gateway/contracts/ledger';
import type { Payout } from '@gateway/contracts/payouts';
import type { MessageLanguage } from '@gateway/contracts/values';
import { rails } from '@gateway/money';
import {
  askedAmount,
  exportMembersOfEveryContract,
  membersOfEveryContract,
  payoutMembersOfEveryContract,
  presentDispute,
  presentRefund,
  presentReturnedPayout,
  type ReturnedPayout,
} from '#src/presenters/v0_1.ts';
import type { balanceResourceV1Schema } from '#src/v1_0/balance-resource.ts';
import type { DepositResourceV1 } from '#src/v1_0/deposit-resource.ts';
import type { disputeResourceV1Schema } from '#src/v1_0/dispute-resource.ts';
import type { entryResourceV1Schema } from '#src/v1_0/entry-resource.ts';
import type { ExportResourceV1 } from '#src/v0_1/export-resource.ts';
import type { PayoutResourceV1, returnedPayoutResourceV1Schema } from '#src/v1_0/payout-resource.ts';
import type { refundResourceV1Schema } from '#src/v1_0/refund-resource.ts';

// How contract 1.0 shows records; as in contract 0.1, without the schemas.

export function presentBalanceV1(balances: readonly KnownBalance[]): z.infer<typeof balanceResourceV1Schema> {
  return Object.fromEntries(
    balances.map(({ currency, available, pending, blocked }) => [
      currency.toLowerCase(),
      { available, pending, blocked, total: totalOf({ available, pending, blocked }) },
    ]),
  );
}

export function presentExportV1(exported: Export, downloadUrl: string | null = null): ExportResourceV1 {
  const { head, tail } = exportMembersOfEveryContract(exported, downloadUrl);
  return { ...head, opening: exported.opening, closing: exported.closing, ...tail };
}

export function presentDepositV1(deposit: Deposit): DepositResourceV1 {
  const { flow } = rails[deposit.paymentMethod].charge;
  return {
    id: deposit.id,
    object: 'deposit',
    external_id: deposit.externalId,
    status: deposit.status,
    flow,
    charge: presentCharge(deposit),
    amount: askedAmount(deposit),
    fee: deposit.fee,
    net: deposit.net,
    refunded: deposit.refunded,
    amount_received: deposit.received,
    currency: deposit.currency,
    payment_method: deposit.paymentMethod,
    ...membersOfEveryContract(deposit),
  };
}

function presentCharge({
  paymentMethod,
  emv,
  qrUrl,
  clabe,
  beneficiary,
  redirectUrl,
}: Deposit): DepositResourceV1['charge'] {
  const { charge } = rails[paymentMethod];
  switch (charge.kind) {
    case 'code':
      return { type: charge.type, emv, qr_url: qrUrl, redirect_url: redirectUrl };
    case 'account':
      return { type: charge.type, clabe, beneficiary, redirect_url: redirectUrl };
  }
}

export function presentDisputeV1(
  dispute: Dispute,
  language?: MessageLanguage,
): z.infer<typeof disputeResourceV1Schema> {
  const {
    amount_cents: amount,
    blocked_cents: blocked,
    returned_cents: returned,
    ...members
  } = presentDispute(dispute, language);
  return { ...members, amount, blocked, returned, currency: dispute.currency };
}

export function presentEntryV1(entry: LedgerEntry): z.infer<typeof entryResourceV1Schema> {
  return {
    id: entry.id,
    type: entry.type,
    amount: entry.amount,
    currency: entry.currency,
    ref_type: entry.refType,
    ref_id: entry.refId,
    balance_after: entry.balanceAfter,
    created_at: entry.createdAt,
  };
}

export function presentPayoutV1(payout: Payout, language?: MessageLanguage): PayoutResourceV1 {
  return {
    id: payout.id,
    object: 'payout',
    external_id: payout.externalId,
    status: payout.status,
    pending_reason: payout.pendingReason,
    amount: payout.amount,
    fee: payout.fee,
    returned: payout.returned,
    currency: payout.currency,
    payment_method: payout.paymentMethod,
    payout_key: payout.key,
    payout_key_type: payout.keyType,
    ...payoutMembersOfEveryContract(payout, language),
  };
}

export function presentReturnedPayoutV1(returned: ReturnedPayout): z.infer<typeof returnedPayoutResourceV1Schema> {
  const { amount_cents: amount, ...members } = presentReturnedPayout(returned).return;
  return { ...presentPayoutV1(returned.payout), return: { ...members, amount } };
}

export function presentRefundV1(refund: Refund, language?: MessageLanguage): z.infer<typeof refundResourceV1Schema> {
  const { amount_cents: amount, ...members } = presentRefund(refund, language);
  return { ...members, amount, currency: refund.currency };
}
