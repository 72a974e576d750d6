import { createHash, createPublicKey } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { statusOf } from '@gateway/contracts/errors';
import type { Logger } from '@gateway/runtime';
import { refusalOf } from '@gateway/runtime/http';
import { balanceOf } from '#src/account/balance.ts';
import { endToEndId } from '#src/account/spi-ids.ts';
import { bankIspb } from '#src/bank/bank.ts';
import { answerFaultily, type FaultyCall } from '#src/bank/faulty-route.ts';
import type { HeldConnections } from '#src/bank/held-connections.ts';
import { magicKeys } from '#src/faults/magic.ts';
import { presentPageInfo, wooviDialect, WooviError, type WooviBank } from '#src/woovi/bank.ts';
import { chargeRequestSchema, deleteCharge, getCharge, postCharge } from '#src/woovi/charges.ts';
import { getDispute, listDisputes, postEvidence } from '#src/woovi/disputes.ts';
import {
  approvePayment,
  checkKey,
  duplicateIdAnswer,
  getPayment,
  paymentRequestSchema,
  postPayment,
} from '#src/woovi/payments.ts';
import {
  getTransactionRefund,
  listRefunds,
  postRefund,
  postTransactionRefund,
  refundRequestSchema,
  transactionRefundRequestSchema,
} from '#src/woovi/refunds.ts';
import { listStatement } from '#src/woovi/statement.ts';
import { getTransaction, listTransactions } from '#src/woovi/transactions.ts';
import { deleteWebhook, listEvents, listWebhooks, postWebhook } from '#src/woovi/webhooks.ts';

export interface WooviMount {
  readonly bank: WooviBank;
  readonly held: HeldConnections;
  readonly logger: Logger;
}

interface IdRoute {
  readonly Params: { readonly id: string };
  readonly Querystring: { readonly return_existing?: string };
}

/** The Woovi API under `/api/v1`: the AppID on every call but one, every refusal `{ error }`. */
export function mountWoovi(app: FastifyInstance, mount: WooviMount): void {
  void app.register(
    async (scope) => {
      protect(scope, mount);
      scope.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }));
      mountCharges(scope, mount);
      mountTransactionRefunds(scope, mount);
      mountPayments(scope, mount);
      mountRest(scope, mount);
    },
    { prefix: '/api/v1' },
  );
}

async function ok(
  mount: WooviMount,
  call: Omit<FaultyCall, 'dialect'>,
  reply: FastifyReply,
  work: () => Promise<object>,
): Promise<FastifyReply> {
  const answer = async () => ({ status: 200, body: await work() });
  return await answerFaultily(mount, { call: { dialect: wooviDialect, ...call }, reply, work: answer });
}

function mountCharges(scope: FastifyInstance, mount: WooviMount): void {
  const { bank } = mount;
  scope.post<IdRoute>('/charge', async ({ query, body }, reply) => {
    const { correlationID: reference, value: amount } = chargeRequestSchema.safeParse(body).data ?? {};
    return await ok(mount, { operation: 'create-charge', reference, amount }, reply, () =>
      postCharge(bank, body, query.return_existing === 'true'),
    );
  });
  scope.get<IdRoute>('/charge/:id', async ({ params }, reply) =>
    ok(mount, { operation: 'get-charge' }, reply, () => getCharge(bank, params.id)),
  );
  scope.delete<IdRoute>('/charge/:id', async ({ params }, reply) =>
    ok(mount, { operation: 'cancel-charge' }, reply, () => deleteCharge(bank, params.id)),
  );
  scope.post<IdRoute>('/charge/:id/refund', async ({ params, body }, reply) => {
    const { correlationID: reference, value: amount } = refundRequestSchema.safeParse(body).data ?? {};
    return await ok(mount, { operation: 'create-refund', reference, amount }, reply, () =>
      postRefund(bank, params.id, body),
    );
  });
  scope.get<IdRoute>('/charge/:id/refund', async ({ params }, reply) =>
    ok(mount, { operation: 'get-refund' }, reply, () => listRefunds(bank, params.id)),
  );
}

function mountTransactionRefunds(scope: FastifyInstance, mount: WooviMount): void {
  const { bank } = mount;
  scope.post('/refund', async ({ body }, reply) => {
    const { correlationID: reference, value: amount } = transactionRefundRequestSchema.safeParse(body).data ?? {};
    return await ok(mount, { operation: 'create-refund', reference, amount }, reply, () =>
      postTransactionRefund(bank, body),
    );
  });
  scope.get<IdRoute>('/refund/:id', async ({ params }, reply) =>
    ok(mount, { operation: 'get-refund' }, reply, () => getTransactionRefund(bank, params.id)),
  );
}

