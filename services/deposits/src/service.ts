import { ledgerCommand, streams } from '@gateway/contracts';
import { sandboxProvider } from '@gateway/providers';
import {
  Asker,
  connectBus,
  ensureStreams,
  healthRoute,
  openDatabase,
  serveRpc,
  startLoop,
  startOutboxRelay,
  type ServiceContext,
} from '@gateway/service-kit';
import { finishCreations } from '#src/charging/finish-creations.ts';
import { readConfig } from '#src/config.ts';
import type { Dependencies } from '#src/dependencies.ts';
import { DepositEntity } from '#src/deposit/deposit-entity.ts';
import { DepositTable } from '#src/deposit/deposit-table.ts';
import { expireDueDeposits } from '#src/expiry/expire-due-deposits.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { creditReceivedPayments } from '#src/payment/credit-received-payments.ts';
import { PaymentEntity } from '#src/payment/payment-entity.ts';
import type { ChargeRoutes } from '#src/providers/charge-routes.ts';
import { rpcRoutes } from '#src/rpc.ts';

const sweepIntervalMs = 1_000;
const databasePoolMax = 16;

export async function startService({ name, env, logger, readiness, signal }: ServiceContext): Promise<AsyncDisposable> {
  const config = readConfig(env);
  await using stack = new AsyncDisposableStack();
  const entities = [DepositEntity, PaymentEntity];
  const url = config.DATABASE_URL;
  const database = stack.use(
    await openDatabase({ url, entities, migrations, logger, signal, poolMax: databasePoolMax }),
  );
  readiness.add('database', () => database.ping());
  const bus = stack.use(await connectBus({ url: config.NATS_URL, name, logger, signal }));
  readiness.add('bus', () => bus.ping());
  await ensureStreams(bus, [streams.depositsEvents], logger);
  const asker = stack.use(new Asker(bus));
  const now = () => new Date();
  const dependencies: Dependencies = {
    database,
    deposits: new DepositTable(database),
    askLedger: (command, timeoutMs) => asker.ask(ledgerCommand, command, { timeoutMs }),
    chargeRoutes: chargeRoutes(now),
    logger,
    now,
  };
  stack.use(startOutboxRelay({ database, bus, logger }));
  for (const sweep of [expireDueDeposits, creditReceivedPayments, finishCreations]) {
    const work = () => sweep(dependencies);
    stack.use(startLoop({ name: sweep.name, intervalMs: sweepIntervalMs, logger, work }));
  }
  stack.use(serveRpc(bus, [...rpcRoutes(dependencies), healthRoute(readiness, 'deposits')], logger));
  // Ready means that the server knows our subscriptions: a question before that is answered "nobody there".
  await bus.ping();
  return stack.move();
}

/** Test mode never touches a payment provider (spec 5.3); the live environment has those that are configured. */
function chargeRoutes(now: () => Date): ChargeRoutes {
  return {
    test: [{ provider: sandboxProvider({ now }), offline: true, paymentMethods: ['PIX'] }],
    live: [],
  };
}
