import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Operator } from '../load/operator.ts';
import type { Stage } from '../stage/stage.ts';

const verifier = join(import.meta.dirname, '../../../services/ledger/src/verify.ts');
const run = promisify(execFile);

/** The ledger agrees with itself: as the operator's reconciliation finds, and link by link of its chain. */
export async function bookProblems({ stack }: Stage): Promise<string[]> {
  const operator = new Operator(stack.opsUrl, stack.dev.ops_tokens[0]!);
  const reconciliation = await operator.call('POST', '/ops/reconciliations');
  const problems: string[] = [];
  if (reconciliation.status !== 'OK') problems.push(`reconciliation: ${JSON.stringify(reconciliation.checks)}`);
  const env = { ...process.env, DATABASE_URL: stack.databaseUrls['gateway_ledger'] };
  await run(process.execPath, [verifier], { env }).catch((error: unknown) => {
    problems.push(`ledger verify: ${(error as { stdout?: string }).stdout ?? (error as Error).message}`);
  });
  return problems;
}
