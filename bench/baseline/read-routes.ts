import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { callerOf } from './routes.ts';

interface IdRoute {
  readonly Params: { readonly id: string };
}

interface PageRoute {
  readonly Querystring: { readonly limit?: string };
}

const limitDefault = 50;

const deposit = 'select * from deposit where environment = $1 and account_id = $2 and id = $3';
const deposits = 'select * from deposit where environment = $1 and account_id = $2 order by id desc limit $3';
const entries = `
  select * from entry where environment = $1 and account_id = $2 and currency = 'BRL' order by id desc limit $3`;

/** What the lists and records of the product are measured against: one SELECT by the primary key, its rows as they are. */
export function addReadRoutes(app: FastifyInstance, pool: Pool): void {
  app.get<IdRoute>('/v1/deposits/:id', async (request, reply) => {
    const { environment, accountId } = callerOf(request);
    const values = [environment, accountId, request.params.id];
    const { rows } = await pool.query<object>({ name: 'select-deposit', text: deposit, values });
    return rows[0] ?? (await reply.code(404).send({}));
  });
  for (const [path, text] of [
    ['/v1/deposits', deposits],
    ['/v1/transactions', entries],
  ] as const) {
    app.get<PageRoute>(path, async (request) => {
      const { environment, accountId } = callerOf(request);
      const values = [environment, accountId, Number(request.query.limit ?? limitDefault)];
      const { rows } = await pool.query<object>({ name: `page-${path}`, text, values });
      return { data: rows };
    });
  }
}
