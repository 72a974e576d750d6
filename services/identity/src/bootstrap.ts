import { parseArgs } from 'node:util';
import { personNameSchema } from '@gateway/contracts/identity';
import { DomainError } from '@gateway/contracts/errors';
import { openDatabase } from '@gateway/persistence';
import { createLogger } from '@gateway/runtime';
import { readConfig } from '#src/config.ts';
import { bootstrapAdmin } from '#src/invitations/bootstrap-admin.ts';
import { migrations } from '#src/migrations/migrations.ts';

// Makes a link for an admin of a new deployment, or with --break-glass for one whose admins cannot sign in:
//
//   node services/identity/src/bootstrap.ts --name ana [--break-glass]

const { values } = parseArgs({
  options: { name: { type: 'string' }, 'break-glass': { type: 'boolean', default: false } },
});
const name = personNameSchema.safeParse(values.name);
if (name.success) await printLink(name.data, values['break-glass']);
else fail(`--name ${name.error.issues[0]?.message ?? 'is missing'}`);

async function printLink(person: string, breakGlass: boolean): Promise<void> {
  const { DATABASE_URL: url, INTERNAL_TLS_DIR: tls, OPERATOR_CONSOLE_URL: console } = readConfig(process.env);
  const logger = createLogger('identity', 'warn');
  await using database = await openDatabase({ url, tls, entities: [], migrations, logger });
  try {
    const dependencies = { database, now: () => new Date() };
    const { token, endsAt } = await bootstrapAdmin(dependencies, { name: person, breakGlass });
    // In the fragment: browsers send it to no server, so it is in no log.
    process.stdout.write(`${console}/welcome#${token}\nonce, until ${endsAt.toISOString()}\n`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    fail(error.message);
  }
}

function fail(reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}
