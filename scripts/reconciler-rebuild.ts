import { runOnDatabase } from './run-on-database.ts';

// `npm run reconciler:rebuild`: has the reconciler match everything anew, on DATABASE_URL or on that of the local stack.

await runOnDatabase('gateway_reconciler', '../services/reconciler/src/rebuild.ts');
