import { openDatabase } from '@gateway/persistence';
import { createLogger } from '@gateway/runtime';
import { readRebuildConfig } from '#src/config.ts';
import { rebuildScript } from '#src/matching/rebuild.ts';
import { migrations } from '#src/migrations/migrations.ts';

// Has the running reconciler build its facts and matches anew from their sources.

/** All lines are marked as not entered, however many there are. */
const queryTimeoutMs = 3_600_000;

const { DATABASE_URL: url, INTERNAL_TLS_DIR: tls } = readRebuildConfig(process.env);
const logger = createLogger('reconciler', 'warn');
await using database = await openDatabase({ url, tls, entities: [], migrations, logger, queryTimeoutMs });
await database.pool.query(rebuildScript);
process.stdout.write('facts and matches are forgotten; the reconciler reads its sources from their beginning\n');