function mountPayments(scope: FastifyInstance, mount: WooviMount): void {
  const { bank } = mount;
  scope.post('/payment', async ({ body }, reply) => {
    const request = paymentRequestSchema.safeParse(body).data;
    const magic = request?.destinationAlias === magicKeys.timeout ? 'timeout_after' : null;
    const { correlationID: reference, value: amount } = request ?? {};
    const call = {
      operation: 'create-transfer',
      reference,
      amount,
      magic,
      duplicateAnswer: duplicateIdAnswer,
    } as const;
    return await ok(mount, call, reply, () => postPayment(bank, body));
  });
  scope.post('/payment/approve', async ({ body }) => approvePayment(bank, body));
  scope.get<IdRoute>('/payment/:id', async ({ params }, reply) =>
    ok(mount, { operation: 'get-transfer' }, reply, () => getPayment(bank, params.id)),
  );
  scope.get<IdRoute>('/pix-keys/:id/check', async ({ params }, reply) =>
    ok(mount, { operation: 'check-key' }, reply, async () => checkKey(params.id, endToEndId(bankIspb, bank.now()))),
  );
}

function mountRest(scope: FastifyInstance, mount: WooviMount): void {
  const { bank } = mount;
  scope.get('/transaction', async ({ query }, reply) =>
    ok(mount, { operation: 'list' }, reply, () => listTransactions(bank, query)),
  );
  scope.get<IdRoute>('/transaction/:id', async ({ params }, reply) =>
    ok(mount, { operation: 'list' }, reply, () => getTransaction(bank, params.id)),
  );
  scope.get('/statement', async ({ query }, reply) =>
    ok(mount, { operation: 'statement' }, reply, () => listStatement(bank, query)),
  );
  scope.get('/account/', async (_request, reply) =>
    ok(mount, { operation: 'balance' }, reply, async () => ({
      accounts: [await presentAccount(bank)],
      pageInfo: presentPageInfo(false),
    })),
  );
  scope.get<IdRoute>('/account/:id', async ({ params }, reply) =>
    ok(mount, { operation: 'balance' }, reply, async () => {
      if (params.id !== bank.accountId) throw new WooviError('Account not found');
      return { account: await presentAccount(bank) };
    }),
  );
  scope.get('/dispute', async ({ query }) => listDisputes(bank, query));
  scope.get<IdRoute>('/dispute/:id', async ({ params }) => getDispute(bank, params.id));
  scope.post<IdRoute>('/dispute/:id/evidence', async ({ params, body }) => postEvidence(bank, params.id, body));
  scope.post('/webhook', async ({ body }) => postWebhook(bank, body));
  scope.get('/webhook/events', async () => listEvents());
  scope.get(publicKeysPath, async () => presentPublicKeys(bank));
  scope.get('/webhook', async ({ query }) => listWebhooks(bank, query));
  scope.delete<IdRoute>('/webhook/:id', async ({ params }) => deleteWebhook(bank, params.id));
}

const publicKeysPath = '/webhook/public-keys';

/** `GET /api/v1/webhook/public-keys`: for everybody, since they are public. */
function presentPublicKeys({ publicKeyPem: key }: WooviBank): object {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const identifier = createHash('sha256').update(der).digest('hex');
  return { public_keys: [{ key_identifier: identifier, is_current: true, key }] };
}

async function presentAccount({ database, accountId }: WooviBank): Promise<object> {
  const { available, blocked } = await balanceOf(database, wooviDialect);
  const balance = {
    total: available + blocked,
    blocked,
    available,
    blockedBySecurity: blocked,
    blockedByWithdrawSafety: 0,
  };
  return { accountId, isDefault: true, balance };
}

function protect(scope: FastifyInstance, { bank, logger }: WooviMount): void {
  scope.addHook('onRequest', async ({ headers, routeOptions }) => {
    if (routeOptions.url?.endsWith(publicKeysPath)) return;
    if (headers.authorization !== bank.appId) throw new WooviError('Unauthorized', 401);
  });
  scope.setErrorHandler((error: unknown, request, reply) => {
    if (error instanceof WooviError) return reply.code(error.status).send({ error: error.message });
    const refusal = refusalOf(error);
    if (refusal.code === 'INTERNAL_ERROR') logger.error({ err: error, reqId: request.id }, 'request failed');
    return reply.code(statusOf(refusal.code)).send({ error: refusal.message });
  });
}
