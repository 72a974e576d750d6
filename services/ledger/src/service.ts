import { ledgerCommand, type LedgerCommand } from '@gateway/contracts/ledger';
import { startRuntime } from '@gateway/messaging';
import { connectVenue } from '@gateway/providers/venues';
import { gauge, SecretBox, warnOfLocalUrl, type ServiceContext } from '@gateway/runtime';
import { configuredTargets, configuredWitness } from '#src/anchors/configured-targets.ts';
import { anchorWorkers } from '#src/anchors/run-anchors.ts';
import { readConfig } from '#src/config.ts';
import { StoredSwitch } from '#src/conversions/stored-switch.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { readSettings } from '#src/postgres/session-settings.ts';
import { isLiveAllowed, rateSourcesOf } from '#src/rates/rate-sources.ts';
import { CheckpointKeys } from '#src/proof/checkpoint-keys.ts';
import { observeProof } from '#src/proof/observe-proof.ts';
import { proofWorker } from '#src/proof/run-proof.ts';
import { registerProviders } from '#src/reconciliation/provider-accounts.ts';
import { observeReconciliation } from '#src/reconciliation/read-reconciliations.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { shardLabel, shards } from '#src/shards.ts';
import { observeTreasury } from '#src/treasury/observe-treasury.ts';
import { dueShardWorkers, shardWorkers, treasuryDue, treasuryWorkers, wakingTreasury, workers } from '#src/workers.ts';
import { witnessesOf } from '#src/witnesses/witness.ts';
import { outsideWitness } from '#src/writer/outside-witness.ts';
import { ShardWriter } from '#src/writer/shard-writer.ts';

/** Of the pool that reads; each writer has a connection of its own. */
const readPoolMax = 10;

/** Puts the ledger together: one writer per shard, with what it does for it by itself, and the requests it answers. */
export async function startService(context: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(context.env);
  const { DATABASE_URL: databaseUrl, INTERNAL_TLS_DIR: tls } = config;
  await using stack = new AsyncDisposableStack();
  const runtime = await startRuntime(stack, context, {
    service: 'ledger',
    config,
    database: { entities: [], migrations, poolMax: readPoolMax, sessionSettings: readSettings },
  });
  const { database, bus, logger } = runtime;
  await registerProviders(database, config.LEDGER_PROVIDERS);
  const keys = new CheckpointKeys(database, new SecretBox([config.SECRETS_KEY, ...config.SECRETS_KEYS_PREVIOUS]));
  const consequence = 'receipts of its ledgers are verified against the host of the first start, for all time';
  warnOfLocalUrl(logger, config.PUBLIC_URL, config.LEDGER_PROVIDERS.length > 0, consequence);
  await keys.ensureOne(new URL(config.PUBLIC_URL).host, new Date());

  const ledger = runtime.connectLedger();
  const now = () => Date.now();
  const conversionSwitch = new StoredSwitch({ database, isAllowed: isLiveAllowed(config), now });
  const isSwitchedOn = async () => (await conversionSwitch.read()).live === 'on';
  const dependencies = {
    database,
    askLedger: (command: LedgerCommand) => ledger.request(ledgerCommand, command),
    rates: rateSourcesOf(config, { logger, now, isSwitchedOn }),
    uncoveredMax: config.TREASURY_UNCOVERED_MAX,
    logger,
    now,
  };
  const venues = config.TREASURY_VENUES.map((venue) => ({
    venue: stack.use(connectVenue(venue, { now: () => new Date(now()) })),
    currencies: venue.currencies,
  }));
  const [treasury] = runtime.startWorkers(treasuryWorkers(dependencies, venues, config));
  if (treasury) runtime.dueWork.add({ name: 'treasury', firstDue: treasuryDue, wake: wakingTreasury(treasury) });
  stack.use(observeTreasury(database, venues, logger));
  runtime.startWorkers(workers({ ...dependencies, keys }, config));
  const targets = configuredTargets(config, database, now);
  runtime.startWorkers(anchorWorkers({ database, logger, targets, intervalSec: config.ANCHOR_INTERVAL_SEC, now }));
  const proof = { keys, checkpointIntervalMs: config.CHECKPOINT_INTERVAL_SEC * 1_000 };
  const witnesses = witnessesOf(bus, config.LEDGER_WITNESSES);
  const signing = configuredWitness(config, database);
  const outside = signing ? [outsideWitness(signing)] : [];
  for (const shard of shards) {
    const heard = { witnesses, outside, witnessWaitMs: config.LEDGER_WITNESS_WAIT_SEC * 1_000 };
    let onLease = () => {};
    const writer = stack.use(
      new ShardWriter({ shard, databaseUrl, tls, database, bus, logger, now, ...heard, onLease: () => onLease() }),
    );
    context.readiness.add(`witnesses ${shardLabel(shard)}`, async () => writer.requireAgreement());
    const help = 'Commands that wait for a decision';
    stack.use(gauge('gateway_ledger_waiting_commands', help, () => writer.waiting, { shard: shardLabel(shard) }));
    runtime.startWorkers(shardWorkers(dependencies, { shard, writer, bus }));
    runtime.startDueWorkers(dueShardWorkers(dependencies, shard));
    const proving = proofWorker({ ...dependencies, ...proof }, shard, () => writer.writing);
    const [proofLoop] = runtime.startDueWorkers([proving]);
    onLease = () => {
      proving.leaseBegan();
      proofLoop?.wake();
    };
  }
  stack.use(observeReconciliation(database, logger));
  stack.use(observeProof(database, logger));
  await runtime.serve(
    rpcRoutes(dependencies, { bus, venues, conversionSwitch, keys, witnesses: [...witnesses, ...outside] }),
  );
  return stack.move();
}
