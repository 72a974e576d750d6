import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type * as contract from '@gateway/contracts/payouts';
import { requireRailCurrency } from '@gateway/money';
import { simulatePayoutFailed, simulatePayoutPaid, simulatePayoutReturned } from '@gateway/providers';
import { ChangingError, ExcessiveReturnError } from '#src/errors.ts';
import { PayoutStateError } from '#src/payout/life-cycle.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { toPayout } from '#src/payout/present-payout.ts';
import { findPayout } from '#src/payout/read-payouts.ts';
import { routeOf } from '#src/providers/payout-routes.ts';
import { askProvider } from '#src/providers/ask-provider.ts';
import { confirmPayout, failPayout } from '#src/settlement/record-outcome.ts';
import { addReturns, returnedAmount } from '#src/settlement/credit-returns.ts';
import type { StepsDependencies } from '#src/steps/dependencies.ts';
import { resumeNow } from '#src/steps/resume-payout.ts';

type Request = RequestOf<typeof contract.settlePayout>;

/** The sweeper and test mode's caller change a payout at the same time; what is wanted is worth a few attempts. */
const attemptsMax = 10;

/**
 * Ends a payout of test mode as the rail would, through what a provider's event goes through. `paid` after FAILED is the
 * late confirmation: the balance pays again.
 *
 * @throws PayoutStateError when it contradicts what has happened
 */
export async function simulateSettlement(
  dependencies: StepsDependencies,
  request: Request,
): Promise<ReplyOf<typeof contract.settlePayout>> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const payout = await findPayout(dependencies.payouts, request);
    const step = nextStep(payout, request);
    if (step === 'done') return { payout: toPayout(payout) };
    if (step === 'wait') {
      await resumeNow(dependencies, payout);
      continue;
    }
    const changed = await take(dependencies, payout, step, request);
    const carriedOn = changed && (await resumeNow(dependencies, changed));
    if (carriedOn && step === 'return') return { payout: toPayout(carriedOn) };
  }
  throw new ChangingError();
}

type Step = 'confirm' | 'fail' | 'return' | 'wait' | 'done';

/** What is to be done next, so that the wanted result comes about. */
function nextStep(payout: PayoutRow, { result, amount }: Request): Step {
  switch (payout.state) {
    case 'SENDING':
    case 'PROCESSING':
      return result === 'failed' ? 'fail' : 'confirm';
    case 'SETTLING':
    case 'REVERSING':
      return 'wait';
    case 'PAID':
      if (result === 'failed') throw new PayoutStateError(payout, 'settled as failed');
      return result === 'paid' ? 'done' : stepOfReturn(payout, amount);
    case 'FAILED':
      if (result === 'returned') throw new PayoutStateError(payout, 'returned');
      return result === 'paid' ? 'confirm' : 'done';
    case 'RESERVING':
    case 'RELEASING':
    case 'PENDING':
    case 'REDEBITING':
    case 'REJECTED':
      throw new PayoutStateError(payout, 'settled');
  }
}

function stepOfReturn(payout: PayoutRow, amount: number | undefined): Step {
  const left = payout.amount - returnedAmount(payout);
  if (amount !== undefined && amount > left) throw new ExcessiveReturnError();
  return left === 0 ? 'done' : 'return';
}

async function take(
  dependencies: StepsDependencies,
  payout: PayoutRow,
  step: 'confirm' | 'fail' | 'return',
  { amount }: Request,
): Promise<PayoutRow | null> {
  const at = dependencies.now();
  switch (step) {
    case 'confirm': {
      const payment = { e2eId: await e2eIdOf(dependencies, payout), paidAt: at };
      return await confirmPayout(dependencies, payout, simulatePayoutPaid(payment));
    }
    case 'fail':
      return await failPayout(dependencies, payout, simulatePayoutFailed());
    case 'return': {
      const returned = returnOf(payout, amount ?? payout.amount - returnedAmount(payout), at);
      return await dependencies.payouts.move(payout, 'returnNoticed', addReturns(dependencies, payout, [returned]));
    }
  }
}

/** The sandbox makes it from the record, also where its answer was simulated to be lost. */
async function e2eIdOf(dependencies: StepsDependencies, payout: PayoutRow): Promise<string | null> {
  if (payout.e2eId) return payout.e2eId;
  const state = await askProvider(routeOf(dependencies.payoutRoutes, payout), payout);
  return 'e2eId' in state ? (state.e2eId ?? null) : null;
}

function returnOf({ reference, currency, returns }: PayoutRow, amount: number, at: Date) {
  const money = { currency: requireRailCurrency(currency), amount };
  return simulatePayoutReturned({ ref: `${reference}:${returns.length}`, money, at });
}
