import { feeOf, newId, type createPayout, type DomainError, type PayloadOf } from '@gateway/contracts';
import { toProviderReference } from '@gateway/pix';
import { currentTrace } from '@gateway/service-kit';
import { CurrencyNotSupportedError, ProviderUnavailableError } from '#src/errors.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutRoute } from '#src/providers/payout-routes.ts';

export type CreatePayoutRequest = PayloadOf<{ payload: typeof createPayout.request }>;

/** Why a new payout cannot be made of the request, or undefined when it can. */
export function refusalOf(request: CreatePayoutRequest, route: PayoutRoute | undefined): DomainError | undefined {
  if (request.currency !== 'BRL') return new CurrencyNotSupportedError(request.currency);
  return route ? undefined : new ProviderUnavailableError();
}

/** The record as it is claimed, with its reference at the provider. */
export function draftPayout(request: CreatePayoutRequest, route: PayoutRoute, now: Date, dueAt: Date): PayoutRow {
  const id = newId('payout', now.getTime());
  return {
    environment: request.environment,
    accountId: request.account.id,
    id,
    externalId: request.externalId,
    state: 'RESERVING',
    version: 1,
    currency: request.currency,
    amount: request.amount,
    fee: feeOf(request.amount, request.account.fees.payout),
    returned: 0,
    key: request.key,
    keyType: request.keyType,
    recipient: request.recipient,
    kind: request.kind,
    verifyOwner: request.enforceOwnership,
    needsApproval: !request.account.autoApprovePayouts,
    metadata: request.metadata,
    apiVersion: request.apiVersion,
    provider: route.provider.id,
    reference: toProviderReference(id),
    providerRef: null,
    e2eId: null,
    sentAt: null,
    callStartedAt: null,
    processingAt: null,
    lookups: 0,
    notFoundCount: 0,
    notFoundSince: null,
    reversal: null,
    failureReason: null,
    failureMessage: null,
    paidAt: null,
    dueAt,
    trace: currentTrace(),
    createdAt: now,
  };
}
