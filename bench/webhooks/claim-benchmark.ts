import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Benchmark } from '../benchmark.ts';
import { startLedgerServers } from '../ledger/ledger-environment.ts';
import { percentile } from '../load/percentile.ts';
import type { Figures } from '../report/report.ts';

const script = fileURLToPath(new URL('../../services/webhooks/test/claim-cost.ts', import.meta.url));
const full = { endpoints: 100_000, backlog: 1_000_000, rounds: 500 };
const quick = { endpoints: 5_000, backlog: 50_000, rounds: 50 };
const timeoutMs = 600_000;

const measuredSchema = z.object({
  fair: z.array(z.number()),
  naive: z.array(z.number()),
  served: z.int(),
  naivelyServed: z.int(),
});

/** The real claim over a database filled by SQL: nothing is sent. */
export const claimBenchmark: Benchmark = {
  name: 'webhooks-claim',
  measures:
    'a claim of webhook deliveries beside the backlog of one dead endpoint, against a queue ordered by due time',
  run: async (options) => {
    const { endpoints, backlog, rounds } = options.quick ? quick : full;
    await using servers = await startLedgerServers(options);
    const databaseUrl = await servers.createDatabase('claims');
    options.progress(`filling ${endpoints} queues and a backlog of ${backlog} …`);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [script, databaseUrl, ...[endpoints, backlog, rounds].map(String)],
      { timeout: timeoutMs },
    );
    const measured = measuredSchema.parse(JSON.parse(stdout));
    const fair = figuresOf('claim by endpoint', measured.fair);
    return {
      figures: [figuresOf('queue by due time', measured.naive), fair],
      gates: [{ what: 'claim, p99', value: fair.p99Ms, unit: 'ms', atMost: 10 }],
      invariants: [
        {
          what: 'endpoints that were served: by endpoint > by due time',
          holds: measured.served > measured.naivelyServed,
          found: `${measured.served} / ${measured.naivelyServed}`,
        },
      ],
      notes: [`${endpoints} endpoints with one due delivery each, and ${backlog} due ones of one endpoint`],
    };
  },
};

function figuresOf(what: string, latenciesMs: readonly number[]): Figures {
  const ascending = Float64Array.from(latenciesMs).sort();
  const totalMs = latenciesMs.reduce((sum, ms) => sum + ms, 0);
  return {
    what,
    ratePerSecond: (latenciesMs.length * 1_000) / totalMs,
    p50Ms: percentile(ascending, 0.5),
    p99Ms: percentile(ascending, 0.99),
  };
}
