import type { Caller } from '@gateway/contracts/accounts';
import {
  createConnectorDeposit,
  type createDeposit as DepositContract,
  type Deposit,
} from '@gateway/contracts/deposits';
import { DomainError } from '@gateway/contracts/errors';
import type { PayloadOf } from '@gateway/contracts/messages';
import {
  abandonCreation,
  createConnectorPayout,
  type createPayout as PayoutContract,
  type Payout,
} from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import { answering } from '@gateway/messaging';

type DepositRequest = PayloadOf<{ payload: typeof DepositContract.request }>;
type PayoutRequest = PayloadOf<{ payload: typeof PayoutContract.request }>;

/** What deposits and payouts were asked for, and how the next payouts end. */
export interface PaymentPeers {
  readonly deposits: Map<string, { readonly asked: DepositRequest; readonly deposit: Deposit }>;
  readonly payouts: Map<string, { readonly asked: PayoutRequest; readonly payout: Payout }>;
  payoutStatus: Payout['status'];
  /** Refuses the next payouts, as the contract says. */
  payoutRefusal: 'INSUFFICIENT_FUNDS' | 'PROVIDER_UNAVAILABLE' | undefined;
  /** The provider is slower than the caller's deadline. */
  providerIsSlow: boolean;
  /** Calls for payouts are not answered before it is resolved, whether they made one or not. */
  silence: (PromiseWithResolvers<void> & { readonly payoutIs: 'made' | 'not made' | 'not known' }) | undefined;
  /** Time the last payout call was given. */
  payoutTimeoutMs: number;
}

export function newPaymentPeers(): PaymentPeers {
  return {
    deposits: new Map(),
    payouts: new Map(),
    payoutStatus: 'PROCESSING',
    payoutRefusal: undefined,
    providerIsSlow: false,
    silence: undefined,
    payoutTimeoutMs: 0,
  };
}

/** @param holderOf whose a key is, as deposits and payouts have it from the gateway */
export function paymentRoutes(peers: PaymentPeers, holderOf: (publicKey: string) => Caller) {
  const held = <R extends { readonly publicKey: string }>({ publicKey, ...request }: R) => {
    const { environment, account, apiVersion } = holderOf(publicKey);
    return { ...request, environment, account, apiVersion };
  };
  return [
    answering(createConnectorDeposit, async (request) => {
      const asked = held(request);
      const key = `${asked.environment} ${asked.account.id} ${asked.externalId}`;
      const known = peers.deposits.get(key);
      if (known) return { created: false, deposit: known.deposit };
      const deposit = depositOf(asked);
      peers.deposits.set(key, { asked, deposit });
      return { created: true, deposit };
    }),
    answering(createConnectorPayout, async (request, { timeoutMs }) => {
      const asked = held(request);
      peers.payoutTimeoutMs = timeoutMs;
      const key = `${asked.environment} ${asked.account.id} ${asked.externalId}`;
      const known = peers.payouts.get(key);
      if (known) return { created: false, payout: known.payout };
      if (peers.payoutRefusal) throw new DomainError(peers.payoutRefusal, 'the payout is refused');
      const payout = payoutOf(asked, peers.payoutStatus);
      if (peers.silence?.payoutIs !== 'not made') peers.payouts.set(key, { asked, payout });
      await peers.silence?.promise;
      if (peers.providerIsSlow) {
        throw new DomainError('PROVIDER_TIMEOUT', 'the provider is slow', { extra: { payout_id: payout.id } });
      }
      return { created: true, payout };
    }),
    answering(abandonCreation, async ({ environment, accountId, externalId }) => {
      if (peers.silence?.payoutIs === 'not known') await peers.silence.promise;
      return { payout: peers.payouts.get(`${environment} ${accountId} ${externalId}`)?.payout ?? null };
    }),
  ];
}

function depositOf(asked: DepositRequest): Deposit {
  const {
    environment,
    externalId,
    currency,
    paymentMethod,
    amount,
    payer,
    callbackUrl,
    returnUrl,
    description,
    metadata,
    apiVersion,
  } = asked;
  return {
    ...{
      environment,
      externalId,
      currency,
      paymentMethod,
      amount,
      payer,
      callbackUrl,
      returnUrl,
      description,
      metadata,
      apiVersion,
    },
    id: newId('deposit'),
    accountId: asked.account.id,
    status: 'PENDING',
    fee: 0,
    net: amount,
    refunded: 0,
    emv: `00020126-${externalId}`,
    redirectUrl: null,
    clabe: null,
    beneficiary: null,
    asked: null,
    received: 0,
    qrUrl: null,
    payerDetails: null,
    e2eId: null,
    createdAt: 1_790_000_000,
    expiresAt: 1_790_000_000 + asked.expiresInSec,
    paidAt: null,
  };
}

function payoutOf(asked: PayoutRequest, status: Payout['status']): Payout {
  const { environment, externalId, currency, amount, key, keyType, recipient, kind, metadata, apiVersion } = asked;
  return {
    ...{ environment, externalId, currency, amount, key, keyType, recipient, kind, metadata, apiVersion },
    id: newId('payout'),
    accountId: asked.account.id,
    status,
    paymentMethod: 'PIX',
    fee: 0,
    returned: 0,
    e2eId: null,
    pendingReason: null,
    failureReason: null,
    failureMessage: null,
    createdAt: 1_790_000_000,
    paidAt: null,
  };
}
