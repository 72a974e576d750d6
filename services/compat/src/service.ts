import { busSettings, connectBus, deadLetterRoutes, healthRoute, serveRpc } from '@gateway/messaging';
import { openDatabase } from '@gateway/persistence';
import { busSecretsOf, SecretBox, startLoop, type ServiceContext } from '@gateway/runtime';
import { createHttpServer, listenEarly } from '@gateway/runtime/http';
import { readConfig } from '#src/config.ts';
import { failureEnvelope } from '#src/errors.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { keepExponents } from '#src/payment/connector-fields.ts';
import { mountConnector } from '#src/routes.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { SigningKey } from '#src/tokens/signing-key.ts';
import { SigningKeys } from '#src/tokens/signing-keys.ts';

/** Short of the 5 s after which connector clients give up. */
const rpcTimeoutMs = 4_000;
/** How often it is looked whether the signing key is due for replacement. */
const rotationIntervalMs = 3_600_000;

export interface CompatService extends AsyncDisposable {
  /** Where it listens; differs from PORT when that is 0. */
  readonly port: number;
}

export async function startService({ env, logger, readiness, signal }: ServiceContext): Promise<CompatService> {
  const config = readConfig(env);
  const { HOST: host, PORT: port, INTERNAL_TLS_DIR: tls } = config;
  await using stack = new AsyncDisposableStack();
  const listener = stack.use(await listenEarly({ host, port, tls, errorBody: failureEnvelope }));

  const database = stack.use(
    await openDatabase({ url: config.DATABASE_URL, tls, entities: [SigningKey], migrations, logger, signal }),
  );
  readiness.add('database', () => database.ping());
  const bus = stack.use(
    await connectBus({ ...busSettings(config), secrets: busSecretsOf(config), name: 'compat', logger, signal }),
  );
  readiness.add('bus', () => bus.ping());

  const now = () => new Date();
  const keys = new SigningKeys(database, new SecretBox([config.SECRETS_KEY, ...config.SECRETS_KEYS_PREVIOUS]));
  await keys.ensureOne(now());

  stack.use(
    startLoop({
      name: 'signing-key-rotation',
      intervalMs: rotationIntervalMs,
      logger,
      work: async () => {
        if (await keys.rotateWhenDue(now())) logger.info('another key signs access tokens from now on');
      },
    }),
  );

  const app = createHttpServer({
    logger,
    server: listener.adopt,
    trustedProxies: config.GATEWAY_ADDRESSES,
    errorBody: failureEnvelope,
    readExponent: keepExponents,
  });
  mountConnector(app, config.COMPAT_PREFIXES, { bus, database, keys, rpcTimeoutMs, now });
  await app.ready();
  // Requests under way end before what they work with.
  stack.defer(async () => {
    await app.close();
    await listener[Symbol.asyncDispose]();
  });

  stack.use(
    await serveRpc(
      bus,
      [...rpcRoutes({ database, now }), ...deadLetterRoutes(database, 'compat'), healthRoute(readiness, 'compat')],
      logger,
    ),
  );

  const running = stack.move();
  return { port: listener.port, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
