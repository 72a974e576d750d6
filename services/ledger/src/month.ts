import { Pool } from 'pg';
import { databaseTls } from '@gateway/persistence';
import { detachMonth, dumpMonth, restoreMonth } from '#src/chapters/move-month.ts';
import { readVerifyConfig } from '#src/config.ts';
import { numberTypes } from '#src/postgres/session-settings.ts';

// Moves a month of the ledger out of the database and back:
//   dump 2026-10 > file      writes its results and entries, and says the file's SHA-256 on stderr
//   detach 2026-10           takes its partitions out of the tables; they stay as tables of their own
//   restore 2026-10 < file   makes the partitions again from the file
//   attach 2026-10           makes partitions of the tables that detach has left

const usage = 'usage: month.ts dump|detach|restore|attach <year>-<month>';
const { DATABASE_URL: connectionString, INTERNAL_TLS_DIR: tls } = readVerifyConfig(process.env);
const pool = new Pool({ ...{ connectionString, ...databaseTls(tls) }, max: 1, types: numberTypes() });

const commands: Readonly<Record<string, (month: string) => Promise<string>>> = {
  dump: async (month) => `${await dumpMonth(pool, month, process.stdout)} is the SHA-256 of the file`,
  detach: async (month) => {
    await detachMonth(pool, month);
    return `${month} is detached`;
  },
  restore: async (month) => {
    await restoreMonth(pool, month, process.stdin);
    return `${month} is restored`;
  },
  attach: async (month) => {
    await restoreMonth(pool, month);
    return `${month} is attached`;
  },
};

try {
  const [command = '', month = ''] = process.argv.slice(2);
  const run = commands[command];
  if (!run) throw new Error(usage);
  process.stderr.write(`${await run(month)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await pool.end();
}
