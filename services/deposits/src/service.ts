import { getKeyHolder } from '@gateway/contracts/accounts';
import { providersChangedSignal } from '@gateway/contracts/deposits';
import { getDisputeHolding, ledgerCommand } from '@gateway/contracts/ledger';
import { callRpc, hearSignal, sendSignal, startRuntime } from '@gateway/messaging';
import { earlierClock, rememberedSince } from '@gateway/persistence';
import { providerCalls } from '@gateway/provider-feeds';
import { connectLiveProviders } from '@gateway/providers';
import { warnOfLocalUrl, type ServiceContext } from '@gateway/runtime';
import { readConfig } from '#src/config.ts';
import { consumers } from '#src/consumers.ts';
import { DepositReader } from '#src/deposit/deposit-record.ts';
import { DepositTable } from '#src/deposit/deposit-table.ts';
import { observeDeposits } from '#src/deposit/observe-deposits.ts';
import { keepParticipants } from '#src/deposit/payer-bank.ts';
import { linksOf } from '#src/deposit/links.ts';
import { PaymentTable } from '#src/payment/payment-table.ts';
import { withFeeds } from '#src/provider-feed/deposit-feeds.ts';
import { booksElsewhere } from '#src/providers/booked-money.ts';
import { startRegistering } from '#src/providers/register-notifications.ts';
import { refundsUnderWay, waitingReturns } from '#src/resolution/waiting-returns.ts';
import { chargeRoutesOf } from '#src/routing/charge-routes.ts';
import { ProviderSettings } from '#src/routing/provider-settings.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { schema } from '#src/schema.ts';
import { dueWorkers, workers } from '#src/workers.ts';

const weightDefault = 1;

/** Puts the service together: charges at the providers, what is paid and sent back, and what contests it. */
export async function startService(context: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(context.env);
  await using stack = new AsyncDisposableStack();
  const runtime = await startRuntime(stack, context, { service: 'deposits', config, database: schema });
  const { database, bus, logger } = runtime;
  warnOfLocalUrl(logger, config.PUBLIC_URL, config.PROVIDERS.length > 0, 'payers cannot open their pages');
  const ledger = runtime.connectLedger();
  const now = await earlierClock(database);
  const providers = stack.use(await connectLiveProviders(config, providerCalls(context, now)));
  const settings = new ProviderSettings(database, (id) => config.PROVIDER_WEIGHTS[id] ?? weightDefault);
  await settings.reload();
  const dependencies = withFeeds({
    database,
    logger,
    now,
    depositReader: new DepositReader(database),
    deposits: new DepositTable(database),
    payments: new PaymentTable(database),
    askLedger: (command, timeoutMs) => ledger.request(ledgerCommand, command, { timeoutMs }),
    holderOf: (publicKey, timeoutMs) => callRpc(bus, getKeyHolder, { publicKey }, { timeoutMs }),
    askHolding: (dispute) => callRpc(bus, getDisputeHolding, dispute),
    booksElsewhere: booksElsewhere(bus),
    rememberedSince: () => rememberedSince(database),
    chargeRoutes: chargeRoutesOf(providers, settings, now),
    providerSettings: settings,
    announceProviders: () => sendSignal(bus, providersChangedSignal, logger),
    providerTariffs: config.PROVIDER_TARIFFS,
    pollIntervalMs: config.PROVIDER_POLL_SEC * 1_000,
    callsPerMinute: config.PROVIDER_CALLS_PER_MINUTE,
    ...linksOf(config),
  });
  stack.use(observeDeposits());
  const { PIX_PARTICIPANTS_FILE: participantsFile } = config;
  if (participantsFile) stack.use(await keepParticipants(participantsFile, logger));
  stack.use(dependencies.feeds.start(runtime.dueWork));
  const [keepSettings] = runtime.startWorkers(workers(dependencies));
  stack.use(hearSignal(bus, providersChangedSignal, () => keepSettings?.wake()));
  runtime.startDueWorkers(dueWorkers(dependencies));
  await runtime.serve(rpcRoutes(dependencies), waitingReturns, refundsUnderWay);
  runtime.startConsumers(consumers(dependencies));
  const { PROVIDERS_CALLBACK_URL: callbackUrl } = config;
  if (callbackUrl) stack.use(startRegistering(providers, callbackUrl, logger));
  return stack.move();
}
