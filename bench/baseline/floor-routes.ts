import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';

const insert = 'insert into floor (id) values (default)';
const secret = Buffer.alloc(32, 7);
const signed = Buffer.alloc(600, 'x');

/** The least that a call can be: an answer, an answer after one commit of one small row, an answer with one signature. */
export function addFloorRoutes(app: FastifyInstance, pool: Pool): void {
  const answer = { answered: true };
  app.post('/floor/exchange', () => answer);
  app.post('/floor/commit', async () => {
    await pool.query({ name: 'insert-floor', text: insert });
    return answer;
  });
  app.post('/floor/signature', () => ({ signature: createHmac('sha256', secret).update(signed).digest('base64') }));
}
