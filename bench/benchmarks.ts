import type { Benchmark } from './benchmark.ts';
import { consoleBenchmark } from './console/console-benchmark.ts';
import { depositsBenchmark, liveDepositsBenchmark } from './deposits/deposits-benchmark.ts';
import { edgeBenchmark } from './edge/edge-benchmark.ts';
import { exportsBenchmark } from './edge/exports-benchmark.ts';
import { fairnessBenchmark } from './edge/fairness-benchmark.ts';
import { hostileCallerBenchmark } from './edge/hostile-caller-benchmark.ts';
import { listsGrowthBenchmark } from './edge/lists-growth-benchmark.ts';
import { liveOverloadBenchmark, overloadBenchmark } from './edge/overload-benchmark.ts';
import { readsBenchmark } from './edge/reads-benchmark.ts';
import { writesGrowthBenchmark } from './edge/writes-growth-benchmark.ts';
import { growthBenchmark } from './ledger/growth-benchmark.ts';
import { ledgerBenchmark } from './ledger/ledger-benchmark.ts';
import { proofBenchmark } from './ledger/proof-benchmark.ts';
import { floorsBenchmark } from './machine/floors-benchmark.ts';
import { livePayoutsBenchmark, payoutsBenchmark } from './payouts/payouts-benchmark.ts';
import { explainedBenchmark } from './reconciler/explained-benchmark.ts';
import { reconcilerCostBenchmark } from './reconciler/cost-benchmark.ts';
import { sdkBenchmark } from './sdk/sdk-benchmark.ts';
import { restBenchmark } from './start/rest-benchmark.ts';
import { startBenchmark } from './start/start-benchmark.ts';
import { claimBenchmark } from './webhooks/claim-benchmark.ts';
import { eventsBenchmark } from './webhooks/events-benchmark.ts';
import { hangingBenchmark } from './webhooks/hanging-benchmark.ts';
import { webhooksBenchmark, webhooksTlsBenchmark } from './webhooks/webhooks-benchmark.ts';

/** What `npm run bench` can measure. */
export const benchmarks: readonly Benchmark[] = [
  floorsBenchmark,
  ledgerBenchmark,
  growthBenchmark,
  proofBenchmark,
  depositsBenchmark,
  liveDepositsBenchmark,
  payoutsBenchmark,
  livePayoutsBenchmark,
  webhooksBenchmark,
  webhooksTlsBenchmark,
  eventsBenchmark,
  consoleBenchmark,
  hangingBenchmark,
  claimBenchmark,
  edgeBenchmark,
  readsBenchmark,
  listsGrowthBenchmark,
  writesGrowthBenchmark,
  exportsBenchmark,
  hostileCallerBenchmark,
  fairnessBenchmark,
  overloadBenchmark,
  liveOverloadBenchmark,
  reconcilerCostBenchmark,
  explainedBenchmark,
  startBenchmark,
  restBenchmark,
  sdkBenchmark,
];
