import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { equalDigests } from '@gateway/runtime';
import { refusalOf } from '@gateway/runtime/http';
import type { Mount } from '#src/bank/bank.ts';
import { answerFaultily, type Answer } from '#src/bank/faulty-route.ts';
import { keepRawBodies, rawBodyOf } from '#src/bank/raw-bodies.ts';
import { BitsoError } from '#src/bitso/failure.ts';
import { readBalances, readBooks, readFees, readTicker } from '#src/bitso/market.ts';
import { listTrades, placeOrder } from '#src/bitso/orders.ts';
import type { Operation } from '#src/faults/fault.ts';

interface BitsoMount extends Mount {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** An exchange in the form of Bitso's API v3, with books of its own: markets, orders, trades, balances. */
export function mountBitso(app: FastifyInstance, mount: BitsoMount): void {
  void app.register(
    async (scope) => {
      keepRawBodies(scope, () => new BitsoError('0304', 'The body is not JSON'));
      answerErrors(scope, mount);
      mountPublic(scope, mount);
      await scope.register(async (own) => {
        protect(own, mount);
        mountPrivate(own, mount);
      });
    },
    { prefix: '/bitso/v3' },
  );
}

function mountPublic(scope: FastifyInstance, mount: BitsoMount): void {
  const { database, now } = mount.bank;
  scope.get('/available_books/', async (_request, reply) =>
    answer(mount, 'market', reply, async () => readBooks(database)),
  );
  scope.get<{ Querystring: { book?: string } }>('/ticker/', async ({ query }, reply) =>
    answer(mount, 'market', reply, async () => readTicker(database, query.book ?? '', now())),
  );
}

function mountPrivate(scope: FastifyInstance, mount: BitsoMount): void {
  const { bank } = mount;
  scope.get('/fees/', async (_request, reply) => answer(mount, 'market', reply, async () => readFees(bank.database)));
  scope.get('/balance/', async (_request, reply) =>
    answer(mount, 'balance', reply, async () => readBalances(bank.database)),
  );
  scope.post('/orders', async ({ body }, reply) =>
    answer(mount, 'place-order', reply, async () => placeOrder(bank, body)),
  );
  // Only open orders are listed, and none stays open here.
  scope.get('/orders', async (_request, reply) => answer(mount, 'get-order', reply, async () => []));
  scope.get<{ Querystring: { origin_id?: string } }>('/order_trades', async ({ query }, reply) =>
    answer(mount, 'get-order', reply, async () => listTrades(bank, query.origin_id ?? '')),
  );
}

/** A refusal is an answer: a fault may come after it as after any other. */
async function answer(
  mount: BitsoMount,
  operation: Operation,
  reply: FastifyReply,
  work: () => Promise<unknown>,
): Promise<FastifyReply> {
  const answered = async (): Promise<Answer> => {
    try {
      return { status: 200, body: { success: true, payload: await work() } };
    } catch (error) {
      if (error instanceof BitsoError) return { status: error.status, body: failureBody(error) };
      throw error;
    }
  };
  const duplicate = failureBody(new BitsoError('0356', 'Duplicate origin id provided'));
  const call = { dialect: 'bitso', operation, duplicateAnswer: { status: 400, body: duplicate } } as const;
  return await answerFaultily(mount, { call, reply, work: answered });
}

function failureBody({ code, message }: BitsoError) {
  return { success: false, error: { code, message } };
}

/** `Bitso <key>:<nonce>:<signature>`; the number of a call is greater than that of each call before it. */
function protect(scope: FastifyInstance, { apiKey, apiSecret }: BitsoMount): void {
  let lastNonce = 0n;
  scope.addHook('preHandler', async (request) => {
    const [, key, nonce = '', signature = ''] =
      /^Bitso ([^:]+):(\d{1,20}):([0-9a-f]{64})$/.exec(request.headers.authorization ?? '') ?? [];
    const signed = `${nonce}${request.method}${request.url}${rawBodyOf(request)}`;
    const expected = createHmac('sha256', apiSecret).update(signed).digest();
    const isSigned = equalDigests(Buffer.from(signature, 'hex'), expected);
    if (key !== apiKey || !isSigned) throw new BitsoError('0201', 'Check your credentials', 401);
    if (BigInt(nonce) <= lastNonce) throw new BitsoError('0207', 'Invalid nonce value', 401);
    lastNonce = BigInt(nonce);
  });
}

function answerErrors(scope: FastifyInstance, { logger }: BitsoMount): void {
  scope.setErrorHandler((error: unknown, request, reply) => {
    if (error instanceof BitsoError) return reply.code(error.status).send(failureBody(error));
    const { code, message } = refusalOf(error);
    if (code === 'INTERNAL_ERROR') logger.error({ err: error, reqId: request.id }, 'request failed');
    const status = code === 'INTERNAL_ERROR' ? 500 : 400;
    const failure = { code: code === 'INTERNAL_ERROR' ? '0101' : '0304', message };
    return reply.code(status).send({ success: false, error: failure });
  });
}
