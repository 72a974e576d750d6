import type { Deposit, DepositStatus } from '@gateway/contracts/deposits';
import { unixSeconds } from '@gateway/contracts/values';
import { moves } from '@gateway/money';
import type { ChargeInput } from '@gateway/providers';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import type { DepositState } from '#src/deposit/life-cycle.ts';
import { payerDetailsWithBank } from '#src/deposit/payer-bank.ts';

/** What of a record is shown. */
export const shownMembers = [
  ...([
    'id',
    'environment',
    'accountId',
    'externalId',
    'state',
    'currency',
    'paymentMethod',
    'amount',
    'asked',
  ] as const),
  ...(['fee', 'refunded', 'received', 'emv', 'clabe', 'beneficiary', 'redirectUrl', 'qrUrl', 'payer'] as const),
  ...(['payerDetails', 'e2eId', 'callbackUrl', 'returnUrl', 'description', 'metadata', 'apiVersion'] as const),
  ...(['createdAt', 'expiresAt', 'paidAt'] as const),
] satisfies readonly (keyof DepositRow)[];
export type ShownDeposit = Pick<DepositRow, (typeof shownMembers)[number]>;

/** The record as other services and merchants see it. */
export function toDeposit(row: ShownDeposit): Deposit {
  return {
    id: row.id,
    environment: row.environment,
    accountId: row.accountId,
    externalId: row.externalId,
    status: publicStatus(row.state),
    currency: row.currency,
    paymentMethod: row.paymentMethod,
    amount: row.amount,
    asked: row.asked ?? null,
    fee: row.fee,
    net: row.amount - row.fee,
    refunded: row.refunded,
    received: row.state === 'PAID' || row.state === 'REFUNDED' ? row.amount : row.received,
    emv: row.emv ?? null,
    clabe: row.clabe ?? null,
    beneficiary: row.beneficiary ?? null,
    redirectUrl: row.redirectUrl ?? null,
    qrUrl: row.qrUrl ?? null,
    payer: row.payer ?? null,
    payerDetails: payerDetailsWithBank(row),
    e2eId: row.e2eId ?? null,
    callbackUrl: row.callbackUrl ?? null,
    returnUrl: row.returnUrl ?? null,
    description: row.description ?? null,
    metadata: row.metadata,
    apiVersion: row.apiVersion,
    createdAt: unixSeconds(row.createdAt),
    expiresAt: unixSeconds(row.expiresAt),
    paidAt: row.paidAt?.toISOString() ?? null,
  };
}

function publicStatus(state: DepositState): DepositStatus {
  if (state === 'CREATING') throw new Error('a deposit that is being created has no public form');
  return state;
}

/** What the provider is asked for; follows from the record alone, so that every retry asks the same. */
export function chargeInputOf(deposit: DepositRow): ChargeInput {
  const { currency, paymentMethod, payer } = deposit;
  if (!moves(currency, paymentMethod)) throw new Error(`no rail moves ${currency} by ${paymentMethod}`);
  return {
    ref: deposit.reference,
    createdAt: deposit.createdAt,
    money: { currency, amount: deposit.amount },
    expiresInSec: unixSeconds(deposit.expiresAt) - unixSeconds(deposit.createdAt),
    payer: payer
      ? {
          name: payer.name ?? undefined,
          document: payer.document ?? undefined,
          email: payer.email ?? undefined,
          phone: payer.phone ?? undefined,
        }
      : undefined,
  };
}
