import type { Account } from '@gateway/contracts/accounts';
import type { Conversion } from '@gateway/contracts/conversions';
import type { Deposit, OperatorDeposit, ReceivedPayment, createDeposit } from '@gateway/contracts/deposits';
import type { Person } from '@gateway/contracts/identity';
import type { LedgerEntry } from '@gateway/contracts/ledger';
import type { RequestOf } from '@gateway/contracts/messages';
import type { OperatorPayout, Payout, createPayout } from '@gateway/contracts/payouts';
import type { Webhook, registerWebhook } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';

const createdAt = 1_767_000_000;

/** The deposit a request makes. */
export function depositOf(request: RequestOf<typeof createDeposit>): Deposit {
  return {
    id: newId('deposit'),
    environment: request.environment,
    accountId: request.account.id,
    externalId: request.externalId,
    status: 'PENDING',
    currency: request.currency,
    paymentMethod: request.paymentMethod,
    amount: request.amount,
    fee: 0,
    net: request.amount,
    refunded: 0,
    emv: '00020126',
    redirectUrl: null,
    clabe: null,
    beneficiary: null,
    asked: null,
    received: 0,
    qrUrl: null,
    payer: request.payer,
    payerDetails: null,
    e2eId: null,
    callbackUrl: request.callbackUrl,
    returnUrl: request.returnUrl ?? null,
    description: request.description ?? null,
    metadata: request.metadata,
    apiVersion: request.apiVersion,
    createdAt,
    expiresAt: createdAt + request.expiresInSec,
    paidAt: null,
  };
}

/** A deposit as operators see it. */
export function operatorDepositOf(members: Partial<OperatorDeposit>): OperatorDeposit {
  return {
    id: newId('deposit'),
    environment: 'live',
    accountId: newId('account'),
    externalId: newId('request'),
    status: 'PAID',
    currency: 'BRL',
    paymentMethod: 'PIX',
    amount: 1_990,
    fee: 0,
    net: 1_990,
    refunded: 0,
    received: 1_990,
    emv: '00020126',
    clabe: null,
    beneficiary: null,
    asked: null,
    redirectUrl: null,
    qrUrl: null,
    payer: null,
    payerDetails: null,
    e2eId: 'E12345678202601051004abcdef12345',
    callbackUrl: null,
    returnUrl: null,
    description: null,
    metadata: {},
    apiVersion: '0.1',
    createdAt,
    expiresAt: createdAt + 3_600,
    paidAt: '2026-01-05T10:04:00.000Z',
    provider: 'efi',
    reference: '01k9z3m4v6t8x0a2c4e6g8jk03',
    traceId: null,
    providerRef: null,
    ...members,
  };
}

/** A payment of it that the ledger has credited. */
export const creditedPayment: ReceivedPayment = {
  transferId: null,
  e2eId: 'E12345678202601051004abcdef12345',
  provider: 'efi',
  state: 'CREDITED',
  currency: 'BRL',
  amount: 1_990,
  payerDetails: { name: 'Maria', document: '***.982.247-**', bank: null, ispb: '12345678' },
  refusal: null,
  paidAt: '2026-01-05T10:04:00.000Z',
};

/** The payout a request makes. */
export function payoutOf(request: RequestOf<typeof createPayout>): Payout {
  return {
    id: newId('payout'),
    environment: request.environment,
    accountId: request.account.id,
    externalId: request.externalId,
    status: 'PROCESSING',
    currency: request.currency,
    paymentMethod: request.paymentMethod ?? 'PIX',
    amount: request.amount,
    fee: 0,
    returned: 0,
    key: request.key,
    keyType: request.keyType,
    recipient: request.recipient,
    kind: request.kind,
    e2eId: null,
    pendingReason: null,
    failureReason: null,
    failureMessage: null,
    metadata: request.metadata,
    apiVersion: request.apiVersion,
    createdAt,
    paidAt: null,
  };
}

/** What a merchant's key asks of the payouts service. */
export function payoutRequest(account: Pick<Account, 'id'>): RequestOf<typeof createPayout> {
  return {
    environment: 'test',
    account: {
      ...account,
      name: 'Loja',
      document: null,
      autoApprovePayouts: true,
      fees: { deposit: { fixedCents: 0, bps: 0 }, payout: { fixedCents: 0, bps: 0 } },
      retentionDays: 0,
      rateLimit: { perSecond: 100, burst: 200 },
      payoutLimits: { perPayoutCents: null, perDayCents: null },
    },
    apiVersion: '0.1',
    externalId: newId('request'),
    currency: 'BRL',
    amount: 1_990,
    key: 'ana@example.com',
    keyType: 'email',
    recipient: { name: 'Ana Lima', document: '52998224725', email: null, phone: null },
    kind: 'PLAYER_PAYOUT',
    enforceOwnership: false,
    metadata: {},
  };
}

/** A payout as operators see it. */
export function operatorPayoutOf(members: Partial<OperatorPayout>): OperatorPayout {
  return {
    ...payoutOf(payoutRequest({ id: newId('account') })),
    provider: 'sandbox',
    reference: '01k9z3m4v6t8x0a2c4e6g8jk03',
    providerRef: null,
    traceId: null,
    lookups: 0,
    attentionAt: null,
    attentionReason: null,
    providerMessage: null,
    failedCalls: [],
    alsoPaidBy: [],
    decidedBy: null,
    decisionReason: null,
    resolution: null,
    ...members,
  };
}

export function webhookOf(request: RequestOf<typeof registerWebhook>): Webhook {
  const { environment, accountId, name, url, events, apiVersion } = request;
  return {
    id: newId('webhook'),
    environment,
    accountId,
    name,
    url,
    events,
    status: 'enabled',
    disabledReason: null,
    headerNames: [],
    rateLimitPerSecond: null,
    apiVersion,
    createdAt,
  };
}

export function entryOf(owner: Pick<LedgerEntry, 'environment' | 'accountId'>, amount: number): LedgerEntry {
  return {
    ...owner,
    id: newId('ledgerEntry'),
    type: 'DEPOSIT_NET',
    currency: 'BRL',
    amount,
    refType: 'deposit',
    refId: newId('deposit'),
    balanceAfter: amount,
    createdAt,
  };
}

export const completedConversion: Conversion = {
  id: newId('conversion'),
  environment: 'live',
  accountId: newId('account'),
  externalId: 'conversion-1',
  quoteId: null,
  coveredBy: null,
  status: 'COMPLETED',
  from: 'BRL',
  to: 'USDT',
  fromAmount: 54_123,
  toAmount: 100_000_000,
  rate: '5.41230000',
  createdAt,
};

/** Who operates, and is changed. */
export const operator: Person = {
  ...{ id: newId('person'), realm: 'operator', name: 'carla.reis', state: 'ACTIVE', roles: ['duty', 'admin'] },
  ...{ memberships: [], passkeys: 2, hasPassword: false, lastSignInAt: null, createdAt: 1_767_000_000 },
};

/** A person of a merchant who is no owner: no owner of the account can let them in again. */
export const colleagueIn = (accountId: string): Person => ({
  ...{ ...operator, roles: [], memberships: [{ accountId, roles: ['finance'], environments: ['live'] }] },
});
