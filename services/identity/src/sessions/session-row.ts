import {
  moneyPermissions,
  operatorGrant,
  type Factor,
  type OperatorPermission,
  type Realm,
  type Session,
} from '@gateway/contracts/identity';
import { unixSeconds } from '@gateway/contracts/values';
import type { Config } from '#src/config.ts';
import { personColumns, toMemberships, type PersonRow } from '#src/people/person-row.ts';
import { later } from '#src/times.ts';

/** How long a session lasts without a real request, and at all. */
export const sessionTimes: Readonly<Record<Realm, { readonly idleSec: number; readonly longestSec: number }>> = {
  operator: { idleSec: 900, longestSec: 36_000 },
  merchant: { idleSec: 1_800, longestSec: 43_200 },
};

export interface SessionRow extends Omit<PersonRow, 'created_at'> {
  readonly session_id: string;
  readonly factor: Factor;
  readonly token_digest: Buffer;
  readonly token_issued_at: Date;
  readonly rotation_due: boolean;
  readonly step_up_from: Date;
  readonly address: string;
  readonly user_agent: string;
  readonly begun_at: Date;
  readonly last_seen_at: Date;
  readonly ends_at: Date;
}

/** From `session s join person p`. */
export const sessionColumns = `${personColumns}, s.id as session_id, s.factor, s.token_digest, s.token_issued_at,
  s.rotation_due, s.step_up_from, s.address, s.user_agent, s.created_at as begun_at, s.last_seen_at, s.ends_at`;

/** What makes a session one that is in force; `$2` is now. */
export const inForce = `s.ended_at is null and s.ends_at > $2 and p.state = 'ACTIVE'
  and s.last_seen_at > $2 - case s.realm when 'operator' then interval '${sessionTimes.operator.idleSec} seconds'
                                         else interval '${sessionTimes.merchant.idleSec} seconds' end`;

export function toSession(row: SessionRow, { PASSKEYS_FOR_MONEY }: Pick<Config, 'PASSKEYS_FOR_MONEY'>): Session {
  return {
    id: row.session_id,
    realm: row.realm,
    personId: row.id,
    personName: row.name,
    roles: row.roles,
    memberships: toMemberships(row.memberships),
    withheld: row.passkeys < PASSKEYS_FOR_MONEY ? withheldOf(row) : [],
    factor: row.factor,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: unixSeconds(row.begun_at),
    lastSeenAt: unixSeconds(row.last_seen_at),
    idleEndsAt: unixSeconds(later(row.last_seen_at, sessionTimes[row.realm].idleSec)),
    endsAt: unixSeconds(row.ends_at),
    stepUpFrom: unixSeconds(row.step_up_from),
  };
}

function withheldOf({ realm, roles }: SessionRow): OperatorPermission[] {
  if (realm !== 'operator') return [];
  return moneyPermissions.filter((permission) => operatorGrant(roles, permission) !== null);
}
