import { DepositCreated, DepositPaid, DisputeOpened, type Deposit, type Dispute } from '@gateway/contracts/deposits';
import type { EventContract, PayloadOf } from '@gateway/contracts/messages';
import { PayoutPaid, PayoutReturned, type Payout } from '@gateway/contracts/payouts';
import type { Environment } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import type { Bus } from '@gateway/messaging';

export interface Merchant {
  readonly environment: Environment;
  readonly accountId: string;
}

export function newMerchant(environment: Environment = 'test'): Merchant {
  return { environment, accountId: newId('account') };
}

export function newDeposit({ environment, accountId }: Merchant, given: Partial<Deposit> = {}): Deposit {
  return {
    id: newId('deposit'),
    environment,
    accountId,
    externalId: 'order-1',
    status: 'PENDING',
    currency: 'BRL',
    paymentMethod: 'PIX',
    amount: 1_000,
    fee: 10,
    net: 990,
    refunded: 0,
    emv: '00020126',
    redirectUrl: null,
    clabe: null,
    beneficiary: null,
    asked: null,
    received: 0,
    qrUrl: null,
    payer: { name: 'João', email: null, phone: null, document: null },
    payerDetails: null,
    e2eId: null,
    callbackUrl: null,
    returnUrl: null,
    description: null,
    metadata: { cart: 'ü' },
    apiVersion: '0.1',
    createdAt: 1_790_000_000,
    expiresAt: 1_790_086_400,
    paidAt: null,
    ...given,
  };
}

export function paid(deposit: Deposit): Deposit {
  return { ...deposit, status: 'PAID', paidAt: '2026-09-30T12:00:00.000Z', e2eId: 'E1234567820260930120012345678901' };
}

export function newPayout({ environment, accountId }: Merchant, given: Partial<Payout> = {}): Payout {
  return {
    id: newId('payout'),
    environment,
    accountId,
    externalId: 'payout-1',
    status: 'PAID',
    currency: 'BRL',
    paymentMethod: 'PIX',
    amount: 500,
    fee: 5,
    returned: 0,
    key: 'maria@example.com',
    keyType: 'email',
    recipient: { name: 'Maria', document: '11144477735', email: null, phone: null },
    kind: 'PLAYER_PAYOUT',
    e2eId: null,
    pendingReason: null,
    failureReason: null,
    failureMessage: null,
    metadata: {},
    apiVersion: '0.1',
    createdAt: 1_790_000_000,
    paidAt: null,
    ...given,
  };
}

export interface Published {
  readonly id: string;
  readonly occurredAt: number;
}

/** What the deposits service says, as its outbox puts it on the bus. */
export async function publishDeposit(
  bus: Bus,
  deposit: Deposit,
  { id = newId('event'), trace = {} }: { id?: string; trace?: Record<string, string> } = {},
): Promise<Published> {
  const contract = deposit.status === 'PAID' ? DepositPaid : DepositCreated;
  return await publish(bus, contract, { id, occurredAt: 1_790_000_001, deposit }, trace);
}

export async function publishPayout(bus: Bus, payout: Payout): Promise<Published> {
  return await publish(bus, PayoutPaid, { id: newId('event'), occurredAt: 1_790_000_002, payout }, {});
}

/** A part of a payout that has come back; `payout.returned` is what has until now. */
export async function publishReturn(bus: Bus, payout: Payout, amount: number): Promise<Published> {
  const returnedAt = '2026-09-30T12:00:00.000Z';
  const part = { id: newId('payoutReturn'), amount, currency: payout.currency, e2eId: null, returnedAt };
  return await publish(
    bus,
    PayoutReturned,
    { id: newId('event'), occurredAt: 1_790_000_003, payout, return: part },
    {},
  );
}

/** A dispute about a deposit that has a callback URL. */
export async function publishDispute(
  bus: Bus,
  { environment, accountId }: Merchant,
  callback: PayloadOf<typeof DisputeOpened>['callback'],
): Promise<Dispute> {
  const dispute: Dispute = {
    id: newId('dispute'),
    environment,
    accountId,
    depositId: newId('deposit'),
    externalId: 'order-1',
    e2eId: 'E1234567820260930120012345678901',
    currency: 'BRL',
    amount: 1_000,
    blocked: 1_000,
    returned: 0,
    reason: 'FRAUD',
    status: 'OPEN',
    openedAt: '2026-09-30T12:00:00.000Z',
    defenseDueAt: null,
    resolvedAt: null,
    evidence: [],
  };
  const payload = { id: newId('event'), occurredAt: 1_790_000_003, dispute, callback };
  await publish(bus, DisputeOpened, payload, {});
  return dispute;
}

async function publish<P extends Published>(
  bus: Bus,
  contract: EventContract,
  payload: P,
  trace: Record<string, string>,
): Promise<P> {
  // A publication id of its own each time: JetStream must not do the de-duplication for us.
  const options = { messageId: newId('request'), trace, timeoutMs: 5_000 };
  await bus.publish(contract.subject, JSON.stringify(payload), options);
  return payload;
}
