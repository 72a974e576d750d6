import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { statusOf } from '@gateway/contracts/errors';
import type { Logger } from '@gateway/runtime';
import { refusalOf } from '@gateway/runtime/http';
import { balanceOf } from '#src/account/balance.ts';
import { answerFaultily, type FaultyCall } from '#src/bank/faulty-route.ts';
import type { HeldConnections } from '#src/bank/held-connections.ts';
import { replaceTarget } from '#src/bank/targets.ts';
import { magicClabes, SpeiError, speiDialect, speiTopic, type SpeiBank } from '#src/spei/bank.ts';
import { chargeRequestSchema, deleteCharge, getCharge, invalid, listReceived, postCharge } from '#src/spei/charges.ts';
import { getRefund, putRefund, refundRequestSchema } from '#src/spei/refunds.ts';
import { getReturns, getTransfer, listReturns, putTransfer, transferRequestSchema } from '#src/spei/transfers.ts';

export interface SpeiMount {
  readonly bank: SpeiBank;
  readonly held: HeldConnections;
  readonly logger: Logger;
}

interface ReferenceRoute {
  readonly Params: { readonly reference: string; readonly refund: string };
}

const duplicateAnswer = {
  status: 409,
  body: { error: { code: 'DUPLICATE_REFERENCE', message: 'the reference was used before' } },
} as const;

/** A SPEI provider under `/spei/v1`: the API key on every call, every refusal `{ error: { code, message } }`. */
export function mountSpei(app: FastifyInstance, mount: SpeiMount): void {
  void app.register(
    async (scope) => {
      protect(scope, mount);
      mountCharges(scope, mount);
      mountRefunds(scope, mount);
      mountTransfers(scope, mount);
      mountRest(scope, mount);
    },
    { prefix: '/spei/v1' },
  );
}

async function ok(
  mount: SpeiMount,
  call: Omit<FaultyCall, 'dialect'>,
  reply: FastifyReply,
  work: () => Promise<object>,
): Promise<FastifyReply> {
  const answer = async () => ({ status: 200, body: await work() });
  return await answerFaultily(mount, { call: { dialect: speiDialect, duplicateAnswer, ...call }, reply, work: answer });
}

function mountCharges(scope: FastifyInstance, mount: SpeiMount): void {
  const { bank } = mount;
  scope.put<ReferenceRoute>('/charges/:reference', async ({ params: { reference }, body }, reply) => {
    const amount = chargeRequestSchema.safeParse(body).data?.amount;
    return await ok(mount, { operation: 'create-charge', reference, amount }, reply, () =>
      postCharge(bank, reference, body),
    );
  });
  scope.get<ReferenceRoute>('/charges/:reference', async ({ params }, reply) =>
    ok(mount, { operation: 'get-charge' }, reply, () => getCharge(bank, params.reference)),
  );
  scope.delete<ReferenceRoute>('/charges/:reference', async ({ params }, reply) =>
    ok(mount, { operation: 'cancel-charge' }, reply, () => deleteCharge(bank, params.reference)),
  );
}

function mountRefunds(scope: FastifyInstance, mount: SpeiMount): void {
  const { bank } = mount;
  scope.put<ReferenceRoute>('/charges/:reference/refunds/:refund', async ({ params, body }, reply) => {
    const amount = refundRequestSchema.safeParse(body).data?.amount;
    const { reference: charge, refund } = params;
    return await ok(mount, { operation: 'create-refund', reference: refund, amount }, reply, () =>
      putRefund(bank, { charge, refund }, body),
    );
  });
  scope.get<ReferenceRoute>('/charges/:reference/refunds/:refund', async ({ params }, reply) =>
    ok(mount, { operation: 'get-refund' }, reply, () =>
      getRefund(bank, { charge: params.reference, refund: params.refund }),
    ),
  );
}

function mountTransfers(scope: FastifyInstance, mount: SpeiMount): void {
  const { bank } = mount;
  scope.put<ReferenceRoute>('/transfers/:reference', async ({ params: { reference }, body }, reply) => {
    const request = transferRequestSchema.safeParse(body).data;
    const magic = request?.clabe === magicClabes.timeout ? 'timeout_after' : null;
    const call = { operation: 'create-transfer', reference, amount: request?.amount, magic } as const;
    return await ok(mount, call, reply, () => putTransfer(bank, reference, body));
  });
  scope.get<ReferenceRoute>('/transfers/:reference', async ({ params }, reply) =>
    ok(mount, { operation: 'get-transfer' }, reply, () => getTransfer(bank, params.reference)),
  );
  scope.get<ReferenceRoute>('/transfers/:reference/returns', async ({ params }, reply) =>
    ok(mount, { operation: 'get-transfer' }, reply, () => getReturns(bank, params.reference)),
  );
}

const webhookSchema = z.object({ url: z.url({ protocol: /^https?$/ }) });

function mountRest(scope: FastifyInstance, mount: SpeiMount): void {
  const { bank } = mount;
  scope.get('/payments', async ({ query }, reply) =>
    ok(mount, { operation: 'list' }, reply, () => listReceived(bank, query)),
  );
  scope.get('/returns', async ({ query }, reply) =>
    ok(mount, { operation: 'list' }, reply, () => listReturns(bank, query)),
  );
  scope.get('/balance', async (_request, reply) =>
    ok(mount, { operation: 'balance' }, reply, () => balanceOf(bank.database, speiDialect)),
  );
  scope.put('/webhook', async ({ body }) => {
    const request = webhookSchema.safeParse(body);
    if (!request.success) throw invalid(request.error);
    const { url } = request.data;
    await replaceTarget(bank, { dialect: speiDialect, topic: speiTopic, name: 'account', url, active: true });
    return { url };
  });
}

function protect(scope: FastifyInstance, { bank, logger }: SpeiMount): void {
  scope.addHook('onRequest', async ({ headers }) => {
    if (headers.authorization !== `Bearer ${bank.apiKey}`) throw new SpeiError('UNAUTHORIZED', 'unknown key', 401);
  });
  scope.setErrorHandler((error: unknown, request, reply) => {
    if (error instanceof SpeiError) {
      return reply.code(error.status).send({ error: { code: error.code, message: error.message } });
    }
    const refusal = refusalOf(error);
    if (refusal.code === 'INTERNAL_ERROR') logger.error({ err: error, reqId: request.id }, 'request failed');
    return reply.code(statusOf(refusal.code)).send({ error: { code: refusal.code, message: refusal.message } });
  });
}
