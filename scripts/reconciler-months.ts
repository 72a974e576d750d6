import { runOnDatabase } from './run-on-database.ts';

// `npm run reconciler:months -- dump|remove 2026-05`: lines from before a month as a file, and what was explained before it
// removed, on DATABASE_URL or on the reconciler of the local stack.

await runOnDatabase('gateway_reconciler', '../services/reconciler/src/months.ts');
