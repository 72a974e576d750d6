import { ConfigError } from '#src/run/load-config.ts';

const separator = '__';

/**
 * The environment of each service of one process. `LEDGER__DATABASE_URL` is the ledger's `DATABASE_URL`, which no other
 * service is handed and which is taken out of `env`; a variable without the name of a service is for all of them.
 *
 * @throws ConfigError when two services would share a database
 */
export function separateEnvironments(
  services: readonly string[],
  env: NodeJS.ProcessEnv,
): ReadonlyMap<string, NodeJS.ProcessEnv> {
  const own = new Map(
    services.map((service) => [prefixOf(service), { service, env: new Map<string, string | undefined>() }]),
  );
  for (const [name, value] of Object.entries(env)) {
    const end = name.indexOf(separator);
    const owner = own.get(name.slice(0, end + separator.length));
    if (end < 0 || !owner) continue;
    owner.env.set(name.slice(end + separator.length), value);
    Reflect.deleteProperty(env, name);
  }
  const environments = new Map(
    [...own.values()].map((each) => [each.service, { ...env, ...Object.fromEntries(each.env) }]),
  );
  requireOwnDatabases(environments);
  return environments;
}

/** `API_GATEWAY__` of `api-gateway`. */
function prefixOf(service: string): string {
  return `${service.toUpperCase().replaceAll('-', '_')}${separator}`;
}

function requireOwnDatabases(environments: ReadonlyMap<string, NodeJS.ProcessEnv>): void {
  const owners = new Map<string, string>();
  for (const [service, { DATABASE_URL: url }] of environments) {
    if (!url) continue;
    const other = owners.get(url);
    if (other !== undefined) throw new ConfigError([`DATABASE_URL of ${service} is that of ${other}`]);
    owners.set(url, service);
  }
}
