import { parseArgs } from 'node:util';
import { merchantRoleSchema, operatorRoleSchema, personNameSchema } from '@gateway/contracts/identity';
import { idSchema } from '@gateway/money';
import { openDatabase } from '@gateway/persistence';
import { createLogger } from '@gateway/runtime';
import { readConfig } from '#src/config.ts';
import { originOf } from '#src/dependencies.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { createDevLink, type DevPerson } from '#src/signing-in/create-dev-link.ts';

// Makes a link that signs a person in on a developer's machine, where DEV_LOGIN is set: an operator, or with an account one
// of the people of that merchant:
//
//   node services/identity/src/dev-login.ts --name ana --roles admin,duty
//   node services/identity/src/dev-login.ts --name olga --roles owner --account acc_…

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'ana' },
    roles: { type: 'string', default: 'admin,duty' },
    account: { type: 'string' },
  },
});
const config = readConfig(process.env);
const name = personNameSchema.parse(values.name);
const person = personOf(values.roles.split(','), values.account);
const { DATABASE_URL: url, INTERNAL_TLS_DIR: tls } = config;
await using database = await openDatabase({
  url,
  tls,
  entities: [],
  migrations,
  logger: createLogger('identity', 'warn'),
});
const token = await createDevLink({ database, config, now: () => new Date() }, person);
process.stdout.write(`${originOf({ config }, person.realm)}/welcome#${token}\n`);

function personOf(roles: readonly string[], account: string | undefined): DevPerson {
  if (account === undefined) return { realm: 'operator', name, roles: operatorRoleSchema.array().parse(roles) };
  const accountId = idSchema('account').parse(account);
  return { realm: 'merchant', name, accountId, roles: merchantRoleSchema.array().parse(roles) };
}
