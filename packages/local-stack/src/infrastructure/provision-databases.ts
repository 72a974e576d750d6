import { Client } from 'pg';
import { messageOf, StartFailure } from '#src/progress.ts';

/** A database with its one role, both called `name`. */
export interface OwnedDatabase {
  name: string;
  password: string;
}

const connectTimeoutMs = 10_000;

// Any constant will do; two stacks that provision the same server take turns.
const provisioningLock = 7_284_411;

/**
 * Gives every name a role and a database it owns, to which no other role can connect. Safe to repeat; an existing
 * role gets the given password.
 *
 * @param adminUrl URL of a role that may create roles and databases.
 * @returns the URL of each database, for its own role, by name.
 * @throws StartFailure when the server cannot be reached or refuses.
 */
export async function provisionDatabases(
  adminUrl: string,
  databases: readonly OwnedDatabase[],
): Promise<Record<string, string>> {
  const host = hostOf(adminUrl);
  const admin = new Client({ connectionString: adminUrl, connectionTimeoutMillis: connectTimeoutMs });
  try {
    await admin.connect();
    await admin.query('SELECT pg_advisory_lock($1)', [provisioningLock]);
    for (const database of databases) await provision(admin, database);
    await closeSharedDatabases(admin);
  } catch (error) {
    throw new StartFailure(`cannot prepare the databases on ${host}: ${messageOf(error)}`);
  } finally {
    await admin.end().catch(() => undefined);
  }
  return Object.fromEntries(databases.map((database) => [database.name, urlFor(adminUrl, database)]));
}

async function provision(admin: Client, { name, password }: OwnedDatabase): Promise<void> {
  const [role, secret] = [admin.escapeIdentifier(name), admin.escapeLiteral(password)];
  const { rows } = await admin.query<{ role_exists: boolean; database_exists: boolean; superuser: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role_exists,
            EXISTS (SELECT FROM pg_database WHERE datname = $1) AS database_exists,
            (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser`,
    [name],
  );
  const found = rows[0];
  const rights = `LOGIN NOCREATEDB NOCREATEROLE ${found?.superuser ? 'NOSUPERUSER NOREPLICATION NOBYPASSRLS ' : ''}`;
  await admin.query(`${found?.role_exists ? 'ALTER' : 'CREATE'} ROLE ${role} WITH ${rights}PASSWORD ${secret}`);
  if (found?.database_exists !== true) {
    // Only a superuser may give a database to a role it is not a member of.
    if (found?.superuser !== true) await admin.query(`GRANT ${role} TO CURRENT_USER`);
    await admin.query(`CREATE DATABASE ${role} OWNER ${role}`);
  }
  await admin.query(`REVOKE ALL ON DATABASE ${role} FROM PUBLIC`);
}

/** Everybody may connect to a new cluster's own databases; a service has no business there. */
async function closeSharedDatabases(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database
     WHERE datname IN ('postgres', 'template1') AND pg_has_role(datdba, 'USAGE')
       AND has_database_privilege('public', datname, 'CONNECT')`,
  );
  for (const { name } of rows) await admin.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
}

function urlFor(adminUrl: string, { name, password }: OwnedDatabase): string {
  const url = new URL(adminUrl);
  url.username = name;
  url.password = password;
  url.pathname = `/${name}`;
  // How the administrator knows the server is no part of a service's URL.
  url.searchParams.delete('sslmode');
  url.searchParams.delete('sslrootcert');
  return url.href;
}

function hostOf(adminUrl: string): string {
  const host = URL.canParse(adminUrl) ? new URL(adminUrl).host : '';
  if (host !== '') return host;
  throw new StartFailure('DATABASE_URL must look like postgresql://user:password@host:5432/postgres');
}
