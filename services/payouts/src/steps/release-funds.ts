import { isKnownToProvider, isThere, needAttention } from '#src/payout/attention.ts';
import { abandoned } from '#src/payout/failure-reasons.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import type { PayoutChanges } from '#src/payout/payout-table.ts';
import { askableRoutes } from '#src/providers/payout-routes.ts';
import { debitCommand, requireApplied, reverseCommand } from '#src/settlement/ledger-commands.ts';
import { atItsEnd } from '#src/settlement/plan-recheck.ts';
import { after, ledgerTimeoutMs, neverSent } from '#src/settlement/timing.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { findSent, followSent, type Sent } from '#src/steps/found-sent.ts';

/**
 * Undoes a reservation whose caller was answered 503, or died without an answer: "nothing was created" has to come true
 * (api.md 1). The debit is asked for once more, so that it is decided: reversing what is still under way would leave a
 * debit that nothing undoes. What was debited and given back is in the merchant's statement, so its record stays, without
 * the external_id.
 */
export async function releaseFunds(dependencies: StepsDependencies, payout: PayoutRow): Promise<void> {
  const { payouts, askLedger, now, logger } = dependencies;
  const releasing =
    payout.state === 'RESERVING' ? await payouts.move(payout, 'abandoned', { dueAt: payout.dueAt ?? now() }) : payout;
  if (!releasing || !(await isNeverSent(dependencies, releasing))) return;
  const debit = await askLedger(debitCommand(releasing), ledgerTimeoutMs);
  if (debit.outcome === 'refused') return void (await payouts.remove(releasing));
  requireApplied(debit);
  requireApplied(await askLedger(reverseCommand(releasing), ledgerTimeoutMs));
  const released = await payouts.move(releasing, 'givenBack', {
    ...abandoned,
    ...atItsEnd(releasing, 'REJECTED', now()),
    releasedAt: now(),
  });
  if (released) logger.info({ payoutId: payout.id }, 'abandoned reservation released');
}

/**
 * A reservation of this database's may have been sent in what it has forgotten: it was restored, or came back without its
 * last commits. Unless the call that made it has put on record that it called no provider, every provider is asked, twice; what
 * one of them has goes on as a payout that was sent.
 */
async function isNeverSent(dependencies: StepsDependencies, payout: PayoutRow): Promise<boolean> {
  if (payout.knownUnsent) return true;
  const { payouts, payoutRoutes, now } = dependencies;
  const found = await findSent(dependencies, payout);
  if (found.kind === 'unanswered') return false;
  if (found.kind === 'found') return await resumeAsSent(dependencies, payout, found);
  if (isKnownToProvider(payout)) return await askLater(dependencies, payout);
  const notFoundCount = payout.notFoundCount + 1;
  const isWithoutProvider = askableRoutes(payoutRoutes, payout).length === 0;
  if (isWithoutProvider || notFoundCount >= neverSent.lookups) return true;
  await payouts.amend(payout, { notFoundCount, dueAt: after(now(), neverSent.apartMs) });
  return false;
}

/** @returns whether it was never paid after all */
async function resumeAsSent(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  { provider, status }: Sent,
): Promise<boolean> {
  const { askLedger, logger } = dependencies;
  logger.error({ payoutId: payout.id, provider }, 'a provider has a payout that is on record as not sent');
  const debit = await askLedger(debitCommand(payout), ledgerTimeoutMs);
  // What was neither debited nor paid has not happened.
  if (debit.refusal === 'insufficient_funds' && status === 'FAILED') return true;
  if (debit.refusal === 'insufficient_funds') return await leaveToOperators(dependencies, payout, provider);
  requireApplied(debit);
  await followSent(dependencies, payout, 'foundSent', provider);
  return false;
}

/** How often a provider is asked about a payout that only operators can go on with. */
const leftToOperatorsMs = 15 * 60_000;

/**
 * The ledger has forgotten the debit as well, its balance does not cover it now, and it never changes its mind about a
 * command: the money may have left without a debit, which nothing here can book. That a provider has it stays on record, so
 * that no later absence there has it deleted and its external_id given to a second payout.
 */
async function leaveToOperators(dependencies: StepsDependencies, payout: PayoutRow, provider: string): Promise<false> {
  const { now, logger } = dependencies;
  logger.error({ payoutId: payout.id, provider }, 'the balance does not cover a payout that its provider has');
  return await askLater(dependencies, payout, {
    ...needAttention(payout, 'contradiction', now()),
    ...isThere(payout),
    notFoundCount: 0,
  });
}

async function askLater({ payouts, now }: StepsDependencies, payout: PayoutRow, known?: PayoutChanges): Promise<false> {
  await payouts.amend(payout, { ...known, dueAt: after(now(), leftToOperatorsMs) });
  return false;
}
