import fc from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerCommandSchema, type LedgerCommand } from '@gateway/contracts/ledger';
import { createTestDatabase, type TestDatabase } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { ensurePartitions } from '#src/postgres/partitions.ts';
import { reconcile } from '#src/reconciliation/reconcile.ts';
import { commandBatches, testClockSec } from '../model/arbitrary-commands.ts';
import { ReferenceLedger } from '../model/reference-ledger.ts';
import { openPatientSession } from '../support/direct-ledger.ts';
import { SeededRandom } from './seeded-random.ts';
import { faultNames, World, type FaultCounts, type Question } from './simulated-ledger.ts';

const seeds = Number(process.env['LEDGER_SIMULATION_SEEDS'] ?? 200);
const firstSeed = Number(process.env['LEDGER_SIMULATION_FIRST_SEED'] ?? 1);
const seedsPerTest = 25;
const startMs = testClockSec * 1_000;

let db: TestDatabase;
let clients: Client[];
const total = Object.fromEntries(faultNames.map((name) => [name, 0])) as FaultCounts;

beforeAll(async () => {
  db = await createTestDatabase('ledger', { migrations });
  await ensurePartitions((script) => db.database.pool.query(script), startMs);
  clients = await Promise.all([1, 2, 3].map(() => openPatientSession(db.url)));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await db[Symbol.asyncDispose]();
});

interface StoredResult {
  readonly request: unknown;
  readonly outcome: string;
  readonly refusal: string | null;
  readonly atMs: number;
}

async function storedResults(seed: number): Promise<StoredResult[]> {
  return await db.database.query<StoredResult>(
    `select request, outcome, refusal, round(extract(epoch from decided_at) * 1000)::bigint as "atMs"
     from result where environment = 'test' and command_id like $1 order by sequence`,
    [`%_${marker(seed)}%`],
  );
}

/** Records and accounts of a seed are its own: the ledger goes on from seed to seed, as in life. */
function marker(seed: number): string {
  return `01k9${String(seed).padStart(8, '0')}`;
}

function questionsOf(seed: number): Question[] {
  const sampled = fc.sample(commandBatches, { seed, numRuns: 3 }).flat(2);
  // Our own accounts are shared by all seeds: adjustments at the edge of the integers would fill them.
  const commands = sampled.filter(({ kind, ...body }) => kind !== 'adjust' || !isHuge(body)).slice(0, 60);
  const text = JSON.stringify(commands).replaceAll('01k900000000', marker(seed));
  return (JSON.parse(text) as unknown[]).map((command) => ({
    command: ledgerCommandSchema.parse(command),
    answers: [],
  }));
}

function isHuge(body: object): boolean {
  return 'amount' in body && Number(body.amount) > 2 ** 40;
}

/**
 * Every command once, as the reference ledger decides them in the order of the chain; every answer that same answer.
 */
function expectDecidedOnce(questions: readonly Question[], stored: readonly StoredResult[]): void {
  const model = new ReferenceLedger();
  const decided = new Map<string, { command: LedgerCommand; outcome: string; refusal: string | null }>();
  for (const { request, outcome, refusal, atMs } of stored) {
    const command = ledgerCommandSchema.parse(request);
    expect(decided.has(command.id), `${command.id} was decided twice`).toBe(false);
    expect({ outcome, refusal }).toEqual(model.decide(command, Math.floor(atMs / 1_000)));
    decided.set(command.id, { command, outcome, refusal });
  }
  expect(new Set(questions.map(({ command }) => command.id))).toEqual(new Set(decided.keys()));
  for (const { command, answers } of questions) {
    const known = decided.get(command.id);
    const same = JSON.stringify(known?.command) === JSON.stringify(command);
    for (const answer of answers) expect(answer.outcome).toBe(same ? known?.outcome : 'conflict');
  }
}

async function simulate(seed: number): Promise<void> {
  await db.database.query(`update shard set stream_sequence = 0, stream_time_ms = 0 where environment = 'test'`);
  const questions = questionsOf(seed);
  const world = new World(questions, new SeededRandom(seed), clients, startMs);
  await world.run();
  for (const name of faultNames) total[name] += world.faults[name];
  expectDecidedOnce(questions, await storedResults(seed));
}

const blocks = Array.from({ length: Math.ceil(seeds / seedsPerTest) }, (_, block) => firstSeed + block * seedsPerTest);

test.each(blocks)('whatever breaks, every command is decided once and answered (seeds from %i)', async (from) => {
  for (let seed = from; seed < Math.min(from + seedsPerTest, firstSeed + seeds); seed++) {
    try {
      await simulate(seed);
    } catch (error) {
      throw new Error(`seed ${seed}: LEDGER_SIMULATION_SEEDS=1 LEDGER_SIMULATION_FIRST_SEED=${seed}`, { cause: error });
    }
  }
});

test('every fault happened, and the ledger of all seeds agrees with itself', async () => {
  for (const name of faultNames) expect(total[name], name).toBeGreaterThan(0);
  const checks = await reconcile(db.database.pool);
  expect(checks.filter((check) => check.status !== 'OK')).toEqual([]);
});
