import { startRuntime } from '@gateway/messaging';
import { busSecretsOf, SecretBox, type ServiceContext } from '@gateway/runtime';
import { createHttpServer, listenEarly, shutdownOf } from '@gateway/runtime/http';
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

/** Puts the connector's facade together: its routes over HTTP, the keys that sign its tokens, its integrations over rpc. */
export async function startService(context: ServiceContext): Promise<CompatService> {
  const config = readConfig(context.env);
  const { HOST: host, PORT: port, INTERNAL_TLS_DIR: tls } = config;
  await using stack = new AsyncDisposableStack();
  const listener = stack.use(await listenEarly({ host, port, tls, errorBody: failureEnvelope }));
  const runtime = await startRuntime(stack, context, {
    service: 'compat',
    config,
    database: { entities: [SigningKey], migrations },
    secrets: busSecretsOf(config),
  });
  const { database, bus, logger } = runtime;

  const now = () => new Date();
  const keys = new SigningKeys(database, new SecretBox([config.SECRETS_KEY, ...config.SECRETS_KEYS_PREVIOUS]));
  await keys.ensureOne(now());
  const rotate = async () => {
    if (await keys.rotateWhenDue(now())) logger.info('another key signs access tokens from now on');
  };
  runtime.startWorkers([{ name: 'signing-key-rotation', intervalMs: rotationIntervalMs, work: rotate }]);

  const app = createHttpServer({
    logger,
    server: listener.adopt,
    trustedProxies: config.GATEWAY_ADDRESSES,
    errorBody: failureEnvelope,
    readExponent: keepExponents,
  });
  mountConnector(app, config.COMPAT_PREFIXES, { bus, database, keys, rpcTimeoutMs, now });
  await app.ready();
  stack.use(shutdownOf(app, listener));
  await runtime.serve(rpcRoutes({ database, now }));

  const running = stack.move();
  return { port: listener.port, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
