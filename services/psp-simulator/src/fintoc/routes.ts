import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { statusOf } from '@gateway/contracts/errors';
import { equalDigests, type Logger } from '@gateway/runtime';
import { refusalOf } from '@gateway/runtime/http';
import { balanceOf } from '#src/account/balance.ts';
import { answerFaultily, type FaultyCall } from '#src/bank/faulty-route.ts';
import type { HeldConnections } from '#src/bank/held-connections.ts';
import { keepRawBodies, rawBodyOf } from '#src/bank/raw-bodies.ts';
import {
  expectedPaymentSchema,
  getAccountNumber,
  listAccountNumbers,
  patchAccountNumber,
  postAccountNumber,
} from '#src/fintoc/account-numbers.ts';
import {
  paymentPaidFrom,
  fintocAccount,
  FintocError,
  magicClabes,
  notFound,
  type FintocBank,
} from '#src/fintoc/bank.ts';
import { requireSignature } from '#src/fintoc/customer-key.ts';
import { listMovements } from '#src/fintoc/movements.ts';
import { getTransfer, listTransfers, postTransfer, transferRequestSchema } from '#src/fintoc/transfers.ts';
import { listWebhookEndpoints, postWebhookEndpoint } from '#src/fintoc/webhook-endpoints.ts';

export interface FintocMount {
  readonly bank: FintocBank;
  readonly held: HeldConnections;
  readonly logger: Logger;
}

interface IdRoute {
  readonly Params: { readonly id: string };
}

/** The key of idempotency was used before with other parameters. */
const duplicateAnswer = {
  status: 409,
  body: { error: { type: 'idempotency_error', code: 'idempotency_key_reused', message: 'simulated' } },
} as const;

/** Fintoc under `/fintoc`: the secret key on every call, every refusal `{ error: { type, code, message } }`. */
export function mountFintoc(app: FastifyInstance, mount: FintocMount): void {
  void app.register(
    async (scope) => {
      protect(scope, mount);
      keepRawBodies(scope, () => new FintocError('invalid_json', 'The body is not JSON'));
      mountAccountNumbers(scope, mount);
      mountTransfers(scope, mount);
      mountRest(scope, mount);
    },
    { prefix: '/fintoc' },
  );
}

async function answer(
  mount: FintocMount,
  call: Omit<FaultyCall, 'dialect'>,
  reply: FastifyReply,
  work: () => Promise<object>,
): Promise<FastifyReply> {
  const done = async () => ({ status: call.reference === undefined ? 200 : 201, body: await work() });
  const faulty = { dialect: fintocAccount, duplicateAnswer, ...call } as const;
  return await answerFaultily(mount, { call: faulty, reply, work: done });
}

function mountAccountNumbers(scope: FastifyInstance, mount: FintocMount): void {
  const { bank } = mount;
  scope.post('/v2/account_numbers', async (request, reply) => {
    const reference = idempotencyKeyOf(request);
    const { amount } = expectedPaymentSchema.safeParse(request.body).data?.metadata ?? {};
    return await answer(mount, { operation: 'create-charge', reference, amount }, reply, () =>
      postAccountNumber(bank, reference, request.body),
    );
  });
  scope.get('/v2/account_numbers', async ({ query }, reply) =>
    answer(mount, { operation: 'get-charge' }, reply, () => listAccountNumbers(bank, query)),
  );
  scope.get<IdRoute>('/v2/account_numbers/:id', async ({ params }, reply) =>
    answer(mount, { operation: 'get-charge' }, reply, () => getAccountNumber(bank, params.id)),
  );
  scope.patch<IdRoute>('/v2/account_numbers/:id', async ({ params, body }, reply) =>
    answer(mount, { operation: 'cancel-charge' }, reply, () => patchAccountNumber(bank, params.id, body)),
  );
}

function mountTransfers(scope: FastifyInstance, mount: FintocMount): void {
  const { bank } = mount;
  scope.post('/v2/transfers', async (request, reply) => {
    const reference = idempotencyKeyOf(request);
    requireSignature(bank.customerPublicKey, request.headers['fintoc-jws-signature'], rawBodyOf(request));
    const { amount, counterparty } = transferRequestSchema.safeParse(request.body).data ?? {};
    const clabe = counterparty?.account_number ?? '';
    const operation = paymentPaidFrom(clabe) === null ? 'create-transfer' : 'create-refund';
    const magic = clabe === magicClabes.timeout ? 'timeout_after' : null;
    return await answer(mount, { operation, reference, amount, magic }, reply, () =>
      postTransfer(bank, reference, request.body),
    );
  });
  scope.get<IdRoute & { Querystring: { account_number_id?: string } }>('/v2/transfers', async ({ query }, reply) =>
    answer(mount, { operation: query.account_number_id === undefined ? 'list' : 'get-charge' }, reply, () =>
      listTransfers(bank, query),
    ),
  );
  scope.get<IdRoute>('/v2/transfers/:id', async ({ params }, reply) =>
    answer(mount, { operation: 'get-transfer' }, reply, () => getTransfer(bank, params.id)),
  );
}

function mountRest(scope: FastifyInstance, mount: FintocMount): void {
  const { bank } = mount;
  scope.get<IdRoute>('/v2/accounts/:id/movements', async ({ params, query }, reply) =>
    answer(mount, { operation: 'statement' }, reply, () => listMovements(bank, params.id, query)),
  );
  scope.get<IdRoute>('/v2/accounts/:id', async ({ params }, reply) =>
    answer(mount, { operation: 'balance' }, reply, async () => {
      if (params.id !== bank.accountId) throw notFound;
      const { available } = await balanceOf(bank.database, fintocAccount);
      return {
        ...{ id: bank.accountId, object: 'account', available_balance: available, currency: 'MXN' },
        ...{ description: 'PSP SIMULATOR', is_root: true, mode: 'test', status: 'active' },
        entity: { id: 'ent_simulator', holder_id: 'ND', holder_name: 'PSP SIMULATOR SA DE CV' },
      };
    }),
  );
  scope.get('/v1/webhook_endpoints', async () => listWebhookEndpoints(bank));
  scope.post('/v1/webhook_endpoints', async ({ body }, reply) =>
    reply.code(201).send(await postWebhookEndpoint(bank, body)),
  );
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function idempotencyKeyOf({ headers }: FastifyRequest): string {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : crypto.randomUUID();
}

function protect(scope: FastifyInstance, { bank, logger }: FintocMount): void {
  scope.addHook('onRequest', async ({ headers }) => {
    if (equalDigests(digestOf(headers.authorization ?? ''), digestOf(bank.secretKey))) return;
    throw new FintocError('invalid_api_key', 'Invalid API key', { type: 'authentication_error', status: 401 });
  });
  scope.setErrorHandler((error: unknown, request, reply) => {
    if (error instanceof FintocError) {
      const { type, code, message, status } = error;
      return reply.code(status).send({ error: { type, code, message } });
    }
    const refusal = refusalOf(error);
    if (refusal.code === 'INTERNAL_ERROR') logger.error({ err: error, reqId: request.id }, 'request failed');
    const type = refusal.code === 'INTERNAL_ERROR' ? 'api_error' : 'invalid_request_error';
    return reply.code(statusOf(refusal.code)).send({ error: { type, code: refusal.code, message: refusal.message } });
  });
}
