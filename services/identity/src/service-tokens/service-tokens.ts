import {
  sessionsRevokedSignal,
  type createServiceToken as createContract,
  type listServiceTokens as listContract,
  type resolveServiceToken as resolveContract,
  type revokeServiceToken as revokeContract,
  type ServiceToken,
} from '@gateway/contracts/identity';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { unixSeconds, unixSecondsOrNull } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import { isWithin } from '@gateway/runtime/http';
import type { Dependencies } from '#src/dependencies.ts';
import { recordDone } from '#src/history/record.ts';
import { later } from '#src/times.ts';
import { digestOf, fromHex, newToken } from '#src/tokens.ts';

/** Secret scanners know them by it. */
const tokenPrefix = 'opst_';
const realm = 'operator';
/** One that ended longer ago is listed no more. */
const listedSec = 90 * 86_400;
/** When a token was last used is known to the minute: each use would be a write. */
const usedEverySec = 60;

interface ServiceTokenRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: ServiceToken['scopes'];
  readonly allowlist: string[];
  readonly created_by: string;
  readonly approved_by: string | null;
  readonly created_at: Date;
  readonly ends_at: Date;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

export async function createServiceToken(
  { database, now }: Dependencies,
  { name, scopes, allowlist, lifeSec, by, approvedBy }: PayloadOf<{ payload: typeof createContract.request }>,
): Promise<ReplyOf<typeof createContract>> {
  const at = now();
  const token = `${tokenPrefix}${newToken()}`;
  return await database.transaction(async (tx) => {
    const [row] = await tx.sql<ServiceTokenRow>(
      `insert into service_token (id, name, token_digest, scopes, allowlist, created_by, approved_by, created_at, ends_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning *`,
      [newId('serviceToken'), name, digestOf(token), scopes, allowlist, by, approvedBy, at, later(at, lifeSec)],
    );
    if (!row) throw new Error('the service token was not written');
    const detail = JSON.stringify({ id: row.id, name, scopes, allowlist, approvedBy });
    await recordDone(tx, { realm, personId: null, what: 'service_token.created', detail, by }, at);
    return { serviceToken: toServiceToken(row), token };
  });
}

export async function listServiceTokens({ database, now }: Dependencies): Promise<ReplyOf<typeof listContract>> {
  const rows = await database.query<ServiceTokenRow>(
    'select * from service_token where ends_at > $1 and (revoked_at is null or revoked_at > $1) order by id desc',
    [later(now(), -listedSec)],
  );
  return { serviceTokens: rows.map(toServiceToken) };
}

export async function revokeServiceToken(
  { database, now, signal }: Dependencies,
  { id, by }: PayloadOf<{ payload: typeof revokeContract.request }>,
): Promise<ReplyOf<typeof revokeContract>> {
  const at = now();
  return await database.transaction(async (tx) => {
    const [row] = await tx.sql<ServiceTokenRow>(
      'update service_token set revoked_at = coalesce(revoked_at, $2) where id = $1 returning *',
      [id, at],
    );
    if (!row) throw new NotFoundError('service token');
    await recordDone(tx, { realm, personId: null, what: 'service_token.revoked', detail: id, by }, at);
    tx.afterCommit(() => signal(sessionsRevokedSignal, { realm, ids: [id] }));
    return { serviceToken: toServiceToken(row) };
  });
}

/** @throws DomainError AUTH_INVALID, AUTH_IP_BLOCKED */
export async function resolveServiceToken(
  { database, now }: Dependencies,
  { tokenDigest, address }: PayloadOf<{ payload: typeof resolveContract.request }>,
): Promise<ReplyOf<typeof resolveContract>> {
  const at = now();
  const [row] = await database.query<ServiceTokenRow>(
    'select * from service_token where token_digest = $1 and revoked_at is null and ends_at > $2',
    [fromHex(tokenDigest), at],
  );
  if (!row) throw new DomainError('AUTH_INVALID', 'the token is not valid');
  if (row.allowlist.length > 0 && !isWithin(row.allowlist, address)) {
    throw new DomainError('AUTH_IP_BLOCKED', 'the token may not be used from this address');
  }
  if (!row.last_used_at || later(row.last_used_at, usedEverySec) <= at) {
    await database.query('update service_token set last_used_at = $2 where id = $1', [row.id, at]);
  }
  return { serviceToken: toServiceToken(row) };
}

function toServiceToken(row: ServiceTokenRow): ServiceToken {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    allowlist: row.allowlist,
    createdBy: row.created_by,
    approvedBy: row.approved_by,
    createdAt: unixSeconds(row.created_at),
    endsAt: unixSeconds(row.ends_at),
    lastUsedAt: unixSecondsOrNull(row.last_used_at),
    revokedAt: unixSecondsOrNull(row.revoked_at),
  };
}
