import { runOnDatabase } from './run-on-database.ts';

// `npm run ledger:month -- dump|detach|restore|attach 2026-10`: moves a closed month of the ledger into a file and back, on
// DATABASE_URL or on the ledger of the local stack.

await runOnDatabase('gateway_ledger', '../services/ledger/src/month.ts');
