import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { NotFoundError } from '@gateway/contracts/errors';
import { setListedBy } from '#src/account/dispute.ts';
import { transferColumns, type Transfer } from '#src/account/transfer.ts';
import type { DialectName } from '#src/account/charge.ts';
import type { Bank } from '#src/bank/bank.ts';
import type { SimulatedClock } from '#src/bank/simulated-clock.ts';
import { changeMarket, exchangeBooks } from '#src/bitso/market.ts';
import {
  entriesOf,
  feesRequestSchema,
  misstate,
  moveOwnFunds,
  ownTransferRequestSchema,
  setFees,
  statementFaultRequestSchema,
} from '#src/control/accounts.ts';
import { booksSince } from '#src/control/books.ts';
import { agePayment, ageTransfer, flood } from '#src/control/conditions.ts';
import { ageRequestSchema, floodRequestSchema, lieRequestSchema } from '#src/control/lie-requests.ts';
import { lie } from '#src/control/lies.ts';
import { addFault, dispute, giveBack, pay, removeFaults, resolve, settle } from '#src/control/operations.ts';
import {
  clockRequestSchema,
  disputeRequestSchema,
  exchangeRequestSchema,
  faultRequestSchema,
  listedByRequestSchema,
  payRequestSchema,
  readRequest,
  resolveRequestSchema,
  returnRequestSchema,
  settleRequestSchema,
} from '#src/control/requests.ts';
import { settleDue } from '#src/movements/settle-due.ts';

export interface ControlMount {
  readonly bank: Bank;
  readonly clock: SimulatedClock;
  /** Where integrators reach the simulator. */
  readonly publicUrl: string;
  /** Those of the bank's accounts that a gateway is offered. */
  readonly accounts: readonly DialectName[];
  /** PEM of what Woovi signs with for all its customers. */
  readonly wooviPublicKey: string;
}

interface ReferenceRoute {
  readonly Params: { readonly reference: string };
}

/** What a test or a developer does to the bank: pay, contest, return, break. Not part of any provider's interface. */
export function mountControl(app: FastifyInstance, mount: ControlMount): void {
  void app.register(
    async (scope) => {
      mountMoney(scope, mount);
      mountLies(scope, mount);
      mountConditions(scope, mount);
      mountViews(scope, mount);
      mountAccounts(scope, mount);
    },
    { prefix: '/control' },
  );
}

function mountMoney(scope: FastifyInstance, { bank }: ControlMount): void {
  scope.post<ReferenceRoute>('/charges/:reference/pay', async ({ params, body }) => {
    const { e2eId, amount, paidAt, payer } = await pay(bank, params.reference, readRequest(payRequestSchema, body));
    return { e2e_id: e2eId, amount_cents: amount, paid_at: paidAt.toISOString(), payer };
  });
  scope.post<ReferenceRoute>('/payments/:reference/dispute', async ({ params, body }) =>
    dispute(bank, params.reference, readRequest(disputeRequestSchema, body)),
  );
  scope.post<ReferenceRoute>('/disputes/:reference/resolve', async ({ params, body }) =>
    resolve(bank, params.reference, readRequest(resolveRequestSchema, body)),
  );
  scope.post<ReferenceRoute>('/transfers/:reference/settle', async ({ params, body }) =>
    settle(bank, params.reference, readRequest(settleRequestSchema, body).result),
  );
  scope.post<ReferenceRoute>('/transfers/:reference/return', async ({ params, body }) =>
    giveBack(bank, params.reference, readRequest(returnRequestSchema, body)),
  );
}

function mountLies(scope: FastifyInstance, { bank }: ControlMount): void {
  scope.post('/lies', async ({ body }, reply) =>
    reply.code(201).send(await lie(bank, readRequest(lieRequestSchema, body))),
  );
  scope.post<ReferenceRoute>('/transfers/:reference/age', async ({ params, body }) =>
    ageTransfer(bank, params.reference, readRequest(ageRequestSchema, body).days),
  );
  scope.post<ReferenceRoute>('/payments/:reference/age', async ({ params, body }) =>
    agePayment(bank, params.reference, readRequest(ageRequestSchema, body).days),
  );
  scope.post('/flood', async ({ body }, reply) =>
    reply.code(201).send(await flood(bank, readRequest(floodRequestSchema, body))),
  );
}

