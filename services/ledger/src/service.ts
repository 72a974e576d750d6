import { streams } from '@gateway/contracts/broker';
import { ledgerCommand } from '@gateway/contracts/ledger';
import {
  Asker,
  busSettings,
  connectBus,
  ensureStreams,
  deadLetterRoutes,
  healthRoute,
  keepRoomInStreams,
  keepStreams,
  serveRpc,
  startOutboxRelay,
} from '@gateway/messaging';
import { openDatabase } from '@gateway/persistence';
import { gauge, startLoop, type ServiceContext } from '@gateway/runtime';
import { announceBacklog, announceIntervalMs } from '#src/backlog/announce-backlog.ts';
import { readConfig } from '#src/config.ts';
import { lapseDisputes } from '#src/disputes/lapse-disputes.ts';
import { finishConversions, forgetQuotes } from '#src/conversions/finish-conversions.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { ensurePartitions } from '#src/partitions/ensure-partitions.ts';
import { observeReconciliation } from '#src/reconciliation/observe-reconciliation.ts';
import { reconcileDaily } from '#src/reconciliation/daily-reconciliation.ts';
import { registerProviders } from '#src/providers/register-providers.ts';
import { rateSourcesOf } from '#src/rates/rate-sources.ts';
import { releaseDueDeposits, type AskLedger } from '#src/retention/release-due-deposits.ts';
import { readSettings } from '#src/postgres/read-settings.ts';
import { postgresTimeMs } from '#src/postgres/postgres-time.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { shardLabel, shards } from '#src/shards.ts';
import { ShardWriter } from '#src/writer/shard-writer.ts';

const readPoolMax = 10;
const partitionIntervalMs = 6 * 3_600_000;
const releaseIntervalMs = 1_000;
const lapseIntervalMs = 3_600_000;
const reconciliationIntervalMs = 60_000;
const conversionIntervalMs = 5_000;
const quoteIntervalMs = 3_600_000;

export async function startService({ name, env, logger, readiness, signal }: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(env);
  const { DATABASE_URL: databaseUrl, INTERNAL_TLS_DIR: tls } = config;
  const now = () => Date.now();
  await using stack = new AsyncDisposableStack();
  const database = stack.use(
    await openDatabase({
      ...{ url: databaseUrl, tls, entities: [], migrations, logger, signal },
      ...{ poolMax: readPoolMax, sessionSettings: readSettings },
    }),
  );
  readiness.add('database', () => database.ping());
  await registerProviders(database, config.LEDGER_PROVIDERS);
  const makePartitions = async () =>
    await ensurePartitions((script) => database.pool.query(script), await postgresTimeMs(database.pool));
  stack.use(startLoop({ name: 'partitions', intervalMs: partitionIntervalMs, logger, work: makePartitions }));

  const bus = stack.use(await connectBus({ ...busSettings(config), name, logger, signal }));
  readiness.add('bus', () => bus.ping());
  await ensureStreams(bus, Object.values(streams), logger);
  stack.use(keepStreams(bus, Object.values(streams), logger));
  stack.use(keepRoomInStreams(bus, [streams.ledgerEvents], logger));
  stack.use(startOutboxRelay({ database, bus, logger }));
  const asker = stack.use(new Asker(bus));
  const askLedger: AskLedger = (command) => asker.ask(ledgerCommand, command);
  for (const shard of shards) {
    const writer = stack.use(new ShardWriter({ shard, databaseUrl, tls, database, bus, logger, now }));
    const waiting = () => writer.waiting;
    const help = 'Commands that wait for a decision';
    stack.use(gauge('gateway_ledger_waiting_commands', help, waiting, { shard: shardLabel(shard) }));
    const announce = async () => announceBacklog(bus, shard, writer.expectedWaitMs());
    stack.use(startLoop({ name: 'backlog', intervalMs: announceIntervalMs, logger, work: announce }));
    const release = () => releaseDueDeposits(database, askLedger, shard.environment, Math.floor(now() / 1_000));
    stack.use(startLoop({ name: 'releases', intervalMs: releaseIntervalMs, logger, work: release }));
    const lapse = () => lapseDisputes(database, askLedger, shard.environment, Math.floor(now() / 1_000));
    stack.use(startLoop({ name: 'lapses', intervalMs: lapseIntervalMs, logger, work: lapse }));
  }
  const rates = rateSourcesOf(config, { logger, now });
  const dependencies = { database, askLedger, rates, logger, now };
  const finish = () => finishConversions(dependencies);
  stack.use(startLoop({ name: 'conversions', intervalMs: conversionIntervalMs, logger, work: finish }));
  stack.use(startLoop({ name: 'quotes', intervalMs: quoteIntervalMs, logger, work: () => forgetQuotes(dependencies) }));
  const reconcile = () => reconcileDaily(dependencies, config.RECONCILIATION_HOUR_UTC);
  stack.use(observeReconciliation(database, logger));
  stack.use(startLoop({ name: 'reconciliation', intervalMs: reconciliationIntervalMs, logger, work: reconcile }));
  stack.use(
    await serveRpc(
      bus,
      [...rpcRoutes(dependencies), ...deadLetterRoutes(database, 'ledger'), healthRoute(readiness, 'ledger')],
      logger,
    ),
  );
  return stack.move();
}
