import { PayoutCanceled, PayoutFailed, PayoutPaid } from '@gateway/contracts/payouts';
import { outboxRow } from '@gateway/persistence';
import { isRejectedByPeople } from '#src/payout/failure-reasons.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { payoutEvent } from '#src/payout/present-payout.ts';
import type { SettlementDependencies } from '#src/settlement/dependencies.ts';
import {
  isDecidedOtherwise,
  redebitCommand,
  requireApplied,
  resettleCommand,
  reverseCommand,
  settleCommand,
} from '#src/settlement/ledger-commands.ts';
import { atItsEnd } from '#src/settlement/plan-recheck.ts';
import { ledgerTimeoutMs } from '#src/settlement/timing.ts';

/**
 * Has the ledger settle what has left through the provider, then publishes PAID. Where the ledger has given it back, which a
 * restored database has forgotten, it is debited again.
 *
 * @returns null when another process has finished it
 */
export async function settlePayout(dependencies: SettlementDependencies, payout: PayoutRow): Promise<PayoutRow | null> {
  const { payouts, askLedger, now } = dependencies;
  const settlement = await askLedger(settleCommand(payout), ledgerTimeoutMs);
  if (isDecidedOtherwise(settlement)) await debitAgain(dependencies, payout);
  else requireApplied(settlement);
  return await payouts.move(payout, 'settled', atItsEnd(payout, 'PAID', now()), (moved) =>
    outboxRow(PayoutPaid, payoutEvent(moved, now())),
  );
}

/**
 * Gives amount and fee back, then publishes FAILED or REJECTED, in that order: a reader who sees it finds the balance.
 *
 * @returns null when another process has finished it
 */
export async function reversePayout(
  { payouts, askLedger, now }: SettlementDependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  requireApplied(await askLedger(reverseCommand(payout), ledgerTimeoutMs));
  const isRejected = payout.reversal === 'REJECTED';
  const move = isRejected ? 'reversedRejected' : 'reversedFailed';
  const end = atItsEnd(payout, isRejected ? 'REJECTED' : 'FAILED', now());
  const event = isRejectedByPeople(payout) ? PayoutCanceled : PayoutFailed;
  return await payouts.move(payout, move, end, (moved) => outboxRow(event, payoutEvent(moved, now())));
}

/** The end is known and recorded; should the ledger not answer now, the money goes back a little later. */
export async function reverseIfAnswered(
  dependencies: SettlementDependencies,
  ended: PayoutRow,
): Promise<PayoutRow | null> {
  try {
    return await reversePayout(dependencies, ended);
  } catch (error) {
    dependencies.logger.warn({ err: error, payoutId: ended.id }, 'reversal has to wait');
    return ended;
  }
}

/**
 * The rail paid what had been given back: takes amount and fee again and publishes PAID. What the balance does not cover the
 * account owes, and its next credits pay that before anything can be paid out again.
 *
 * @returns null when another process has finished it
 */
export async function redebitPayout(
  dependencies: SettlementDependencies,
  payout: PayoutRow,
): Promise<PayoutRow | null> {
  const { payouts, now } = dependencies;
  await debitAgain(dependencies, payout);
  return await payouts.move(payout, 'redebited', atItsEnd(payout, 'PAID', now()), (moved) =>
    outboxRow(PayoutPaid, payoutEvent(moved, now())),
  );
}

async function debitAgain({ askLedger, logger }: SettlementDependencies, payout: PayoutRow): Promise<void> {
  const redebit = await askLedger(redebitCommand(payout), ledgerTimeoutMs);
  if (isDecidedOtherwise(redebit)) {
    // Debited again already, and perhaps settled: by a process from before there was one command for both, by the
    // settlement that its reversal met, or in what a restored database has forgotten.
    const settlement = await askLedger(resettleCommand(payout), ledgerTimeoutMs);
    if (!isDecidedOtherwise(settlement)) requireApplied(settlement);
    return;
  }
  requireApplied(redebit);
  const { shortfall = 0 } = redebit.amounts;
  if (shortfall > 0) logger.error({ payoutId: payout.id, shortfall }, 'the balance does not cover a late payment');
}
