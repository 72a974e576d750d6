import { Client } from 'pg';
import { streams } from '@gateway/contracts/broker';
import { connectBus } from '@gateway/messaging';
import { eventually, silentLogger } from '@gateway/test-kit';
import { brokerUrl } from '../stage/broker.ts';
import type { Stage } from '../stage/stage.ts';
import type { FactAtHand } from './facts.ts';

const within = { timeoutMs: 60_000, everyMs: 100 };
const simulator = 'gateway_psp_simulator';
const readers = ['deposits', 'payouts'];
const deciders = ['ledger', 'webhooks'];
const commandsMin = 5;

/**
 * Everything happens while no service reads or decides. Then the broker loses its data twice: with the notifications that
 * were answered 200 and not read, and with the commands that were made of them and not decided.
 */
export async function loseTwice(stage: Stage, facts: readonly FactAtHand[]): Promise<void> {
  // Those of before may wait long for their next attempt: their receiver was away then.
  const [{ before = '0' } = {}] = await rowsOf(stage, simulator, 'select max(id) as before from notification');
  signal(stage, readers, 'SIGSTOP');
  try {
    for (const fact of facts) await fact.happen();
    await untilPublished(stage, Number(before));
    await loseData(stage);
    await untilCommanded(stage, 0);
    signal(stage, deciders, 'SIGSTOP');
    signal(stage, readers, 'SIGCONT');
    await untilCommanded(stage, commandsMin);
    await loseData(stage);
  } finally {
    signal(stage, [...readers, ...deciders], 'SIGCONT');
  }
}

function signal({ stack }: Stage, services: readonly string[], name: NodeJS.Signals): void {
  for (const service of services) stack.process(service).kill(name);
}

async function loseData({ broker: [node] }: Stage): Promise<void> {
  await node!.stop('crash');
  node!.loseData();
  await node!.start();
  await node!.ready();
}

/** Every notification since was answered 200, and is on the bus. */
async function untilPublished(stage: Stage, before: number): Promise<void> {
  const isNone = async (database: string, sql: string) => {
    const { length } = await rowsOf(stage, database, sql);
    if (length !== 0) throw new Error(`${length} rows of ${sql}`);
  };
  await eventually(async () => {
    await isNone(simulator, `select from notification where state = 'PENDING' and id > ${before}`);
    await isNone('gateway_api_gateway', `select from outbox where watched_until is null`);
  }, within);
}

async function rowsOf({ stack }: Stage, database: string, sql: string): Promise<{ before?: string | null }[]> {
  const client = new Client({ connectionString: stack.databaseUrls[database] });
  await client.connect();
  try {
    return (await client.query<{ before?: string | null }>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The ledger has its stream, with so many commands in it. */
async function untilCommanded({ broker: [node] }: Stage, commands: number): Promise<void> {
  const url = brokerUrl('gateway', node!.addresses.port);
  await using bus = await connectBus({ url, name: 'test', logger: silentLogger });
  const { name } = streams.ledgerCommandsLive;
  await eventually(async () => {
    const { state } = await bus.manager.streams.info(name);
    if (state.messages < commands) throw new Error(`the ledger was asked ${state.messages} times`);
  }, within);
}
