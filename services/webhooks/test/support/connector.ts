import {
  DepositCanceled,
  DepositExpired,
  DepositPaid,
  DepositRefunded,
  DepositCreated,
  newId,
  PayoutCanceled,
  PayoutFailed,
  PayoutPaid,
  PayoutPending,
  PayoutProcessing,
  type Deposit,
  type EventContract,
  type Payout,
} from '@gateway/contracts';
import type { Bus } from '@gateway/service-kit';

const deposits = { DepositCreated, DepositPaid, DepositExpired, DepositCanceled, DepositRefunded };
const payouts = { PayoutPending, PayoutProcessing, PayoutPaid, PayoutFailed, PayoutCanceled };

/** What happens to a deposit, as the service that owns it says so. */
export async function happensToDeposit(bus: Bus, name: keyof typeof deposits, deposit: Deposit): Promise<void> {
  await publish(bus, deposits[name], { deposit });
}

export async function happensToPayout(bus: Bus, name: keyof typeof payouts, payout: Payout): Promise<void> {
  await publish(bus, payouts[name], { payout });
}

async function publish(bus: Bus, contract: EventContract, record: object): Promise<void> {
  const payload = { id: newId('event'), occurredAt: 1_790_000_001, ...record };
  const options = { messageId: newId('request'), trace: {}, timeoutMs: 5_000 };
  await bus.publish(contract.subject, JSON.stringify(payload), options);
}
