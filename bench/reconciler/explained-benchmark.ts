import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { Pool } from 'undici';
import type { Benchmark, BenchOptions } from '../benchmark.ts';
import { plainCreationStep } from '../deposits/full-flow.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { createMerchants, type Merchant } from '../environment/merchants.ts';
import { monotonicMs } from '../load/load.ts';
import { startCpuMeter } from '../machine/cpu.ts';
import type { Report } from '../report/report.ts';

const perSecond = 100;
/** Ten minutes by default, a minute for each of `--seconds`: what is late comes after five. */
const msPerSecondAsked = 60_000;
const perSecondQuick = 20;
const forQuickMs = 10_000;
const merchantCount = 8;
const connections = 64;
const unavailable = 503;
const triesMax = 30;
const retryMs = 1_000;
const tickMs = 5;
/** Five minutes, and what passes until the reconciler looks. */
const explainedWithinSec = 300;
const lookedAtMs = 360_000;
const pollMs = 2_000;
const percent = 100;

/** Every payment through the provider's simulator is explained by all sides, statements included, and how soon. */
export const explainedBenchmark: Benchmark = {
  name: 'explained',
  measures: `how soon live payments are explained by record, ledger and statement, at ${perSecond}/s for ten minutes`,
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const merchants = await createMerchants(environment.stack, merchantCount, 'live');
    return await measure(environment, merchants, options);
  },
};

async function measure(
  environment: Environment,
  merchants: readonly Merchant[],
  { quick, seconds, progress }: BenchOptions,
): Promise<Report> {
  const meter = startCpuMeter();
  const startedAt = monotonicMs();
  const pace = quick
    ? { perSecond: perSecondQuick, forMs: forQuickMs }
    : { perSecond, forMs: seconds * msPerSecondAsked };
  const { paid, failures } = await payAll(environment, merchants, pace);
  const elapsedSec = (monotonicMs() - startedAt) / 1_000;
  progress(`${paid} payments in ${Math.round(elapsedSec)} s; until all are explained …`);
  const url = environment.stack.databaseUrls['gateway_reconciler'];
  const until = performance.now() + lookedAtMs;
  let found = await explained(url);
  while ((found.matches < paid || found.open > 0) && performance.now() < until) {
    await delay(pollMs);
    found = await explained(url);
  }
  const { byProcess, elapsedMs, othersMs } = meter();
  const share = (found.inTime / Math.max(found.all, paid)) * percent;
  const reconcilerCores = (byProcess['reconciler'] ?? 0) / elapsedMs;
  const perPaymentUs = Object.entries(byProcess).map(([name, ms]) => [name, (ms * 1_000) / Math.max(paid, 1)] as const);
  return {
    figures: [],
    costs: [{ what: 'a live payment, made and explained', perAnswerUs: Object.fromEntries(perPaymentUs) }],
    gates: [
      { what: 'payments explained within five minutes', value: share, unit: '%', atLeast: 99.99 },
      { what: 'not explained five minutes after the last payment', value: found.open, unit: '×', atMost: 0 },
    ],
    invariants: [
      { what: 'every payment was made', holds: failures === 0 && paid > 0, found: `${paid} paid, ${failures} not` },
      { what: 'one match for each payment', holds: found.matches === paid, found: `${found.matches} for ${paid}` },
    ],
    notes: [
      `${paid} payments at ${(paid / elapsedSec).toFixed(1)}/s; explained after ${found.p50.toFixed(1)} s (p50), ${found.p99.toFixed(1)} s (p99), ${found.max.toFixed(1)} s at most`,
      `by provider, p50 and longest: ${found.byProvider}`,
      `statements are read half a minute behind the present, every half minute; the reconciler took ${(reconcilerCores * percent).toFixed(1)} % of a core`,
      `other processes of this machine used ${(othersMs / elapsedMs).toFixed(2)} cores meanwhile`,
    ],
  };
}

interface Pace {
  readonly perSecond: number;
  readonly forMs: number;
}

/** Charges that are made and paid at a steady rate, each until it was answered. */
async function payAll(
  { stack }: Environment,
  merchants: readonly Merchant[],
  { perSecond: rate, forMs: lengthMs }: Pace,
): Promise<{ readonly paid: number; readonly failures: number }> {
  await using closing = new AsyncDisposableStack();
  const poolOf = (origin: string) => {
    const pool = new Pool(origin, { connections });
    closing.defer(() => pool.close());
    return pool;
  };
  const [gateway, bank] = [poolOf(stack.baseUrl), poolOf(stack.simulatorUrl)];
  let [paid, failures] = [0, 0];
  const pay = async (n: number): Promise<void> => {
    const merchant = merchants[n % merchants.length];
    const body = (plainCreationStep.body ?? '').replace('{n}', `explained-${n}`);
    const charge = await post(gateway, plainCreationStep.path, body, merchant?.headers ?? {});
    const reference = (JSON.parse(charge) as { id: string }).id.slice('dep_'.length);
    await post(bank, `/control/charges/${reference}/pay`, '{}', {});
    paid += 1;
  };
  const startedAt = monotonicMs();
  const started: Promise<void>[] = [];
  const total = Math.floor((lengthMs * rate) / 1_000);
  while (started.length < total) {
    while (started.length < total && startedAt + (started.length * 1_000) / rate <= monotonicMs()) {
      started.push(pay(started.length).catch(() => void (failures += 1)));
    }
    await delay(tickMs);
  }
  await Promise.all(started);
  return { paid, failures };
}

/** @throws Error when it was refused, or not answered in any of the tries */
async function post(
  pool: Pool,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const call = { method: 'POST', path, body, headers: { ...headers, 'content-type': 'application/json' } } as const;
    const answer = await pool.request(call).catch(() => undefined);
    const text = await answer?.body.text().catch(() => undefined);
    if (answer && text !== undefined && answer.statusCode < 300) return text;
    const mayComeBack = answer === undefined || answer.statusCode >= unavailable || answer.statusCode === 429;
    if (!mayComeBack || attempt === triesMax) throw new Error(`${path} answered ${answer?.statusCode ?? 'nothing'}`);
    await delay(retryMs);
  }
}

interface Explained {
  /** Of payments. */
  readonly matches: number;
  readonly all: number;
  readonly inTime: number;
  /** Matches of any kind that are not explained, and exceptions. */
  readonly open: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly byProvider: string;
}

const explainedSql = `
  with payment as (
    select state, provider, extract(epoch from matched_at - first_seen_at)::float8 as waited from match
    where environment = 'live' and kind = 'payment'
  ), provider as (
    select provider, percentile_cont(0.5) within group (order by waited) as p50, max(waited) as max
    from payment group by provider
  )
  select count(*)::int as matches, count(*)::int as all,
    count(*) filter (where state = 'matched' and waited <= ${explainedWithinSec})::int as "inTime",
    ((select count(*) from match where environment = 'live' and state <> 'matched')
      + (select count(*) from exception where state in ('OPEN', 'PROPOSED')))::int as open,
    coalesce(percentile_cont(0.5) within group (order by waited), 0) as p50,
    coalesce(percentile_cont(0.99) within group (order by waited), 0) as p99, coalesce(max(waited), 0) as max,
    (select coalesce(string_agg(format('%s %s s, %s s', provider, round(p50), round(max)), '; ' order by provider), '')
      from provider) as "byProvider"
  from payment`;

async function explained(url: string | undefined): Promise<Explained> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Explained>(explainedSql);
    if (!rows[0]) throw new Error('no row was answered');
    return rows[0];
  } finally {
    await client.end();
  }
}
