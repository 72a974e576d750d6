import { termsOf } from '@gateway/contracts/accounts';
import type { DomainError } from '@gateway/contracts/errors';
import type { PayloadOf } from '@gateway/contracts/messages';
import type { createPayout, PendingReason } from '@gateway/contracts/payouts';
import { feeOf, moves, newId } from '@gateway/money';
import { toProviderReference } from '@gateway/pix';
import { sandboxClabes, sandboxKeys } from '@gateway/providers';
import { currentTrace } from '@gateway/runtime';
import {
  CurrencyNotSupportedError,
  ForeignSettlementError,
  ProviderUnavailableError,
  UnregisteredSettlementError,
} from '#src/errors.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutRoute } from '#src/providers/payout-routes.ts';

export type CreatePayoutRequest = PayloadOf<{ payload: typeof createPayout.request }>;

/** Why a new payout cannot be made of the request, or undefined when it can. */
export function refusalOf(request: CreatePayoutRequest, route: PayoutRoute | undefined): DomainError | undefined {
  if (!moves(request.currency, request.paymentMethod)) return new CurrencyNotSupportedError(request.currency);
  // Money withdrawn "to the account itself" needs to know who that is.
  const { kind, account } = request;
  if (kind === 'SETTLEMENT' && account.document === null) return new UnregisteredSettlementError();
  const foreign = foreignMembers(request);
  if (foreign.length > 0) return new ForeignSettlementError(foreign);
  return route ? undefined : new ProviderUnavailableError();
}

/**
 * Whether the provider has to refuse a key of another person. A settlement's always: a key that is no document says
 * nothing about whose it is.
 */
export function mustVerifyOwner({ kind, enforceOwnership }: CreatePayoutRequest): boolean {
  return enforceOwnership || kind === 'SETTLEMENT';
}

/** What in a settlement names another person than the account, as the caller wrote it. */
function foreignMembers({ kind, account, recipient, key, keyType }: CreatePayoutRequest): string[] {
  if (kind !== 'SETTLEMENT') return [];
  const foreignKey = (keyType === 'cpf' || keyType === 'cnpj') && key !== account.document;
  return [
    ...(recipient.document === account.document ? [] : ['recipient.document']),
    ...(foreignKey ? ['pix_key'] : []),
  ];
}

/** Why it waits for approval, if it does; a limit per day is applied where it is written. */
function pendingReasonOf({ environment, account, currency, amount, key }: CreatePayoutRequest): PendingReason | null {
  if (environment === 'test' && (key === sandboxKeys.approve || key === sandboxClabes.approve)) return 'approval_rule';
  if (!account.autoApprovePayouts) return 'account_setting';
  const { perPayoutCents } = termsOf(account, currency).payoutLimits;
  return perPayoutCents !== null && amount > perPayoutCents ? 'limit' : null;
}

/** The record as it is claimed, with its reference at the provider. */
export function draftPayout(request: CreatePayoutRequest, route: PayoutRoute, now: Date, dueAt: Date): PayoutRow {
  const id = newId('payout', now.getTime());
  const pendingReason = pendingReasonOf(request);
  return {
    environment: request.environment,
    accountId: request.account.id,
    id,
    externalId: request.externalId,
    state: 'RESERVING',
    version: 1,
    currency: request.currency,
    paymentMethod: request.paymentMethod,
    amount: request.amount,
    fee: feeOf(request.amount, termsOf(request.account, request.currency).fees.payout),
    returned: 0,
    key: request.key,
    keyType: request.keyType,
    recipient: request.recipient,
    kind: request.kind,
    verifyOwner: mustVerifyOwner(request),
    needsApproval: pendingReason !== null,
    pendingReason,
    metadata: request.metadata,
    apiVersion: request.apiVersion,
    provider: route.provider.id,
    reference: toProviderReference(id),
    providerRef: null,
    e2eId: null,
    sentAt: null,
    callStartedAt: null,
    calledAt: null,
    processingAt: null,
    lookups: 0,
    notFoundCount: 0,
    notFoundSince: null,
    reversal: null,
    failureReason: null,
    providerMessage: null,
    paidAt: null,
    dueAt,
    decidedBy: null,
    decisionReason: null,
    attentionAt: null,
    attentionReason: null,
    resolution: null,
    returns: [],
    releasedAt: null,
    refusedBy: [],
    failedCalls: [],
    alsoPaidBy: [],
    knownUnsent: false,
    recheckAt: null,
    rechecks: 0,
    unconfirmed: null,
    trace: currentTrace(),
    createdAt: now,
  };
}
