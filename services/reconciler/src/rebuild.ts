import { Client } from 'pg';
import { databaseTls } from '@gateway/persistence';
import { readRebuildConfig } from '#src/config.ts';
import { rebuildScript } from '#src/matching/rebuild.ts';

// Has the running reconciler build its facts and matches anew from their sources, and says so.

const { DATABASE_URL: connectionString, INTERNAL_TLS_DIR: tls } = readRebuildConfig(process.env);
const client = new Client({ connectionString, ...databaseTls(tls) });
await client.connect();
try {
  await client.query(rebuildScript);
  process.stdout.write('facts and matches are forgotten; the reconciler reads its sources from their beginning\n');
} finally {
  await client.end();
}
