import { startRuntime } from '@gateway/messaging';
import { busSecretsOf, SecretBox, type ServiceContext } from '@gateway/runtime';
import { issuersOf, readConfig } from '#src/config.ts';
import { Issuers } from '#src/issuers/issuers.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { PasswordHashes } from '#src/passwords/password-hashes.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { workers } from '#src/workers.ts';

/** Puts identity together: people of two realms, what they sign in with, and their sessions. It listens on no port. */
export async function startService(context: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(context.env);
  await using stack = new AsyncDisposableStack();
  const runtime = await startRuntime(stack, context, {
    service: 'identity',
    config,
    database: { entities: [], migrations },
    secrets: busSecretsOf(config),
  });
  const { database, bus } = runtime;
  const dependencies = {
    database,
    // Each secret is opened once.
    box: new SecretBox([config.SECRETS_KEY, ...config.SECRETS_KEYS_PREVIOUS], { openedMax: 0 }),
    config,
    signal: (subject: string, payload: object) => bus.connection.publish(subject, JSON.stringify(payload)),
    passwords: stack.use(new PasswordHashes()),
    issuers: new Issuers(issuersOf(config)),
    now: () => new Date(),
  };
  runtime.startWorkers(workers(dependencies));
  await runtime.serve(rpcRoutes(dependencies));
  return stack.move();
}
