import { getOperatorConversion, listOperatorConversions, type Conversion } from '@gateway/contracts/conversions';
import {
  getOperatorDeposit,
  getOperatorDispute,
  getReturn,
  listOperatorDeposits,
  listOperatorDisputes,
  listOperatorRefunds,
  listOrphanReceipts,
  type OperatorDeposit,
  type OperatorDispute,
  type OperatorRefund,
  type OrphanReceipt,
} from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { getOperatorPayout, listOperatorPayouts, type OperatorPayout } from '@gateway/contracts/payouts';
import { findWebhookRecord, type Webhook } from '@gateway/contracts/webhooks';
import { type Askable, callRpc } from '@gateway/messaging';
import { idTimeMs, type IdKind } from '@gateway/money';
import type { FoundResource } from '@gateway/public-api';
import type { AccountEntity } from '#src/accounts/account.ts';

type OwnedDelivery = NonNullable<ReplyOf<typeof findWebhookRecord>['delivery']>;

/** A record as a search shows it, before it is known by what it was found and how its account is called. */
export type FoundRecord = Omit<FoundResource, 'account_name' | 'amount' | 'matched'>;

const foundMax = 20;
/** One service that is slow does not keep what the others have found. */
const sourceTimeout = { timeoutMs: 4_500 };

/** The lists of the services, newest first; each answers at most twenty records, where no other number is asked for. */
export const listedBy = {
  deposits: async (bus: Askable, filter: Omit<RequestOf<typeof listOperatorDeposits>, 'limit'>, limit = foundMax) =>
    (await callRpc(bus, listOperatorDeposits, { ...filter, limit }, sourceTimeout)).deposits.map(depositFound),
  payouts: async (bus: Askable, filter: Omit<RequestOf<typeof listOperatorPayouts>, 'limit'>, limit = foundMax) =>
    (await callRpc(bus, listOperatorPayouts, { ...filter, limit }, sourceTimeout)).payouts.map(payoutFound),
  refunds: async (bus: Askable, filter: Omit<RequestOf<typeof listOperatorRefunds>, 'limit'>, limit = foundMax) =>
    (await callRpc(bus, listOperatorRefunds, { ...filter, limit }, sourceTimeout)).refunds.map(refundFound),
  orphanReceipts: async (bus: Askable, filter: Omit<RequestOf<typeof listOrphanReceipts>, 'limit'>, limit = foundMax) =>
    (await callRpc(bus, listOrphanReceipts, { ...filter, limit }, sourceTimeout)).receipts.map(receiptFound),
  disputes: async (bus: Askable, filter: Omit<RequestOf<typeof listOperatorDisputes>, 'limit'>, limit = foundMax) =>
    (await callRpc(bus, listOperatorDisputes, { ...filter, limit }, sourceTimeout)).disputes.map(disputeFound),
  conversions: async (
    bus: Askable,
    filter: Omit<RequestOf<typeof listOperatorConversions>, 'limit'>,
    limit = foundMax,
  ) =>
    (await callRpc(bus, listOperatorConversions, { ...filter, limit }, sourceTimeout)).conversions.map(conversionFound),
};

/** Records by id: the service that has them, and how it is asked. */
export const readById: Partial<
  Record<IdKind, { readonly source: string; readonly read: (bus: Askable, id: string) => Promise<FoundRecord> }>
> = {
  deposit: {
    source: 'deposits',
    read: async (bus, id) => depositFound((await callRpc(bus, getOperatorDeposit, { id }, sourceTimeout)).deposit),
  },
  payout: {
    source: 'payouts',
    read: async (bus, id) => payoutFound((await callRpc(bus, getOperatorPayout, { id }, sourceTimeout)).payout),
  },
  refund: {
    source: 'deposits',
    read: async (bus, id) => {
      const { kind, record } = await callRpc(bus, getReturn, { id }, sourceTimeout);
      return kind === 'refund' ? refundFound(record) : receiptFound(record);
    },
  },
  dispute: {
    source: 'deposits',
    read: async (bus, id) => disputeFound((await callRpc(bus, getOperatorDispute, { id }, sourceTimeout)).dispute),
  },
  webhook: {
    source: 'webhooks',
    read: async (bus, id) => {
      const { webhook } = await callRpc(bus, findWebhookRecord, { id }, sourceTimeout);
      if (!webhook) throw new NotFoundError('webhook');
      return withoutAmount('webhook', webhook);
    },
  },
  delivery: {
    source: 'webhooks',
    read: async (bus, id) => {
      const { delivery } = await callRpc(bus, findWebhookRecord, { id }, sourceTimeout);
      if (!delivery) throw new NotFoundError('delivery');
      return withoutAmount('delivery', delivery);
    },
  },
  conversion: {
    source: 'ledger',
    read: async (bus, id) =>
      conversionFound((await callRpc(bus, getOperatorConversion, { id }, sourceTimeout)).conversion),
  },
};

export function accountFound({ id, createdAt }: AccountEntity): FoundRecord {
  return {
    kind: 'account',
    id,
    account_id: id,
    environment: null,
    status: null,
    amount_cents: null,
    currency: null,
    created_at: Math.floor(createdAt.getTime() / 1_000),
  };
}

function withoutAmount(
  kind: FoundRecord['kind'],
  record: Pick<Webhook | OwnedDelivery, 'id' | 'accountId' | 'environment' | 'status' | 'createdAt'>,
): FoundRecord {
  return {
    kind,
    id: record.id,
    account_id: record.accountId,
    environment: record.environment,
    status: record.status,
    amount_cents: null,
    currency: null,
    created_at: record.createdAt,
  };
}

type Common = Pick<OperatorDeposit, 'id' | 'accountId' | 'environment' | 'amount' | 'currency'>;

function found(kind: FoundRecord['kind'], record: Common, status: string): FoundRecord {
  return {
    kind,
    id: record.id,
    account_id: record.accountId,
    environment: record.environment,
    status,
    amount_cents: record.amount,
    currency: record.currency,
    created_at: Math.floor(idTimeMs(record.id) / 1_000),
  };
}

const depositFound = (deposit: OperatorDeposit) => found('deposit', deposit, deposit.status);
const payoutFound = (payout: OperatorPayout) => found('payout', payout, payout.status);
const refundFound = (refund: OperatorRefund) => found('refund', refund, refund.status);
const receiptFound = (receipt: OrphanReceipt) => found('orphan_receipt', receipt, receipt.state);
const disputeFound = (dispute: OperatorDispute) => found('dispute', dispute, dispute.status);
const conversionFound = (conversion: Conversion) =>
  found('conversion', { ...conversion, amount: conversion.fromAmount, currency: conversion.from }, conversion.status);
