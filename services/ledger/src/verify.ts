import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { databaseTls } from '@gateway/persistence';
import { inSnapshot } from '#src/chain/snapshot.ts';
import type { ChainResult } from '#src/chain/verify-chain.ts';
import { readVerifyConfig } from '#src/config.ts';
import { numberTypes } from '#src/postgres/session-settings.ts';
import { verifyBehind } from '#src/proof/verify-behind.ts';
import { verifyWholeChain } from '#src/reconciliation/verify-chapter.ts';
import { shardLabel, shards } from '#src/shards.ts';

// Recomputes the hash chain of every shard from its rows, changing nothing. Names the first bad link; exits with 1
// then. With --from-checkpoint <file> it recomputes what follows the signed checkpoint in the file; --key <file> has the
// public keys it may be signed with, one a line. A chapter that was closed is compared with what its link says.

const { values } = parseArgs({ options: { 'from-checkpoint': { type: 'string' }, key: { type: 'string' } } });
const { DATABASE_URL: connectionString, INTERNAL_TLS_DIR: tls } = readVerifyConfig(process.env);
const pool = new Pool({
  ...{ connectionString, ...databaseTls(tls) },
  max: 1,
  types: numberTypes(),
});

function report(what: string, { firstBreak }: ChainResult): void {
  const result = firstBreak ? `BROKEN at ${firstBreak.sequence}: ${firstBreak.problem}` : 'intact';
  process.stdout.write(`${what}, ${result}\n`);
  if (firstBreak) process.exitCode = 1;
}

async function verifyAll(): Promise<void> {
  for (const shard of shards) {
    const result = await verifyWholeChain(pool, shard, ({ month, sha256 }) => {
      process.stdout.write(`${shardLabel(shard)}: chapter ${month} is not in the database, but in file ${sha256}\n`);
    });
    report(`${shardLabel(shard)}: ${result.links} links`, result);
  }
}

async function verifyFrom(file: string): Promise<void> {
  const keys = values.key === undefined ? [] : readFileSync(values.key, 'utf8').trim().split('\n');
  const note = readFileSync(file, 'utf8');
  const result = await inSnapshot(pool, (snapshot) => verifyBehind(snapshot, note, keys));
  const { shard, from, links } = result;
  report(`${shardLabel(shard)}: ${links - from} links behind the checkpoint of ${from}`, result);
}

try {
  const file = values['from-checkpoint'];
  await (file === undefined ? verifyAll() : verifyFrom(file));
} catch (error) {
  process.stdout.write(`BROKEN: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await pool.end();
}
