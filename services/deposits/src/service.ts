import { streams } from '@gateway/contracts/broker';
import { DisputeHoldingChanged, getDisputeHolding, ledgerCommand } from '@gateway/contracts/ledger';
import { connectLiveProviders, sandboxProvider } from '@gateway/providers';
import {
  Asker,
  callRpc,
  busSettings,
  connectBus,
  deadLetterRoutes,
  healthRoute,
  keepRoomInStreams,
  serveRpc,
  startConsumer,
  startOutboxRelay,
  type Bus,
  type Message,
} from '@gateway/messaging';
import { openDatabase } from '@gateway/persistence';
import { watchUnreadableAnswers } from '@gateway/provider-feeds';
import { LinkTokens, startLoop, untilReachable, type ServiceContext } from '@gateway/runtime';
import { finishCreations } from '#src/charge/finish-creations.ts';
import { readConfig } from '#src/config.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { DepositTable } from '#src/deposit/deposit-table.ts';
import { pageUrls } from '#src/deposit/page-url.ts';
import { qrUrls } from '#src/deposit/qr-url.ts';
import { DisputeEntity } from '#src/dispute/dispute-entity.ts';
import { evidenceUrls } from '#src/dispute/evidence-url.ts';
import { EvidenceEntity } from '#src/dispute/evidence-entity.ts';
import { observeDeposits } from '#src/deposit/observe-deposits.ts';
import { finishDisputes } from '#src/dispute/finish-disputes.ts';
import { takeHoldingChange } from '#src/dispute/follow-holding.ts';
import { sendEvidence } from '#src/dispute/send-evidence.ts';
import { expireDueDeposits } from '#src/charge/expire-due-deposits.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { takeNotification } from '#src/provider-feed/take-notification.ts';
import { OrphanReceiptEntity } from '#src/orphan-receipts/orphan-receipt-entity.ts';
import { returnOrphanReceipts } from '#src/orphan-receipts/return-orphan-receipts.ts';
import { creditReceivedPayments } from '#src/payment/credit-received-payments.ts';
import { TransferEntity } from '#src/payment/transfer-entity.ts';
import { PaymentEntity } from '#src/payment/payment-entity.ts';
import { PaymentTable } from '#src/payment/payment-table.ts';
import { withFeeds } from '#src/provider-feed/deposit-feeds.ts';
import { lookUpOpenDisputes } from '#src/provider-feed/look-up-open-disputes.ts';
import type { ChargeRoute } from '#src/routing/charge-routes.ts';
import { liveRoutesOf } from '#src/routing/live-routes.ts';
import { ProviderSettings } from '#src/routing/provider-settings.ts';
import { startRegistering } from '#src/providers/register-notifications.ts';
import { booksElsewhere } from '#src/providers/books.ts';
import { compareWhenDue } from '#src/providers/compare-when-due.ts';
import { observeBalances } from '#src/providers/observe-balances.ts';
import { finishRefunds } from '#src/refund/finish-refunds.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';
import { noteOverdue } from '#src/resolution/note-overdue.ts';
import { observeOpen } from '#src/resolution/observe-open.ts';
import { recheckFailed } from '#src/resolution/recheck-failed.ts';
import { rpcRoutes } from '#src/rpc.ts';

const sweepIntervalMs = 1_000;
const observeIntervalMs = 15_000;
const recheckIntervalMs = 15_000;
const weightDefault = 1;
const sweeps = [
  expireDueDeposits,
  creditReceivedPayments,
  finishCreations,
  returnOrphanReceipts,
  finishRefunds,
  finishDisputes,
  noteOverdue,
  sendEvidence,
  lookUpOpenDisputes,
  compareWhenDue,
];
const entities = [
  DepositEntity,
  TransferEntity,
  PaymentEntity,
  OrphanReceiptEntity,
  RefundEntity,
  DisputeEntity,
  EvidenceEntity,
];
const databasePoolMax = 16;
const [{ durable }] = streams.providerNotifications.readers;
const notificationsAtOnce = 8;
const holdingsDurable = 'deposits-dispute-holdings';

