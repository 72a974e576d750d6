import { streams } from '@gateway/contracts/broker';
import { Asker, busSettings, connectBus, keepRoomInStreams, serveRpc, startOutboxRelay } from '@gateway/messaging';
import { kitMigrations, openDatabase } from '@gateway/persistence';
import { watchUnreadableAnswers } from '@gateway/provider-feeds';
import { connectLiveProviders } from '@gateway/providers';
import { busSecretsOf, LinkTokens, type Logger, type ServiceContext, untilReachable } from '@gateway/runtime';
import { type EarlyListener, listenEarly } from '@gateway/runtime/http';
import { AccountEntity } from '#src/accounts/account.ts';
import { ApiKeyEntity } from '#src/accounts/api-key.ts';
import { CallerDirectory } from '#src/accounts/caller-directory.ts';
import { ClaimLinks, keepRevokingUnclaimed } from '#src/accounts/claim-key.ts';
import { LastUsed } from '#src/accounts/last-used.ts';
import { ApprovalEntity } from '#src/approvals/approval.ts';
import { AuditEntity } from '#src/approvals/audit.ts';
import type { ApprovalServices } from '#src/approvals/decide-approval.ts';
import { keepApprovals } from '#src/approvals/finish-approvals.ts';
import { publicErrorBody } from '#src/compat-proxy/compat-proxy.ts';
import { readConfig } from '#src/config.ts';
import type { Listener } from '#src/http/listener.ts';
import { KeyLimits } from '#src/limits/key-limits.ts';
import { OpenLimits } from '#src/limits/open-limits.ts';
import { SpendingExchange } from '#src/limits/spending-exchange.ts';
import { createOperatorListener } from '#src/operator-listener.ts';
import { OperatorTokens, TokenGuard } from '#src/operator/authenticate-operator.ts';
import { AdjustmentEntity } from '#src/proposals/adjustment.ts';
import { rulesByKind } from '#src/proposals/rules-by-kind.ts';
import { NotificationStore } from '#src/provider-webhooks/notification-store.ts';
import { createPublicListener } from '#src/public-listener.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { migrations } from '../migrations/index.ts';

const entities = [AccountEntity, AdjustmentEntity, ApiKeyEntity, ApprovalEntity, AuditEntity];

/** A running gateway; the ports are those really listened on. */
export interface Gateway extends AsyncDisposable {
  readonly publicPort: number;
  readonly operatorPort: number;
}

export async function startService(context: ServiceContext): Promise<Gateway> {
  const { name, logger, readiness, signal } = context;
  const config = readConfig(context.env);
  await using stack = new AsyncDisposableStack();
  // Requests are answered 503 with Retry-After until the database and the bus are reached.
  const publicListener = stack.use(
    await listenEarly({ host: config.HOST, port: config.PORT, errorBody: publicErrorBody(config.COMPAT_PREFIXES) }),
  );
  const operatorListener = stack.use(await listenEarly({ host: config.OPS_HOST, port: config.OPS_PORT }));

  const database = stack.use(
    await openDatabase({
      ...{ url: config.DATABASE_URL, tls: config.INTERNAL_TLS_DIR },
      entities,
      migrations: [...kitMigrations, ...migrations],
      logger,
      signal,
    }),
  );
  readiness.add('database', () => database.ping());
  const bus = stack.use(
    await connectBus({ ...busSettings(config), secrets: busSecretsOf(config), name, logger, signal }),
  );
  readiness.add('bus', () => bus.ping());

  const directory = stack.use(new CallerDirectory({ database, bus, logger }));
  const lastUsed = stack.use(new LastUsed(database, logger));
  const limits = new KeyLimits();
  stack.use(await serveRpc(bus, rpcRoutes({ directory, limits, database, readiness }), logger));

  const providers = stack.use(
    await connectLiveProviders(config, {
      now: () => new Date(),
      onUnreadableOf: watchUnreadableAnswers(logger),
      untilReachable: (connect) => untilReachable({ what: 'the provider simulator', logger, signal, connect }),
    }),
  );
  stack.use(keepRoomInStreams(bus, [streams.providerNotifications], logger));

  stack.use(startOutboxRelay({ database, bus, logger }));
  const notifications = stack.use(new NotificationStore({ database, logger }));

  stack.use(new SpendingExchange({ bus, limits, logger }));
  const guards = { directory, lastUsed, limits, open: new OpenLimits() };
  const asker = stack.use(new Asker(bus));
  const linkTokens = new LinkTokens([config.SECRETS_KEY, ...config.SECRETS_KEYS_PREVIOUS]);
  const links = new ClaimLinks(linkTokens, config.PUBLIC_URL);
  const rules = rulesByKind({ bus, asker, directory, links, showsSecret: config.DEV_LOGIN });
  stack.use(keepToTheirTimes({ database, rules }, logger));
  const services = { bus, database, directory, asker };
  const publicApi = createPublicListener({
    early: publicListener,
    config,
    services,
    guards,
    providers,
    notifications,
    linkTokens,
    links,
    readiness,
    logger,
  });
  const guard = new TokenGuard(new OperatorTokens(config.OPS_OPERATORS), guards.open, logger);
  const ruled = { ...services, rules };
  const operatorApi = createOperatorListener({ early: operatorListener, guard, services: ruled, logger });
  stack.defer(() => closeListener(publicApi, publicListener));
  stack.defer(() => closeListener(operatorApi, operatorListener));
  await Promise.all([publicApi.open(), operatorApi.open()]);

  const running = stack.move();
  return {
    publicPort: publicListener.port,
    operatorPort: operatorListener.port,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Approvals that were begun are finished; proposals and live keys whose time has passed are ended. */
function keepToTheirTimes(services: ApprovalServices, logger: Logger): AsyncDisposable {
  const loops = new AsyncDisposableStack();
  loops.use(keepApprovals(services, logger));
  loops.use(keepRevokingUnclaimed(services.database, logger));
  return loops;
}

/** Requests under way are answered first, while what they use is still open. */
async function closeListener(api: Listener, listener: EarlyListener): Promise<void> {
  await api.app.close();
  await listener[Symbol.asyncDispose]();
}
