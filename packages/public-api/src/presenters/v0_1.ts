import type { z } from 'zod';
import type { Conversion, Quote } from '@gateway/contracts/conversions';
import type { Export } from '@gateway/contracts/exports';
import {
  type Deposit,
  type Dispute,
  type Evidence,
  evidenceFailureMessageOf,
  type PayerDetails,
  type Refund,
} from '@gateway/contracts/deposits';
import { totalOf, type KnownBalance, type LedgerEntry } from '@gateway/contracts/ledger';
import type { Payout, PayoutReturn } from '@gateway/contracts/payouts';
import type { MessageLanguage } from '@gateway/contracts/values';
import type { Currency } from '@gateway/money';
import { presentFailureMessage } from '#src/shared/failure-message.ts';
import { foreignCurrency } from '#src/shared/foreign-currency.ts';
import type { BalanceResource } from '#src/v0_1/balance-resource.ts';
import type { conversionResourceSchema, quoteResourceSchema } from '#src/v0_1/conversion-resource.ts';
import type { DepositResource } from '#src/v0_1/deposit-resource.ts';
import type { DisputeResource } from '#src/v0_1/dispute-resource.ts';
import type { EntryResource } from '#src/v0_1/entry-resource.ts';
import type { ExportResource } from '#src/v0_1/export-resource.ts';
import type { PayoutResource, returnedPayoutResourceSchema } from '#src/v0_1/payout-resource.ts';
import type { RefundResource } from '#src/v0_1/refund-resource.ts';

// How contract 0.1 shows records. A service that shows its records needs these and none of the schemas, which describe
// the interface: they take five megabytes.

/** A currency that the account has not operated has nothing in it; of the past, only that nothing was available is known. */
export function presentBalance(balances: readonly KnownBalance[], isPast = false): BalanceResource {
  const none = isPast ? null : 0;
  const buckets = (currency: Currency) => {
    const found = balances.find((balance) => balance.currency === currency);
    const { available, pending, blocked } = found ?? { available: 0, pending: none, blocked: none };
    return {
      available_cents: available,
      pending_cents: pending,
      blocked_cents: blocked,
      total_cents: totalOf({ available, pending, blocked }),
    };
  };
  return { brl: buckets('BRL'), usdt: buckets('USDT') };
}

export function presentQuote(quote: Quote): z.infer<typeof quoteResourceSchema> {
  const { id, status, expiresAt } = quote;
  return { id, object: 'quote', status, ...presentExchange(quote), expires_at: expiresAt };
}

export function presentConversion(conversion: Conversion): z.infer<typeof conversionResourceSchema> {
  return {
    id: conversion.id,
    object: 'conversion',
    external_id: conversion.externalId,
    quote_id: conversion.quoteId,
    status: conversion.status,
    ...presentExchange(conversion),
  };
}

function presentExchange({ from, to, fromAmount, toAmount, rate, environment, createdAt }: Quote | Conversion) {
  return { from, to, from_amount: fromAmount, to_amount: toAmount, rate, environment, created_at: createdAt };
}

export function presentExport(exported: Export, downloadUrl: string | null = null): ExportResource {
  const { head, tail } = exportMembersOfEveryContract(exported, downloadUrl);
  return { ...head, opening_cents: exported.opening, closing_cents: exported.closing, ...tail };
}

/** The members before and after the balances, which alone have a name per contract. */
export function exportMembersOfEveryContract(exported: Export, downloadUrl: string | null) {
  return {
    head: {
      id: exported.id,
      object: 'export' as const,
      external_id: exported.externalId,
      kind: exported.kind,
      format: exported.format,
      currency: exported.currency,
      from: exported.fromDate,
      to: exported.toDate,
      timezone: exported.zone,
      status: exported.status,
      reason: exported.failure,
      rows: exported.rows,
    },
    tail: {
      sha256: exported.sha256,
      checkpoint: exported.checkpoint,
      download_url: downloadUrl,
      expires_at: exported.expiresAt,
      environment: exported.environment,
      created_at: exported.createdAt,
      completed_at: exported.completedAt,
    },
  };
}

export function presentDeposit(deposit: Deposit): DepositResource {
  return {
    id: deposit.id,
    object: 'deposit',
    external_id: deposit.externalId,
    status: deposit.status,
    amount_cents: askedAmount(deposit),
    ...foreignCurrency(deposit),
    fee_cents: deposit.fee,
    net_cents: deposit.net,
    refunded_cents: deposit.refunded,
    pix: { emv: deposit.emv, qr_url: deposit.qrUrl },
    ...membersOfEveryContract(deposit),
  };
}

/** What the merchant asked for, whatever the payer typed. */
export function askedAmount({ asked, amount }: Deposit): number {
  return asked ?? amount;
}

