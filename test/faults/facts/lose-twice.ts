import { Client } from 'pg';
import { streams } from '@gateway/contracts/broker';
import { connectBus } from '@gateway/messaging';
import { eventually, silentLogger } from '@gateway/test-kit';
import { brokerUrl } from '../stage/broker.ts';
import type { Stage } from '../stage/stage.ts';
import type { FactAtHand } from './facts.ts';

const within = { timeoutMs: 60_000, everyMs: 100 };
const readers = ['deposits', 'payouts'];
const deciders = ['ledger', 'webhooks'];
const commandsMin = 5;

/**
 * Everything happens while no service reads or decides. Then the broker loses its data twice: with the notifications that
 * were answered 200 and not read, and with the commands that were made of them and not decided.
 */
export async function loseTwice(stage: Stage, facts: readonly FactAtHand[]): Promise<void> {
  signal(stage, readers, 'SIGSTOP');
  try {
    for (const fact of facts) await fact.happen();
    await untilPublished(stage);
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

/** Every notification was answered 200, and is on the bus. */
async function untilPublished({ stack }: Stage): Promise<void> {
  const isNone = async (database: string, sql: string) => {
    const client = new Client({ connectionString: stack.databaseUrls[database] });
    await client.connect();
    try {
      const { rowCount } = await client.query(sql);
      if (rowCount !== 0) throw new Error(`${rowCount} rows of ${sql}`);
    } finally {
      await client.end();
    }
  };
  await eventually(async () => {
    await isNone('gateway_psp_simulator', `select from notification where state = 'PENDING'`);
    await isNone('gateway_api_gateway', `select from outbox where watched_until is null`);
  }, within);
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
