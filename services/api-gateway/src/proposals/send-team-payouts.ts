import { type Account, termsOf } from '@gateway/contracts/accounts';
import { DomainError, statusOf } from '@gateway/contracts/errors';
import { getBalance } from '@gateway/contracts/ledger';
import { abandonCreation, createPayout, type Payout } from '@gateway/contracts/payouts';
import { callRpc } from '@gateway/messaging';
import { feeOf } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { AttemptLease } from '#src/approvals/attempt-lease.ts';
import { ownerOf, requireStillAllowed, type TeamServices } from '#src/proposals/team-conditions.ts';
import {
  isProposed,
  payoutRequestOf,
  payoutsIn,
  type ProposedPayout,
  type TeamOutcome,
} from '#src/proposals/team-request.ts';

/** Below the time after which another attempt goes on: a payout is made by one attempt at a time. */
const createTimeoutMs = 12_000;
const askTimeoutMs = 3_000;

/**
 * Makes the payouts that two of the account's people agreed on, one after the other, each once by its `external_id`: an
 * attempt that goes on where another ended finds what that one has made. What is refused of several is in the outcome; when
 * none is made, the approval has FAILED and nothing has left the balance.
 */
export function teamPayoutRules(services: TeamServices): ApprovalRules {
  const apply = async (approval: Approval) => {
    const lease = await AttemptLease.take(services.database, approval);
    const payouts = payoutsIn(approval);
    const refused = isFirstAttempt(approval) ? await refusalOfAll(services, approval, payouts) : undefined;
    const outcomes: TeamOutcome[] = [];
    for (const proposed of payouts) {
      await lease.renew();
      outcomes.push(refused ? notMade(proposed, refused) : await make(services, approval, proposed));
    }
    await lease.renew();
    if (outcomes.every(({ id }) => id === null)) throw failureOf(outcomes);
    return async (tx: Tx) => {
      await lease.requireHeld(tx);
      return { outcome: { payouts: outcomes } };
    };
  };
  return { apply };
}

/** Nothing can have been made by an attempt before it. */
function isFirstAttempt({ attemptedAt, decidedAt }: Approval): boolean {
  return attemptedAt?.getTime() === decidedAt?.getTime();
}

/** Several payouts that the balance does not cover as a whole are not made in part. */
async function refusalOfAll(
  services: TeamServices,
  approval: Approval,
  payouts: readonly ProposedPayout[],
): Promise<DomainError | undefined> {
  if (payouts.length < 2) return undefined;
  try {
    const { account, ...owner } = await requireStillAllowed(services, approval);
    const { balances } = await callRpc(services.bus, getBalance, owner, { timeoutMs: askTimeoutMs });
    const needed = Map.groupBy(payouts, ({ currency }) => currency);
    for (const [currency, those] of needed) {
      const available = balances.find((balance) => balance.currency === currency)?.available ?? 0;
      if (totalWithFees(account, those) > available) {
        return new DomainError('INSUFFICIENT_FUNDS', `the available balance does not cover the payouts in ${currency}`);
      }
    }
    return undefined;
  } catch (error) {
    return refusalIn(error);
  }
}

function totalWithFees(account: Account, payouts: readonly ProposedPayout[]): number {
  const costs = payouts.map(({ amount, currency }) => amount + feeOf(amount, termsOf(account, currency).fees.payout));
  return costs.reduce((sum, cost) => sum + cost, 0);
}

async function make(services: TeamServices, approval: Approval, proposed: ProposedPayout): Promise<TeamOutcome> {
  try {
    const terms = await requireStillAllowed(services, approval);
    const request = payoutRequestOf(proposed, terms);
    const { payout } = await callRpc(services.bus, createPayout, request, { timeoutMs: createTimeoutMs });
    return outcomeOf(proposed, payout);
  } catch (error) {
    // What came of a payout that is on its way without an answer is read; one that was not made is refused.
    const isOpen = error instanceof DomainError && error.code === 'PROVIDER_TIMEOUT';
    const refusal = isOpen ? undefined : refusalIn(error);
    const made = await madeBefore(services, approval, proposed);
    if (made) return outcomeOf(proposed, made);
    if (refusal) return notMade(proposed, refusal);
    throw error;
  }
}

/** From here on no call that is under way makes it any more, unless it is made already. */
async function madeBefore(
  { bus }: TeamServices,
  approval: Approval,
  { external_id: externalId }: ProposedPayout,
): Promise<Payout | null> {
  const asked = { ...ownerOf(approval), externalId };
  return (await callRpc(bus, abandonCreation, asked, { timeoutMs: askTimeoutMs })).payout;
}

function outcomeOf(proposed: ProposedPayout, payout: Payout): TeamOutcome {
  if (isProposed(proposed, payout)) {
    return { external_id: proposed.external_id, id: payout.id, status: payout.status, failure: null };
  }
  const message = `external_id is that of another payout, ${payout.id}`;
  return notMade(proposed, new DomainError('INVALID_STATE', message));
}

function notMade({ external_id }: ProposedPayout, { code, message }: DomainError): TeamOutcome {
  return { external_id, id: null, status: null, failure: { code, message } };
}

/** @throws whatever is no refusal for good */
function refusalIn(error: unknown): DomainError {
  if (error instanceof DomainError && statusOf(error.code) < 500) return error;
  throw error;
}

function failureOf([first]: readonly TeamOutcome[]): DomainError {
  const { code = 'INVALID_STATE', message = 'nothing was proposed' } = first?.failure ?? {};
  return new DomainError(code as DomainError['code'], message);
}
