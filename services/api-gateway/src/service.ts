import { streams } from '@gateway/contracts/broker';
import { connectLiveProviders } from '@gateway/providers';
import { Asker, busSettings, connectBus, keepRoomInStreams, serveRpc, startOutboxRelay } from '@gateway/messaging';
import { kitMigrations, openDatabase } from '@gateway/persistence';
import { watchUnreadableAnswers } from '@gateway/provider-feeds';
import { busSecretsOf, LinkTokens, untilReachable, type Logger, type ServiceContext } from '@gateway/runtime';
import { listenEarly, type EarlyListener } from '@gateway/runtime/http';
import { AccountEntity } from '#src/accounts/account-entity.ts';
import { AdjustmentEntity } from '#src/adjustments/adjustment-entity.ts';
import { ApprovalEntity } from '#src/approvals/approval-entity.ts';
import type { ApprovalServices } from '#src/approvals/decide-approval.ts';
import { keepApprovals } from '#src/approvals/keep-approvals.ts';
import { readConfig } from '#src/config.ts';
import type { Door } from '#src/http/listener.ts';
import { ApiKeyEntity } from '#src/keys/api-key-entity.ts';
import { CallerDirectory } from '#src/keys/caller-directory.ts';
import { keepRevokingUnclaimed } from '#src/keys/claim-key.ts';
import { ClaimLinks } from '#src/keys/claim-links.ts';
import { LastUsed } from '#src/keys/last-used.ts';
import { KeyLimits } from '#src/limits/key-limits.ts';
import { OpenLimits } from '#src/limits/open-limits.ts';
import { SpendingExchange } from '#src/limits/spending-exchange.ts';
import { createOperatorDoor } from '#src/operator-listener.ts';
import { AuditEntity } from '#src/approvals/audit-entity.ts';
import { OperatorTokens } from '#src/operator/authentication/operator-tokens.ts';
import { TokenGuard } from '#src/operator/authentication/token-guard.ts';
import { rulesByKind } from '#src/operator/rules-by-kind.ts';
import { publicErrorBody } from '#src/compat-proxy/connector-error-body.ts';
import { createPublicDoor } from '#src/public-listener.ts';
import { NotificationStore } from '#src/provider-webhooks/notification-store.ts';
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
  // Callers are told to come back while the database or the bus is still away.
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
  const publicDoor = createPublicDoor({
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
  const operatorDoor = createOperatorDoor({ early: operatorListener, guard, services: ruled, logger });
  stack.defer(() => closeDoor(publicDoor, publicListener));
  stack.defer(() => closeDoor(operatorDoor, operatorListener));
  await Promise.all([publicDoor.open(), operatorDoor.open()]);

  const running = stack.move();
  return {
    publicPort: publicListener.port,
    operatorPort: operatorListener.port,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Approvals that were begun are finished, and what nobody decided or fetched in time is ended. */
function keepToTheirTimes(services: ApprovalServices, logger: Logger): AsyncDisposable {
  const loops = new AsyncDisposableStack();
  loops.use(keepApprovals(services, logger));
  loops.use(keepRevokingUnclaimed(services.database, logger));
  return loops;
}

/** Requests on the way are answered first, while everything they need is still there. */
async function closeDoor(door: Door, listener: EarlyListener): Promise<void> {
  await door.app.close();
  await listener[Symbol.asyncDispose]();
}
