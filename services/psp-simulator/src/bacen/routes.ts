import type { FastifyInstance, FastifyReply } from 'fastify';
import { statusOf } from '@gateway/contracts/errors';
import { errorHeaders, refusalOf } from '@gateway/runtime/http';
import { bacenOperation, type BacenMount } from '#src/bacen/bank.ts';
import { cobRequestSchema } from '#src/bacen/cob-request.ts';
import { getCob, patchCob, putCob } from '#src/bacen/cob.ts';
import { getDevolucao, putDevolucao, refundRequestSchema } from '#src/bacen/devolucao.ts';
import { issueToken, requireToken } from '#src/bacen/oauth.ts';
import { getPix, listPix } from '#src/bacen/pix.ts';
import { OwnRefusal, Problem, problemBody, problemOf } from '#src/bacen/problem.ts';
import { deleteWebhook, getWebhook, putWebhook } from '#src/bacen/webhook.ts';

interface PixRoute {
  readonly Params: { readonly txid: string; readonly e2eid: string; readonly id: string; readonly chave: string };
}

/** The routes that a provider has beside the Pix API, behind the same token. */
export type OwnRoutes = (scope: FastifyInstance, mount: BacenMount) => void;

/** The Pix API of Banco Central: OAuth where the account begins, resources under `/v2`, the provider's own beside them. */
export function mountBacen(app: FastifyInstance, mount: BacenMount, mountOwn: OwnRoutes = () => undefined): void {
  const { path } = mount.bank.account;
  void app.register(async (scope) => mountOauth(scope, mount), { prefix: path });
  void app.register(
    async (scope) => {
      protect(scope, mount);
      scope.setNotFoundHandler((_request, reply) => sendProblem(reply, new Problem('NaoEncontrado')));
      mountCharges(scope, mount);
      mountPix(scope, mount);
      mountWebhooks(scope, mount);
    },
    { prefix: `${path}/v2` },
  );
  void app.register(
    async (scope) => {
      protect(scope, mount);
      mountOwn(scope, mount);
    },
    { prefix: path },
  );
}

function mountCharges(scope: FastifyInstance, mount: BacenMount): void {
  const { bank } = mount;
  scope.put<PixRoute>('/cob/:txid', async ({ params: { txid }, body }, reply) => {
    const request = cobRequestSchema.safeParse(body);
    const amount = request.data?.valor.original;
    return await bacenOperation(mount, { operation: 'create-charge', reference: txid, amount }, reply, async () => ({
      status: 201,
      body: await putCob(bank, txid, body),
    }));
  });
  scope.get<PixRoute>('/cob/:txid', async ({ params: { txid } }, reply) =>
    bacenOperation(mount, { operation: 'get-charge' }, reply, async () => ({
      status: 200,
      body: await getCob(bank, txid),
    })),
  );
  scope.patch<PixRoute>('/cob/:txid', async ({ params: { txid }, body }, reply) =>
    bacenOperation(mount, { operation: 'cancel-charge' }, reply, async () => ({
      status: 200,
      body: await patchCob(bank, txid, body),
    })),
  );
}

function mountPix(scope: FastifyInstance, mount: BacenMount): void {
  const { bank } = mount;
  scope.get('/pix', async ({ query }, reply) =>
    bacenOperation(mount, { operation: 'list' }, reply, async () => ({
      status: 200,
      body: await listPix(bank, query),
    })),
  );
  scope.get<PixRoute>('/pix/:e2eid', async ({ params: { e2eid } }) => getPix(bank, e2eid));
  scope.put<PixRoute>('/pix/:e2eid/devolucao/:id', async ({ params, body }, reply) => {
    const request = refundRequestSchema.safeParse(body);
    const amount = request.data?.valor;
    return await bacenOperation(
      mount,
      { operation: 'create-refund', reference: params.id, amount },
      reply,
      async () => ({
        status: 201,
        body: await putDevolucao(bank, params, body),
      }),
    );
  });
  scope.get<PixRoute>('/pix/:e2eid/devolucao/:id', async ({ params }, reply) =>
    bacenOperation(mount, { operation: 'get-refund' }, reply, async () => ({
      status: 200,
      body: await getDevolucao(bank, params),
    })),
  );
}

function mountWebhooks(scope: FastifyInstance, { bank }: BacenMount): void {
  scope.put<PixRoute>('/webhook/:chave', async ({ params, body }, reply) => {
    await putWebhook(bank, params.chave, body);
    return reply.code(200).send();
  });
  scope.get<PixRoute>('/webhook/:chave', async ({ params }) => getWebhook(bank, params.chave));
  scope.delete<PixRoute>('/webhook/:chave', async ({ params }, reply) => {
    await deleteWebhook(bank, params.chave);
    return reply.code(204).send();
  });
}

/** Efí takes the grant as JSON, RFC 6749 as a form; a simulator takes both. */
function mountOauth(scope: FastifyInstance, mount: BacenMount): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  scope.post('/oauth/token', async ({ headers, body }, reply) =>
    bacenOperation(mount, { operation: 'token' }, reply, async () => {
      const answer = await issueToken(mount.bank, headers.authorization, body);
      if (answer.status === 401) void reply.header('www-authenticate', 'Basic realm="psp-simulator"');
      void reply.header('cache-control', 'no-store');
      return answer;
    }),
  );
}

/** A token on every call, and refusals in the dialect's words. */
function protect(scope: FastifyInstance, { bank, logger }: BacenMount): void {
  scope.addHook('onRequest', async ({ method, url, headers: { authorization } }) =>
    requireToken(bank, { method, url, authorization }),
  );
  scope.setErrorHandler((error: unknown, request, reply) => {
    if (error instanceof Problem) return sendProblem(reply, error);
    if (error instanceof OwnRefusal) return reply.code(error.status).send(error.body);
    const refusal = refusalOf(error);
    if (refusal.code === 'INTERNAL_ERROR') logger.error({ err: error, reqId: request.id }, 'request failed');
    return sendProblem(reply.headers(errorHeaders(refusal)), problemOf(refusal, statusOf(refusal.code)));
  });
}

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.status === 401) void reply.header('www-authenticate', 'Bearer');
  return reply
    .code(problem.status)
    .type('application/problem+json')
    .send(JSON.stringify(problemBody(problem)));
}
