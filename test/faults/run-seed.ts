import { setTimeout as pass } from 'node:timers/promises';
import { eventually } from '@gateway/test-kit';
import { bookProblems } from './checks/books.ts';
import { bankProblems } from './checks/bank.ts';
import { leftovers } from './checks/databases.ts';
import { unexplained } from './checks/explained.ts';
import { moneyProblems, transferProblems } from './checks/money.ts';
import { isGivenBack, isInFlight, readShown, recordProblems } from './checks/records.ts';
import { deliveredOnes, webhookProblems } from './checks/webhooks.ts';
import { newMerchant, type Merchant } from './load/merchant.ts';
import { startLoad } from './load/run-load.ts';
import type { Plan } from './plan.ts';
import type { Stage } from './stage/stage.ts';

/** Outboxes are drained and everything has come to its end this long after the fault, or the seed is unclean. */
const recoveryTimeoutMs = 60_000;
/** The same where a provider's lists have to be read: half a minute passes before they count as complete. */
const listedRecoveryTimeoutMs = 180_000;
/** The bank's clock may be a little behind ours. */
const bankMarginMs = 5_000;

export interface Outcome {
  readonly seed: number;
  readonly fault: string;
  readonly victims: readonly string[];
  readonly answered: number;
  /** Calls that were refused for the moment or cut off, and repeated. */
  readonly repeated: number;
  /** Webhooks that came more than once, as they may. */
  readonly deliveredAgain: number;
  /** From the end of the fault, or of the load when that was later, until nothing was left to do. */
  readonly recoverySec: number;
  /** Payouts of which it is not known yet whether the provider has them; they must end too, later. */
  readonly inFlight: readonly string[];
  /** None: the seed is clean. */
  readonly problems: readonly string[];
}

/** One seed: load on all flows, a fault in the middle of it, and then the whole truth. */
export async function runSeed(stage: Stage, plan: Plan): Promise<Outcome> {
  const { seed, fault, victims } = plan;
  await fault.prepare?.(stage, victims[0]!);
  const since = new Date(Date.now() - bankMarginMs);
  const merchant = await newMerchant(stage, `seed ${seed}`, fault.readsLists === true);
  const problems: string[] = [];
  const load = startLoad(merchant, seed);
  try {
    await pass(plan.beforeMs);
    for (const victim of victims) {
      await fault.strike({ stage, victim, durationMs: plan.durationMs, random: plan.random });
      await pass(plan.afterMs);
    }
  } finally {
    await load.end().catch((error: unknown) => problems.push(`the load failed: ${String(error)}`));
  }
  const startedAt = performance.now();
  const timeoutMs = fault.readsLists === true ? listedRecoveryTimeoutMs : recoveryTimeoutMs;
  const endedAt = new Date();
  const findings = await settle(stage, merchant, { since, deadlineMs: startedAt + timeoutMs, startedAt });
  const open = plan.isExplained ? await unexplained(stage, endedAt, findings.inFlight) : [];
  const { tally } = merchant;
  return {
    ...{ seed, fault: fault.name, victims, answered: tally.answered, repeated: tally.repeated },
    ...{ deliveredAgain: findings.deliveredAgain, inFlight: findings.inFlight },
    recoverySec: findings.recoverySec,
    problems: [...problems, ...findings.problems, ...open, ...tally.unexpected.map((text) => `answered 500: ${text}`)],
  };
}

type Findings = Pick<Outcome, 'deliveredAgain' | 'inFlight' | 'recoverySec' | 'problems'>;

async function settle(
  stage: Stage,
  merchant: Merchant,
  { since, deadlineMs, startedAt }: { readonly since: Date; readonly deadlineMs: number; readonly startedAt: number },
): Promise<Findings> {
  const problems: string[] = [];
  const recovered = await unlessDone(deadlineMs, async () => {
    await stage.ready();
    return await leftovers(stage);
  });
  problems.push(...recovered);
  let inFlight: string[] = [];
  let transfers = new Map<string, number>();
  const look = async (): Promise<string[]> => {
    transfers = await merchant.bank.transfers();
    const bank = await merchant.bank.books(since);
    const shown = [await readShown(merchant, 'test'), await readShown(merchant, 'live')];
    const payouts = shown.flatMap((records) => records.payouts);
    inFlight = payouts.filter((payout) => isInFlight(payout, transfers)).map(({ id }) => id as string);
    const givenBack = new Set(payouts.filter(isGivenBack).map(({ id }) => id as string));
    const delivered = deliveredOnes(stage.receiver.received);
    return [
      ...shown.flatMap((records) => recordProblems(merchant, records, transfers)),
      ...shown.flatMap((records) => moneyProblems(merchant, records, bank)),
      ...transferProblems(payouts, transfers),
      ...shown
        .filter(({ environment }) => environment === 'live')
        .flatMap((records) => bankProblems(records, bank, transfers)),
      ...webhookProblems(merchant, delivered, new Set(inFlight), givenBack, {
        disputes: shown.flatMap(({ disputes }) => disputes),
        bank,
      }),
    ];
  };
  problems.push(...(await unlessDone(deadlineMs, look)));
  const recoverySec = Math.round((performance.now() - startedAt) / 100) / 10;
  problems.push(...(await unlessDone(deadlineMs, () => leftovers(stage))), ...(await bookProblems(stage)));
  const deliveredAgain = [...deliveredOnes(stage.receiver.received).values()].reduce(
    (sum, times) => sum + times - 1,
    0,
  );
  stage.receiver.received.length = 0;
  return { problems: [...new Set(problems)], inFlight, recoverySec, deliveredAgain };
}

/** What is still wrong when the time is up; nothing, as soon as nothing is. */
async function unlessDone(deadlineMs: number, look: () => Promise<string[]>): Promise<string[]> {
  let problems: string[] = [];
  const done = async () => {
    problems = await look().catch((error: unknown) => [String(error)]);
    if (problems.length > 0) throw new Error('not yet');
  };
  const timeoutMs = Math.max(deadlineMs - performance.now(), 0);
  await eventually(done, { timeoutMs, everyMs: 250 }).catch(() => undefined);
  return problems;
}
