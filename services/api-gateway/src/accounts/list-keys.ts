import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { KeyScope } from '@gateway/contracts/accounts';
import type { ApiVersion, Environment } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import { type KeysQuery, secondsOfPeriod, zoneDefault } from '@gateway/public-api';
import type { Database } from '@gateway/persistence';

interface KeyRow {
  readonly public_key: string;
  readonly environment: Environment;
  readonly api_version: ApiVersion;
  readonly name: string | null;
  readonly scopes: readonly KeyScope[] | null;
  readonly ip_allowlist: readonly string[];
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
  readonly claim_expires_at: Date | null;
  readonly claimed_at: Date | null;
}

/** Public keys are random, so their order is that of their issue, and by name within one instant. */
const statement = `
  select public_key, environment, api_version, name, scopes, ip_allowlist, created_at, last_used_at, revoked_at,
         claim_expires_at, claimed_at
    from api_key k
   where account_id = $1
     and ($2::text is null or (created_at, public_key) < (select c.created_at, c.public_key from api_key c where c.public_key = $2))
     and ($4::text is null or environment = $4) and ($5::text is null or api_version = $5)
     and ($6::text is null or (revoked_at is not null) = ($6 = 'revoked'))
     and ($7::text is null or strpos(lower(name), lower($7)) > 0)
     and ($8::float8 is null or created_at >= to_timestamp($8)) and ($9::float8 is null or created_at < to_timestamp($9))
   order by created_at desc, public_key desc limit $3`;

type AskedKeys = Omit<KeysQuery, 'format' | 'raw' | 'zone'> & Partial<Pick<KeysQuery, 'zone'>>;

/** A page of the keys of an account, newest first, revoked ones included; never anything of a secret. */
export async function listKeys(database: Database, accountId: string, query: AskedKeys) {
  const { limit, cursor, environment, api_version: apiVersion, status, name } = query;
  const { from, to } = secondsOfPeriod({ zone: zoneDefault, ...query });
  const [account] = isId('account', accountId)
    ? await database.query('select 1 from account where id = $1', [accountId])
    : [];
  if (!account) throw new NotFoundError('account');
  if (cursor !== undefined) {
    const owned = 'select 1 from api_key where public_key = $1 and account_id = $2';
    const [key] = await database.query(owned, [cursor, accountId]);
    if (!key) throw new ValidationError([{ path: 'cursor', message: 'is not the key of a record in this list' }]);
  }
  const filters = [environment, apiVersion, status, name, from, to].map((filter) => filter ?? null);
  const found = await database.query<KeyRow>(statement, [accountId, cursor ?? null, limit + 1, ...filters]);
  const rows = found.slice(0, limit);
  return { keys: rows.map(present), nextCursor: found.length > limit ? (rows.at(-1)?.public_key ?? null) : null };
}

function present(row: KeyRow) {
  return {
    object: 'key',
    public_key: row.public_key,
    environment: row.environment,
    api_version: row.api_version,
    name: row.name,
    scopes: row.scopes,
    ip_allowlist: row.ip_allowlist,
    created_at: seconds(row.created_at),
    last_used_at: row.last_used_at && seconds(row.last_used_at),
    revoked_at: row.revoked_at && seconds(row.revoked_at),
    claim_expires_at: row.claim_expires_at && seconds(row.claim_expires_at),
    claimed_at: row.claimed_at && seconds(row.claimed_at),
  };
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
