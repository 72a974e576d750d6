import { termsOf } from '@gateway/contracts/accounts';
import type { createDeposit } from '@gateway/contracts/deposits';
import type { DomainError } from '@gateway/contracts/errors';
import type { PayloadOf } from '@gateway/contracts/messages';
import { unixSeconds } from '@gateway/contracts/values';
import { feeOf, moves, newId, rails } from '@gateway/money';
import { toProviderReference } from '@gateway/pix';
import { currentTraceId } from '@gateway/runtime';
import { depositColumns, type DepositRow } from '#src/deposit/deposit-entity.ts';
import {
  AmountWithinFeeError,
  CurrencyNotSupportedError,
  ProvidersDisabledError,
  ProviderUnavailableError,
} from '#src/errors.ts';
import { areDisabled, type ChargeRoute, type ChargeRoutes } from '#src/routing/charge-routes.ts';

export type CreateDepositRequest = PayloadOf<{ payload: typeof createDeposit.request }>;

/** How long the caller's own process has before a sweeper takes the creation over. */
const creationLeaseMs = 15_000;

/** Why a new deposit cannot be made of the request, or undefined when it can. */
export function refusalOf(
  request: CreateDepositRequest,
  route: ChargeRoute | undefined,
  routes: ChargeRoutes,
): DomainError | undefined {
  const { currency, paymentMethod, amount, account } = request;
  if (!moves(currency, paymentMethod)) return new CurrencyNotSupportedError(currency, paymentMethod);
  const fee = feeOf(amount, termsOf(account, currency).fees.deposit);
  if (fee >= amount) return new AmountWithinFeeError(fee);
  if (route) return undefined;
  return areDisabled(routes, request) ? new ProvidersDisabledError() : new ProviderUnavailableError();
}

/** The record as it is claimed: everything but what the provider answers, with its reference there. */
export function draftDeposit(request: CreateDepositRequest, route: ChargeRoute, now: Date): DepositRow {
  const id = newId('deposit', now.getTime());
  const schedule = termsOf(request.account, request.currency).fees.deposit;
  return {
    ...depositColumns.absent,
    environment: request.environment,
    accountId: request.account.id,
    id,
    externalId: request.externalId,
    state: 'CREATING',
    currency: request.currency,
    paymentMethod: request.paymentMethod,
    amount: request.amount,
    asked: rails[request.paymentMethod].amountTypedBy === 'payer' ? request.amount : null,
    fee: feeOf(request.amount, schedule),
    refunded: 0,
    received: 0,
    // Where another amount than the one asked for would have another fee.
    feeSchedule: schedule.bps > 0 ? schedule : null,
    provider: route.provider.id,
    reference: toProviderReference(id),
    payer: request.payer,
    callbackUrl: request.callbackUrl,
    returnUrl: request.returnUrl,
    description: request.description,
    metadata: request.metadata,
    apiVersion: request.apiVersion,
    traceId: currentTraceId(),
    retentionDays: request.account.retentionDays,
    createdAt: now,
    expiresAt: new Date((unixSeconds(now) + request.expiresInSec) * 1_000),
    creationDueAt: new Date(now.getTime() + creationLeaseMs),
  };
}