export async function startService({ name, env, logger, readiness, signal }: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(env);
  await using stack = new AsyncDisposableStack();
  const { DATABASE_URL: url, INTERNAL_TLS_DIR: tls } = config;
  const database = stack.use(
    await openDatabase({ url, tls, entities, migrations, logger, signal, poolMax: databasePoolMax }),
  );
  readiness.add('database', () => database.ping());
  const bus = stack.use(await connectBus({ ...busSettings(config), name, logger, signal }));
  readiness.add('bus', () => bus.ping());
  stack.use(keepRoomInStreams(bus, [streams.depositsEvents], logger));
  const asker = stack.use(new Asker(bus));
  const now = () => new Date();
  const providers = stack.use(
    await connectLiveProviders(config, {
      now,
      onUnreadableOf: watchUnreadableAnswers(logger),
      untilReachable: (connect) => untilReachable({ what: 'the provider simulator', logger, signal, connect }),
    }),
  );
  const providerSettings = new ProviderSettings(database, (id) => config.PROVIDER_WEIGHTS[id] ?? weightDefault);
  await providerSettings.reload();
  const dependencies = withFeeds({
    database,
    deposits: new DepositTable(database),
    payments: new PaymentTable(database),
    askLedger: (command, timeoutMs) => asker.ask(ledgerCommand, command, { timeoutMs }),
    askHolding: (dispute) => callRpc(bus, getDisputeHolding, dispute),
    booksElsewhere: booksElsewhere(bus),
    chargeRoutes: { test: [sandboxRoute(now, providerSettings)], live: liveRoutesOf(providers, providerSettings) },
    providerSettings,
    pollIntervalMs: config.PROVIDER_POLL_SEC * 1_000,
    callsPerMinute: config.PROVIDER_CALLS_PER_MINUTE,
    qrUrlOf: qrUrls(new LinkTokens([config.SECRETS_KEY]), config.PUBLIC_URL),
    pageUrlOf: pageUrls(new LinkTokens([config.SECRETS_KEY]), config.PUBLIC_URL),
    evidenceUrlOf: evidenceUrls(new LinkTokens([config.SECRETS_KEY]), config.PUBLIC_URL),
    logger,
    now,
  });
  stack.use(observeDeposits());
  stack.use(startOutboxRelay({ database, bus, logger }));
  stack.use(dependencies.feeds.start());
  const reload = () => providerSettings.reload();
  stack.use(startLoop({ name: 'provider settings', intervalMs: sweepIntervalMs, logger, work: reload }));
  const observe = () => observeBalances(dependencies);
  stack.use(startLoop({ name: 'provider balance metrics', intervalMs: observeIntervalMs, logger, work: observe }));
  const look = () => observeOpen(dependencies);
  stack.use(startLoop({ name: 'open returns metrics', intervalMs: observeIntervalMs, logger, work: look }));
  const recheck = () => recheckFailed(dependencies);
  stack.use(startLoop({ name: 'failed returns', intervalMs: recheckIntervalMs, logger, work: recheck }));
  for (const sweep of sweeps) {
    const work = () => sweep(dependencies);
    stack.use(startLoop({ name: sweep.name, intervalMs: sweepIntervalMs, logger, work }));
  }
  stack.use(
    await serveRpc(
      bus,
      [...rpcRoutes(dependencies), ...deadLetterRoutes(database, 'deposits'), healthRoute(readiness, 'deposits')],
      logger,
    ),
  );
  stack.use(startNotifications(dependencies, bus));
  stack.use(startHoldings(dependencies, bus));
  const { PROVIDERS_CALLBACK_URL: callbackUrl } = config;
  if (callbackUrl) stack.use(startRegistering(providers, callbackUrl, logger));
  return stack.move();
}

/** Test mode never touches a payment provider (spec 5.3). */
function sandboxRoute(now: () => Date, settings: ProviderSettings): ChargeRoute {
  const provider = sandboxProvider({ now });
  return {
    provider,
    offline: true,
    paymentMethods: ['PIX', 'SPEI'],
    weight: () => settings.of('test', provider.id).weight,
    isEnabled: () => settings.of('test', provider.id).enabled,
    isHealthy: () => true,
  };
}

function startNotifications({ database, logger, ...dependencies }: Dependencies, bus: Bus): AsyncDisposable {
  const handle = async (messages: readonly Message[]) => {
    for (const message of messages) await takeNotification({ database, logger, ...dependencies }, message);
  };
  const stream = streams.providerNotifications;
  return startConsumer({ bus, database, logger, stream, durable, concurrency: notificationsAtOnce, handle });
}

/** What later credits pay into a dispute is told by the ledger; where that is lost, it is asked every minute. */
function startHoldings(dependencies: Dependencies, bus: Bus): AsyncDisposable {
  const { database, logger } = dependencies;
  const handle = async (messages: readonly Message[]) => {
    for (const { subject, data } of messages) {
      if (subject !== DisputeHoldingChanged.subject) continue;
      await takeHoldingChange(dependencies, DisputeHoldingChanged.payload.parse(data));
    }
  };
  const stream = streams.ledgerEvents;
  return startConsumer({ bus, database, logger, stream, durable: holdingsDurable, handle });
}
