import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * Runs a script of a service on its database: on DATABASE_URL, or on the embedded PostgreSQL of the stack that is running.
 * The script gets this process's arguments, and this process ends with the script's code.
 *
 * @param database and its role
 * @param script its path from this file
 */
export async function runOnDatabase(database: string, script: string): Promise<void> {
  const home = process.env['GATEWAY_HOME'] ?? '.gateway';
  const databaseUrl = process.env['DATABASE_URL'] ?? localDatabaseUrl(home, database);
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...process.argv.slice(2)], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}

function localDatabaseUrl(home: string, database: string): string {
  const running = join(home, 'postgres/data/postmaster.pid');
  if (!existsSync(running)) {
    process.stderr.write(
      `no stack is running in ${home}: start one, or set DATABASE_URL to the database ${database}\n`,
    );
    process.exit(1);
  }
  const secrets = z.object({ databasePasswords: z.record(z.string(), z.string().min(1)) });
  const { databasePasswords } = secrets.parse(JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')));
  // PostgreSQL writes its port into the fourth line.
  const port = readFileSync(running, 'utf8').split('\n')[3] ?? '';
  return `postgresql://${database}:${encodeURIComponent(databasePasswords[database] ?? '')}@127.0.0.1:${port}/${database}`;
}
