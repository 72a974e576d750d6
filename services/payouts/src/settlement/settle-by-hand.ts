import type { ReplyOf, RequestOf, settlePayout as contract } from '@gateway/contracts';
import { simulatePayoutReturned } from '@gateway/providers';
import type { Dependencies } from '#src/dependencies.ts';
import { ChangingError, ExcessiveReturnError, PayoutStateError } from '#src/errors.ts';
import { findPayout } from '#src/payout/find-payout.ts';
import type { PayoutRow } from '#src/payout/payout-entity.ts';
import { toPayout } from '#src/payout/to-payout.ts';
import { routeOf } from '#src/providers/payout-routes.ts';
import { carryOn } from '#src/settlement/carry-on.ts';
import { confirmPayout } from '#src/settlement/confirm-payout.ts';
import { failPayout } from '#src/settlement/fail-payout.ts';
import { askProvider } from '#src/settlement/ask-provider.ts';
import { noted, noteReturn } from '#src/settlement/note-return.ts';

type Request = RequestOf<typeof contract>;

/** The sweeper and test mode's caller change a payout at the same time; what is wanted is worth a few attempts. */
const attemptsMax = 10;

const failure = { code: 'settlement_failed', message: 'The failure was simulated.' } as const;

/**
 * Ends a payout of test mode as the rail would, through what a provider's event goes through. `paid` after FAILED is the
 * late confirmation: the balance pays again.
 *
 * @throws PayoutStateError when it contradicts what has happened
 */
export async function settleByHand(dependencies: Dependencies, request: Request): Promise<ReplyOf<typeof contract>> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const payout = await findPayout(dependencies.database, request);
    const step = nextStep(payout, request);
    if (step === 'done') return { payout: toPayout(payout) };
    if (step === 'wait') {
      await carryOn(dependencies, payout);
      continue;
    }
    const changed = await take(dependencies, payout, step, request);
    const carriedOn = changed && (await carryOn(dependencies, changed));
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
  const left = payout.amount - noted(payout);
  if (amount !== undefined && amount > left) throw new ExcessiveReturnError();
  return left === 0 ? 'done' : 'return';
}

async function take(
  dependencies: Dependencies,
  payout: PayoutRow,
  step: 'confirm' | 'fail' | 'return',
  { amount }: Request,
): Promise<PayoutRow | null> {
  const at = dependencies.now();
  switch (step) {
    case 'confirm':
      return await confirmPayout(dependencies, payout, { e2eId: await e2eIdOf(dependencies, payout), paidAt: at });
    case 'fail':
      return await failPayout(dependencies, payout, failure);
    case 'return': {
      const part = amount ?? payout.amount - noted(payout);
      return await noteReturn(dependencies, payout, {
        ...{ returnId: returnIdOf(payout, part, at), amount: part, returnedAt: at.toISOString() },
      });
    }
  }
}

/** The sandbox makes it from the record, also where its answer was simulated to be lost. */
async function e2eIdOf(dependencies: Dependencies, payout: PayoutRow): Promise<string | null> {
  if (payout.e2eId) return payout.e2eId;
  const state = await askProvider(routeOf(dependencies.payoutRoutes, payout), payout);
  return 'e2eId' in state ? (state.e2eId ?? null) : null;
}

function returnIdOf({ reference, currency, returns }: PayoutRow, amount: number, at: Date): string {
  if (currency === 'USDT') throw new Error('no rail moves USDT');
  const ref = `${reference}:${returns.length}`;
  return simulatePayoutReturned({ ref, money: { currency, amount }, at }).returnId;
}
