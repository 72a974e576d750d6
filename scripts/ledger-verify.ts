import { runOnDatabase } from './run-on-database.ts';

// `npm run ledger:verify`: proves the ledger's hash chain, on DATABASE_URL or on the ledger of the local stack. With
// `-- --from-checkpoint <file>` what follows a signed checkpoint.

await runOnDatabase('gateway_ledger', '../services/ledger/src/verify.ts');
