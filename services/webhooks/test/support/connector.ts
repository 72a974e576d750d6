import { ConversionCompleted, type Conversion } from '@gateway/contracts/conversions';
import {
  DepositCanceled,
  DepositExpired,
  DepositPaid,
  DepositRefunded,
  DepositCreated,
  DisputeContested,
  DisputeLost,
  DisputeOpened,
  DisputeWon,
  type Deposit,
  type Dispute,
} from '@gateway/contracts/deposits';
import type { EventContract } from '@gateway/contracts/messages';
import {
  PayoutCanceled,
  PayoutFailed,
  PayoutPaid,
  PayoutPending,
  PayoutProcessing,
  PayoutReturned,
  type Payout,
} from '@gateway/contracts/payouts';
import { newId } from '@gateway/money';
import type { Bus } from '@gateway/messaging';
import type { Merchant } from './events.ts';

const deposits = { DepositCreated, DepositPaid, DepositExpired, DepositCanceled, DepositRefunded };
const payouts = { PayoutPending, PayoutProcessing, PayoutPaid, PayoutFailed, PayoutCanceled, PayoutReturned };

/** What happens to a deposit, as the service that owns it says so. */
export async function happensToDeposit(bus: Bus, name: keyof typeof deposits, deposit: Deposit): Promise<void> {
  await publish(bus, deposits[name], { deposit });
}

export async function happensToPayout(bus: Bus, name: keyof typeof payouts, payout: Payout): Promise<void> {
  await publish(bus, payouts[name], { payout });
}

/** A dispute from its opening to both of its ends, and a conversion: what the connector's format has no words for. */
export async function happensBesidesPayments(bus: Bus, { environment, accountId }: Merchant): Promise<void> {
  const owner = { environment, accountId, externalId: 'order-1' };
  const dispute: Dispute = {
    ...owner,
    id: newId('dispute'),
    depositId: newId('deposit'),
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
  for (const contract of [DisputeOpened, DisputeContested, DisputeWon, DisputeLost]) {
    await publish(bus, contract, { dispute });
  }
  const conversion: Conversion = {
    ...owner,
    id: newId('conversion'),
    quoteId: null,
    coveredBy: null,
    status: 'COMPLETED',
    from: 'BRL',
    to: 'USDT',
    fromAmount: 1_000,
    toAmount: 180,
    rate: '5.50000000',
    createdAt: 1_790_000_000,
  };
  await publish(bus, ConversionCompleted, { conversion });
}

async function publish(bus: Bus, contract: EventContract, record: object): Promise<void> {
  const payload = { id: newId('event'), occurredAt: 1_790_000_001, ...record };
  const options = { messageId: newId('request'), trace: {}, timeoutMs: 5_000 };
  await bus.publish(contract.subject, JSON.stringify(payload), options);
}
