import { Pool } from 'pg';
import { databaseTls } from '@gateway/persistence';
import { inSnapshot } from '#src/chain/snapshot.ts';
import { verifyChain } from '#src/chain/verify-chain.ts';
import { readVerifyConfig } from '#src/config.ts';
import { numberTypes } from '#src/postgres/session-settings.ts';
import { shardLabel, shards } from '#src/shards.ts';

// Recomputes the hash chain of every shard from its rows, changing nothing. Names the first bad link; exits with 1
// then.

const { DATABASE_URL: connectionString, INTERNAL_TLS_DIR: tls } = readVerifyConfig(process.env);
const pool = new Pool({
  ...{ connectionString, ...databaseTls(tls) },
  max: 1,
  types: numberTypes(),
});
try {
  for (const shard of shards) {
    const { links, firstBreak } = await inSnapshot(pool, (snapshot) => verifyChain(snapshot, shard));
    const result = firstBreak ? `BROKEN at ${firstBreak.sequence}: ${firstBreak.problem}` : 'intact';
    process.stdout.write(`${shardLabel(shard)}: ${links} links, ${result}\n`);
    if (firstBreak) process.exitCode = 1;
  }
} finally {
  await pool.end();
}
