import type { Deposit, DepositCreated } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import { emit, type Tx } from '@gateway/persistence';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { follow, type depositLifeCycle } from '#src/deposit/life-cycle.ts';
import { toDeposit, unixSeconds } from '#src/deposit/to-deposit.ts';

/**
 * Takes a deposit along an arrow of its life cycle and says so.
 *
 * @param deposit locked in `tx`
 * @throws DomainError INVALID_STATE when the deposit's state does not allow it
 */
export async function moveDeposit(
  tx: Tx,
  deposit: DepositRow,
  happening: keyof typeof depositLifeCycle,
  event: typeof DepositCreated,
  now: Date,
): Promise<Deposit> {
  tx.em.assign(deposit, { state: follow(deposit.state, happening) });
  const record = toDeposit(deposit);
  await emit(tx, event, { id: newId('event', now.getTime()), occurredAt: unixSeconds(now), deposit: record });
  return record;
}
