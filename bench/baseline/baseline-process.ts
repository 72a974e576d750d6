import { fastify } from 'fastify';
import { Pool, types } from 'pg';
import { connectBank } from './bank.ts';
import { addDepositRoute } from './deposit-route.ts';
import { addFloorRoutes } from './floor-routes.ts';
import { addPayoutRoute } from './payout-route.ts';
import { addReadRoutes } from './read-routes.ts';
import { addBalanceRoute } from './routes.ts';

/**
 * What the product is measured against: one process, Fastify and pg, as a good engineer writes it in an afternoon.
 * No keys, no events, no ledger of its own. Sends its address to its parent and ends with it.
 */
const poolMax = 32;

types.setTypeParser(types.builtins.INT8, Number);
const pool = new Pool({ connectionString: process.env['BASELINE_DATABASE_URL'], max: poolMax });
const app = fastify();
const bank = await connectBank(process.env['BASELINE_SIMULATOR_URL'] ?? '');
addDepositRoute(app, pool, bank);
addPayoutRoute(app, pool, bank);
addBalanceRoute(app, pool);
addReadRoutes(app, pool);
addFloorRoutes(app, pool);
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
process.on('disconnect', () => process.exit(0));
