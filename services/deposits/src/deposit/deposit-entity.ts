import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Account } from '@gateway/contracts/accounts';
import type { Metadata, Payer, PayerDetails } from '@gateway/contracts/deposits';
import type { ApiVersion, Environment } from '@gateway/contracts/values';
import type { Currency, PaymentMethod } from '@gateway/money';
import { EntityColumns } from '@gateway/persistence';
import type { DepositState } from '#src/deposit/life-cycle.ts';

type FeeSchedule = Account['fees']['deposit'];

/** A row of `deposit`; the migration says what its columns mean. */
export const DepositEntity = defineEntity({
  name: 'Deposit',
  tableName: 'deposit',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    accountId: p.string().primary(),
    id: p.string().primary(),
    externalId: p.string(),
    state: p.string().$type<DepositState>(),
    currency: p.string().$type<Currency>(),
    paymentMethod: p.string().$type<PaymentMethod>(),
    amount: p.bigint('number'),
    asked: p.bigint('number').nullable(),
    fee: p.bigint('number'),
    refunded: p.bigint('number'),
    received: p.bigint('number'),
    feeSchedule: p.json<FeeSchedule>().nullable(),
    provider: p.string(),
    reference: p.string(),
    providerRef: p.string().nullable(),
    emv: p.string().nullable(),
    clabe: p.string().nullable(),
    beneficiary: p.string().nullable(),
    redirectUrl: p.string().nullable(),
    qrUrl: p.string().nullable(),
    payer: p.json<Payer>().nullable(),
    payerDetails: p.json<PayerDetails>().nullable(),
    e2eId: p.string().nullable(),
    callbackUrl: p.string().nullable(),
    returnUrl: p.string().nullable(),
    description: p.string().nullable(),
    metadata: p.json<Metadata>(),
    traceId: p.string().nullable(),
    apiVersion: p.string().$type<ApiVersion>(),
    retentionDays: p.integer(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    paidAt: p.datetime(3).nullable(),
    creationDueAt: p.datetime(3).nullable(),
  },
});

export type DepositRow = Readonly<Omit<InferEntity<typeof DepositEntity>, symbol>>;

export const depositColumns = new EntityColumns<DepositRow>(DepositEntity);
