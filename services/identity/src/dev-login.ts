import { parseArgs } from 'node:util';
import { operatorRoleSchema, personNameSchema } from '@gateway/contracts/identity';
import { openDatabase } from '@gateway/persistence';
import { createLogger } from '@gateway/runtime';
import { readConfig } from '#src/config.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { createDevLink } from '#src/signing-in/create-dev-link.ts';

// Makes a link that signs an operator in on a developer's machine, where DEV_LOGIN is set:
//
//   node services/identity/src/dev-login.ts --name ana --roles admin,duty

const { values } = parseArgs({
  options: { name: { type: 'string', default: 'ana' }, roles: { type: 'string', default: 'admin,duty' } },
});
const config = readConfig(process.env);
const name = personNameSchema.parse(values.name);
const roles = operatorRoleSchema.array().parse(values.roles.split(','));
const { DATABASE_URL: url, INTERNAL_TLS_DIR: tls } = config;
await using database = await openDatabase({
  url,
  tls,
  entities: [],
  migrations,
  logger: createLogger('identity', 'warn'),
});
const token = await createDevLink({ database, config, now: () => new Date() }, { name, roles });
process.stdout.write(`${config.OPERATOR_CONSOLE_URL}/welcome#${token}\n`);
