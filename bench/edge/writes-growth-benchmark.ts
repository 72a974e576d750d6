import type { Benchmark, BenchOptions } from '../benchmark.ts';
import {
  answersHold,
  closedLoop,
  costsOf,
  figuresOf,
  machineNotes,
  measureInTurns,
  type Measurement,
  type Subject,
} from '../compare.ts';
import { creationStep as depositStep, payStep, plainCreationStep } from '../deposits/full-flow.ts';
import { startWebhookReceiver } from '../deposits/webhook-receiver.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, fundMerchants, registerWebhook, type Merchant } from '../environment/merchants.ts';
import { creationStep as payoutStep, fundsCents } from '../payouts/payouts-hold.ts';
import type { CpuCost, Gate, Report } from '../report/report.ts';
import { grownLists, growList } from './grown-lists.ts';

const rowsMillions = 10_000_000;
const rowsQuick = 30_000;
/** For every table that grows. */
const costMax = 1.2;

interface Work {
  readonly what: string;
  readonly subject: Subject;
}

/** What is written while the tables are young, and again when each of them has ten million rows more. */
export const writesGrowthBenchmark: Benchmark = {
  name: 'writes-growth',
  measures:
    'processor time of a deposit, a payout, and a paid deposit with its event and delivery, with 10,000,000 rows of each against none',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    await using receiver = await startWebhookReceiver();
    const [creating, paying, flowing, grown] = await createMerchants(environment.stack, 4);
    if (!creating || !paying || !flowing || !grown) throw new Error('the merchants were not created');
    await fundMerchants(environment.stack, [paying], fundsCents);
    await registerWebhook(environment.stack, flowing, { url: receiver.url, events: ['deposit.paid'] });
    const works = worksOf(environment, { creating, paying, flowing }, options);
    const young = await measureAll('young', works, options);
    const rows = options.quick ? rowsQuick : rowsMillions;
    for (const list of grownLists) {
      options.progress(`writing ${rows.toLocaleString('en')} ${list.what} …`);
      await growList(environment.stack, grown, list, rows);
    }
    const old = await measureAll('grown', works, options);
    return reportOf(works, { young, old, rows });
  },
};

function worksOf(
  environment: Environment,
  { creating, paying, flowing }: Readonly<Record<'creating' | 'paying' | 'flowing', Merchant>>,
  { connections }: BenchOptions,
): Work[] {
  const origin = environment.stack.baseUrl;
  const loop = (what: string, caller: Merchant, step: typeof depositStep): Work => {
    return { what, subject: closedLoop(environment, what, { origin, caller: caller.headers, step, connections }) };
  };
  const what = 'charge → paid → webhook';
  const flow: Subject = {
    what,
    load: (name, durationMs) =>
      environment.load.run({
        ...{ name, origin, steps: [plainCreationStep, payStep], callers: [flowing.headers] },
        pace: { kind: 'closed', connections, durationMs },
      }),
  };
  return [
    loop('POST /v1/deposits', creating, depositStep),
    loop('POST /v1/payouts', paying, payoutStep),
    { what, subject: flow },
  ];
}

async function measureAll(when: string, works: readonly Work[], options: BenchOptions): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const [index, { subject }] of works.entries()) {
    const named = { ...subject, what: `${subject.what}, ${when}` };
    measured.push(...(await measureInTurns(`${when}-${index}`, [named], options)));
  }
  return measured;
}

interface Grown {
  readonly young: readonly Measurement[];
  readonly old: readonly Measurement[];
  readonly rows: number;
}

function reportOf(works: readonly Work[], { young, old, rows }: Grown): Report {
  const all = [...young, ...old];
  const [before, after] = [costsOf(young), costsOf(old)];
  const gates = works.map(({ what }, index): Gate => {
    const value = sumOf(after[index]) / sumOf(before[index]);
    return { what: `${what}, cost of growth`, value, unit: '×', atMost: costMax };
  });
  return {
    figures: figuresOf(all),
    costs: [...before, ...after],
    gates,
    invariants: answersHold(all),
    notes: [
      ...machineNotes(all).slice(0, 1),
      `the cost of growth is the processor time of the product with PostgreSQL and the broker, with ${rows.toLocaleString('en')} more deposits, payouts and deliveries of another account over that without`,
    ],
  };
}

const notOurs: ReadonlySet<string> = new Set(['load generator', 'baseline', 'other']);

function sumOf(cost: CpuCost | undefined): number {
  const entries = Object.entries(cost?.perAnswerUs ?? {});
  return entries.reduce((sum, [name, us]) => (notOurs.has(name) ? sum : sum + us), 0);
}
