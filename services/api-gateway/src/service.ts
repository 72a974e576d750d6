import { startRuntime } from '@gateway/messaging';
import { providerCalls } from '@gateway/provider-feeds';
import { connectLiveProviders } from '@gateway/providers';
import { busSecretsOf, LinkTokens, type ServiceContext } from '@gateway/runtime';
import { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { keepRevokingUnclaimed } from '#src/accounts/claim-key.ts';
import { sampleFreezes } from '#src/accounts/freeze-account.ts';
import { LastUsed } from '#src/accounts/last-used.ts';
import { keepApprovals } from '#src/approvals/finish-approvals.ts';
import { waitingApprovals } from '#src/approvals/waiting-approvals.ts';
import { keepBacklog } from '#src/backlog/backlog-counts.ts';
import { readConfig } from '#src/config.ts';
import { EventStreams } from '#src/event-streams/event-streams.ts';
import { LoggedHints } from '#src/event-streams/logged-hints.ts';
import { LogStarts } from '#src/event-streams/log-starts.ts';
import { ExportLinks } from '#src/exports/download-export.ts';
import { exportWorkers, keepExports } from '#src/exports/keep-exports.ts';
import { keepFiles } from '#src/files/stored-files.ts';
import { Admission } from '#src/limits/admission.ts';
import { KeyLimits } from '#src/limits/key-limits.ts';
import { OpenLimits } from '#src/limits/open-limits.ts';
import { SpendingExchange } from '#src/limits/spending-exchange.ts';
import { listen, openApis, runningGateway, type Gateway } from '#src/listeners.ts';
import { rulesByKind } from '#src/proposals/rules-by-kind.ts';
import { ChangeStreams } from '#src/live/change-streams.ts';
import { NotificationStore } from '#src/provider-webhooks/notification-store.ts';
import { KeyUsage } from '#src/request-log/key-usage.ts';
import { RequestLog } from '#src/request-log/request-log.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { schema } from '#src/schema.ts';

/** Puts the gateway together: the APIs of merchants and of operators, and what other services ask it about keys. */
export async function startService(context: ServiceContext): Promise<Gateway> {
  const { logger, readiness } = context;
  const config = readConfig(context.env);
  await using stack = new AsyncDisposableStack();
  const early = await listen(stack, config);
  const secrets = busSecretsOf(config);
  const runtime = await startRuntime(stack, context, { service: 'api-gateway', config, database: schema, secrets });
  const { database, bus } = runtime;

  const directory = stack.use(new CallerDirectory({ database, bus, logger }));
  const lastUsed = stack.use(new LastUsed(database, logger));
  const limits = new KeyLimits();
  const ledgerClient = runtime.connectLedger();
  await runtime.serve(rpcRoutes({ database, directory, limits }), waitingApprovals);
  const calls = providerCalls(context, () => new Date());
  const providers = stack.use(await connectLiveProviders(config, calls));
  const notifications = stack.use(new NotificationStore({ database, logger }));
  stack.use(new SpendingExchange({ bus, limits, logger }));

  const guards = { directory, lastUsed, limits, open: new OpenLimits() };
  const linkTokens = new LinkTokens([config.SECRETS_KEY, ...config.SECRETS_KEYS_PREVIOUS]);
  const exportLinks = new ExportLinks(linkTokens, config.PUBLIC_URL);
  const announceExport = (dueAt: Date) => runtime.dueWork.announce(dueAt);
  const tokensDecide = config.DEV_LOGIN;
  const hints = new LoggedHints(bus, logger);
  const eventStreams = stack.use(new EventStreams({ bus, hints, directory, logger }));
  const changeStreams = stack.use(new ChangeStreams({ hints, logger }));
  const services = {
    ...{ bus, database, directory, eventStreams, changeStreams, exportLinks, announceExport, ledgerClient },
    logStarts: new LogStarts(bus, logger),
    tokensDecide,
    approvalLimit: { eachCentsMax: config.OPS_APPROVAL_CENTS_MAX, dayCentsMax: config.OPS_APPROVAL_DAY_CENTS_MAX },
  };
  const rules = rulesByKind({
    ...services,
    logger,
    showsSecret: config.DEV_LOGIN,
    consoleUrl: config.CONSOLE_URL,
    operatorConsoleUrl: config.OPERATOR_CONSOLE_URL,
  });
  stack.use(keepApprovals({ database, rules }, logger));
  stack.use(keepRevokingUnclaimed(database, logger));
  stack.use(sampleFreezes(database, logger));
  stack.use(keepBacklog({ bus, database }, logger));
  stack.use(keepExports(database, logger));
  stack.use(keepFiles(database, logger));
  runtime.startDueWorkers(exportWorkers({ database, bus, logger }));

  await openApis(stack, early, {
    config,
    services: { ...services, rules },
    guards,
    admission: stack.use(new Admission()),
    requestLog: stack.use(await RequestLog.open(database, logger)),
    keyUsage: stack.use(new KeyUsage(database, logger)),
    providers,
    notifications,
    linkTokens,
    readiness,
    logger,
  });

  return runningGateway(early, stack.move());
}
