import { openDatabase, indexedSessions } from '@gateway/persistence';
import { createLogger } from '@gateway/runtime';
import { readRebuildConfig } from '#src/config.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { dumpLines } from '#src/months/dump-lines.ts';
import { firstMonthOf } from '#src/months/first-month.ts';
import { removeBefore } from '#src/months/remove-months.ts';

// Removes what was explained before a month from the reconciler's tables:
//   dump 2026-05 > file   writes the lines of statements from before that month into a file
//   remove 2026-05        removes what was explained before that month, which is the first that is kept

const usage = 'usage: months.ts dump|remove <year>-<month>';
/** An index of all that is old is built. */
const queryTimeoutMs = 3_600_000;

const { DATABASE_URL: url, INTERNAL_TLS_DIR: tls } = readRebuildConfig(process.env);
const logger = createLogger('reconciler', 'warn');
const options = { url, tls, entities: [], migrations, logger, queryTimeoutMs, sessionSettings: indexedSessions };
await using database = await openDatabase(options);
try {
  const [command = '', month = ''] = process.argv.slice(2);
  if (command !== 'dump' && command !== 'remove') throw new Error(usage);
  const first = await firstMonthOf(database, month, new Date());
  if (command === 'dump') {
    process.stderr.write(`${await dumpLines(database, first, process.stdout)} lines\n`);
  } else {
    const { matches, facts, lines } = await removeBefore(database, first);
    process.stderr.write(`${matches} matches, ${facts} facts and ${lines} lines are removed\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
