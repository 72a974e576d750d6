import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

// `npm run ledger:verify`: proves the ledger's hash chain, on DATABASE_URL or on the ledger of the local stack.

/** The database, and its role. */
const database = 'gateway_ledger';
const verifier = fileURLToPath(new URL('../services/ledger/src/verify.ts', import.meta.url));
const databaseUrl = process.env['DATABASE_URL'] ?? localDatabaseUrl(process.env['GATEWAY_HOME'] ?? '.gateway');
const child = spawn(process.execPath, [verifier], {
  env: { ...process.env, DATABASE_URL: databaseUrl },
  stdio: 'inherit',
});
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;

/** The ledger's database in the embedded PostgreSQL of a stack that is running. */
function localDatabaseUrl(home: string): string {
  const running = join(home, 'postgres/data/postmaster.pid');
  if (!existsSync(running)) {
    process.stderr.write(`no stack is running in ${home}: start one, or set DATABASE_URL to the ledger's database\n`);
    process.exit(1);
  }
  const secrets = z.object({ databasePasswords: z.record(z.string(), z.string().min(1)) });
  const { databasePasswords } = secrets.parse(JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')));
  // PostgreSQL writes its port into the fourth line.
  const port = readFileSync(running, 'utf8').split('\n')[3] ?? '';
  return `postgresql://${database}:${encodeURIComponent(databasePasswords[database] ?? '')}@127.0.0.1:${port}/${database}`;
}