function mountConditions(scope: FastifyInstance, { bank, clock }: ControlMount): void {
  scope.post('/clock', async ({ body }) => {
    await clock.advance(bank.database, readRequest(clockRequestSchema, body).advance_ms);
    await settleDue(bank);
    return { now: bank.now().toISOString() };
  });
  scope.post('/disputes', async ({ body }) => {
    const { listed_by: listedBy } = readRequest(listedByRequestSchema, body);
    await setListedBy(bank.database, listedBy);
    return { listed_by: listedBy };
  });
  scope.post('/faults', async ({ body }, reply) =>
    reply.code(201).send(await addFault(bank, readRequest(faultRequestSchema, body))),
  );
  scope.post('/exchange', async ({ body }) => changeMarket(bank.database, readRequest(exchangeRequestSchema, body)));
  scope.get('/exchange', async () => exchangeBooks(bank.database));
  scope.get('/faults', async () => ({
    faults: await bank.database.query('select * from fault_rule order by id'),
  }));
  scope.delete('/faults', async (_request, reply) => {
    await removeFaults(bank);
    return reply.code(204).send();
  });
}

interface AccountRoute {
  readonly Params: { readonly account: string };
}

function mountAccounts(scope: FastifyInstance, { bank }: ControlMount): void {
  scope.post<AccountRoute>('/accounts/:account/own-transfers', async ({ params, body }, reply) =>
    reply.code(201).send(await moveOwnFunds(bank, params.account, readRequest(ownTransferRequestSchema, body))),
  );
  scope.post<AccountRoute>('/accounts/:account/fees', async ({ params, body }) =>
    setFees(bank, params.account, readRequest(feesRequestSchema, body)),
  );
  scope.get<AccountRoute>('/accounts/:account/entries', async ({ params }) => ({
    entries: await entriesOf(bank, params.account),
  }));
  scope.post<ReferenceRoute>('/entries/:reference/fault', async ({ params, body }) =>
    misstate(bank, params.reference, readRequest(statementFaultRequestSchema, body)),
  );
}

const transferQuerySchema = z.object({ reference: z.string().optional() });
const booksQuerySchema = z.object({ since: z.coerce.date() });

function mountViews(scope: FastifyInstance, { bank, publicUrl, accounts, wooviPublicKey }: ControlMount): void {
  const { database } = bank;
  scope.get('/providers', async () => accounts.map((account) => bank.dialects[account].providerConfig(publicUrl)));
  scope.get('/woovi/public-key', async () => ({ public_key: wooviPublicKey }));
  scope.get('/books', async ({ query }) => booksSince(database, readRequest(booksQuerySchema, query).since));
  scope.get('/transfers', async ({ query }) => {
    const { reference } = readRequest(transferQuerySchema, query);
    const transfers = await database.query<Transfer>(
      `select ${transferColumns} from transfer t where $1::text is null or t.reference = $1 order by t.id`,
      [reference ?? null],
    );
    const counts: Record<string, number> = {};
    for (const transfer of transfers) counts[transfer.reference] = (counts[transfer.reference] ?? 0) + 1;
    return { count: transfers.length, by_reference: counts, transfers };
  });
  scope.get<ReferenceRoute>('/charges/:reference', async ({ params }) => {
    const [charge] = await database.query<{ id: number }>(
      `select id, dialect, reference, status, amount, created_at, expires_in_sec from charge
        where reference = $1 or details ->> 'transactionID' = $1`,
      [params.reference],
    );
    if (!charge) throw new NotFoundError('charge');
    const payments = await database.query('select * from received_payment where charge_id = $1 order by id', [
      charge.id,
    ]);
    return { ...charge, payments };
  });
  scope.get('/notifications', async () => ({
    notifications: await database.query(
      'select id, dialect, topic, url, body, state, attempts, last_result from notification order by id',
    ),
  }));
}
