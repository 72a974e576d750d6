import { startRuntime } from '@gateway/messaging';
import { indexedSessions } from '@gateway/persistence';
import type { ServiceContext } from '@gateway/runtime';
import { readConfig } from '#src/config.ts';
import { sampleUnexplained } from '#src/matching/observe-matching.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { dueWorkers } from '#src/workers.ts';

const schema = { entities: [], migrations, poolMax: 6, sessionSettings: indexedSessions };

/** Puts the service together: what the sides say arrives, and is matched item by item. */
export async function startService(context: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(context.env);
  await using stack = new AsyncDisposableStack();
  const runtime = await startRuntime(stack, context, { service: 'reconciler', config, database: schema });
  const { database, logger } = runtime;
  const now = () => new Date();
  stack.use(sampleUnexplained(database, logger, now));
  runtime.startDueWorkers(dueWorkers({ database, now }));
  await runtime.serve(rpcRoutes());
  return stack.move();
}
