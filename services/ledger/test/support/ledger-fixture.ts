import { ledgerCommand, type LedgerCommand, type LedgerResult } from '@gateway/contracts/ledger';
import { LedgerCommandClient, ensureStreams, type Bus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { createTestBus, createTestDatabase, silentLogger } from '@gateway/test-kit';
import { migrations } from '#src/migrations/migrations.ts';
import { shards } from '#src/shards.ts';
import { ShardWriter } from '#src/writer/shard-writer.ts';

/** A running ledger on real servers, and a sender that asks it. */
export interface LedgerFixture extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly bus: Bus;
  readonly ask: (command: LedgerCommand) => Promise<LedgerResult>;
}

export async function startLedger(): Promise<LedgerFixture> {
  await using stack = new AsyncDisposableStack();
  const { url, database } = stack.use(await createTestDatabase('ledger', { migrations }));
  const bus = stack.use(await createTestBus());
  await ensureStreams(
    bus,
    shards.map((shard) => shard.stream),
    silentLogger,
  );
  for (const shard of shards) {
    const now = () => Date.now();
    stack.use(new ShardWriter({ shard, databaseUrl: url, database, bus, logger: silentLogger, now }));
  }
  const ledgerClient = stack.use(new LedgerCommandClient(bus));
  const owned = stack.move();
  return {
    databaseUrl: url,
    database,
    bus,
    ask: (command) => ledgerClient.request(ledgerCommand, command),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