/** The members that are the same in every contract. Those of a payment are present once paid. */
export function membersOfEveryContract(deposit: Deposit) {
  const { paidAt, e2eId, payer, payerDetails } = deposit;
  return {
    // A database gives the members of an object back in an order of its own.
    payer: payer && { name: payer.name, email: payer.email, phone: payer.phone, document: payer.document },
    metadata: deposit.metadata,
    return_url: deposit.returnUrl,
    description: deposit.description,
    ...(deposit.callbackUrl === null ? {} : { callback_url: deposit.callbackUrl }),
    payment_url: deposit.redirectUrl,
    environment: deposit.environment,
    created_at: deposit.createdAt,
    expires_at: deposit.expiresAt,
    ...(paidAt === null ? {} : { paid_at: paidAt }),
    ...(e2eId === null ? {} : { e2e_id: e2eId }),
    ...(payerDetails === null ? {} : { payer_details: presentPayerDetails(payerDetails) }),
  };
}

function presentPayerDetails({ name, document, bank, ispb }: PayerDetails): PayerDetails {
  return { name, document, bank, ispb };
}

export function presentDispute(dispute: Dispute, language?: MessageLanguage): DisputeResource {
  return {
    id: dispute.id,
    object: 'dispute',
    deposit_id: dispute.depositId,
    external_id: dispute.externalId,
    e2e_id: dispute.e2eId,
    amount_cents: dispute.amount,
    ...foreignCurrency(dispute),
    blocked_cents: dispute.blocked,
    returned_cents: dispute.returned,
    reason: dispute.reason,
    status: dispute.status,
    environment: dispute.environment,
    opened_at: dispute.openedAt,
    defense_due_at: dispute.defenseDueAt,
    resolved_at: dispute.resolvedAt,
    evidence: dispute.evidence.map((each) => presentEvidence(each, language)),
  };
}

function presentEvidence({ text, urls, files, status, sentAt, failureReason }: Evidence, language?: MessageLanguage) {
  const message = failureReason && evidenceFailureMessageOf(failureReason, language);
  return { text, urls, files: files.map(presentFile), status, sent_at: sentAt, failure_message: message };
}

function presentFile({ mediaType, ...file }: Dispute['evidence'][number]['files'][number]) {
  return { ...file, media_type: mediaType };
}

export function presentEntry(entry: LedgerEntry): EntryResource {
  return {
    id: entry.id,
    type: entry.type,
    amount_cents: entry.amount,
    currency: entry.currency,
    ref_type: entry.refType,
    ref_id: entry.refId,
    balance_after_cents: entry.balanceAfter,
    created_at: entry.createdAt,
  };
}

/** Of a payout that names no recipient, which the connector's clients need not, the members are null. */
function presentRecipient({ name, document, email, phone }: Payout['recipient']): PayoutResource['recipient'] {
  return { name: name || null, document: document || null, email, phone };
}

export function presentPayout(payout: Payout, language?: MessageLanguage): PayoutResource {
  return {
    id: payout.id,
    object: 'payout',
    external_id: payout.externalId,
    status: payout.status,
    pending_reason: payout.pendingReason,
    amount_cents: payout.amount,
    ...foreignCurrency(payout),
    fee_cents: payout.fee,
    returned_cents: payout.returned,
    pix_key: payout.key,
    pix_key_type: payout.keyType,
    ...payoutMembersOfEveryContract(payout, language),
  };
}

/** The members that are the same in every contract. */
export function payoutMembersOfEveryContract(payout: Payout, language?: MessageLanguage) {
  return {
    recipient: presentRecipient(payout.recipient),
    kind: payout.kind,
    e2e_id: payout.e2eId,
    failure_reason: payout.failureReason,
    failure_message: presentFailureMessage(payout, language),
    metadata: payout.metadata,
    environment: payout.environment,
    created_at: payout.createdAt,
    paid_at: payout.paidAt,
  };
}

/** A payout with the part of it that came back: `data` of the event `payout.returned` (api.md 8). */
export interface ReturnedPayout {
  readonly payout: Payout;
  readonly return: PayoutReturn;
}

export function presentReturnedPayout({
  payout,
  return: part,
}: ReturnedPayout): z.infer<typeof returnedPayoutResourceSchema> {
  const shown = { id: part.id, amount_cents: part.amount, e2e_id: part.e2eId, returned_at: part.returnedAt };
  return { ...presentPayout(payout), return: shown };
}

export function presentRefund(refund: Refund, language?: MessageLanguage): RefundResource {
  return {
    id: refund.id,
    object: 'refund',
    deposit_id: refund.depositId,
    external_id: refund.externalId,
    status: refund.status,
    amount_cents: refund.amount,
    ...foreignCurrency(refund),
    reason: refund.reason,
    return_id: refund.returnId,
    failure_reason: refund.failureReason,
    failure_message: presentFailureMessage(refund, language),
    environment: refund.environment,
    created_at: refund.createdAt,
    finished_at: refund.finishedAt,
  };
}
