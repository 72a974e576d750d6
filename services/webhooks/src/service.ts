import { startRuntime } from '@gateway/messaging';
import { kitMigrations } from '@gateway/persistence';
import { SecretBox, type ServiceContext } from '@gateway/runtime';
import { readConfig } from '#src/config.ts';
import { consumers, readPositions } from '#src/consumers.ts';
import { keepPartitions } from '#src/deliveries/retention.ts';
import { deliveriesWaiting } from '#src/deliveries/waiting-deliveries.ts';
import { Endpoint } from '#src/endpoints/endpoint.ts';
import { loggedAnnouncer } from '#src/fanout/announce-logged.ts';
import { AddressPolicy } from '#src/http/address-policy.ts';
import { GuardedResolver } from '#src/http/guarded-resolver.ts';
import { Sender } from '#src/http/sender.ts';
import { migrations } from '#src/migrations/index.ts';
import { endLeasesOfDeadProcesses } from '#src/queue/leases.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { Dispatcher } from '#src/scheduler/dispatcher.ts';
import { startUpkeep } from '#src/upkeep.ts';

/** Puts the service together: endpoints and their log over rpc, events in, deliveries out. */
export async function startService(context: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(context.env);
  await using stack = new AsyncDisposableStack();
  const runtime = await startRuntime(stack, context, {
    service: 'webhooks',
    config: config.connections,
    database: { entities: [Endpoint], migrations: [...kitMigrations, ...migrations] },
    secrets: config.busSecrets,
  });
  const { database, bus, logger } = runtime;
  stack.use(await keepPartitions(database, logger, config.eventLogDays));

  const { allowInsecure } = config.targets;
  const policy = new AddressPolicy(config.targets);
  const resolver = new GuardedResolver({ policy, allowInsecure, servers: config.dnsServers });
  const rules = { ...config.targets, addresses: policy };
  const secretBox = new SecretBox(config.secretsKeys);

  await endLeasesOfDeadProcesses(database, config.replica);
  const sender = stack.use(new Sender({ policy, resolver, rules }));
  const dispatcher = stack.use(new Dispatcher({ database, sender, secretBox, logger, replica: config.replica }));
  const onDue = () => dispatcher.wake();
  const upkeep = stack.use(startUpkeep({ database, secretBox, positions: () => readPositions(bus) }, logger, onDue));
  const onLogged = loggedAnnouncer(bus, logger);
  runtime.startConsumers(consumers({ database, secretBox, dispatcher, onDue, onLogged }));
  const guard = { rules, resolver };
  const { eventLogDays } = config;
  const wakes = { onDue, onRecovery: upkeep.recover, onReplay: upkeep.replay };
  const routes = rpcRoutes({ database, secretBox, sender, guard, eventLogDays, ...wakes });
  await runtime.serve(routes, [], deliveriesWaiting);
  return stack.move();
}
