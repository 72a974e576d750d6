import type { MerchantRole, Membership, OperatorRole, Person, Realm } from '@gateway/contracts/identity';
import { NotFoundError } from '@gateway/contracts/errors';
import { type Environment, unixSeconds, unixSecondsOrNull } from '@gateway/contracts/values';
import type { Queries } from '@gateway/persistence';

export interface PersonRow {
  readonly realm: Realm;
  readonly id: string;
  readonly name: string;
  readonly state: Person['state'];
  readonly roles: OperatorRole[];
  readonly memberships: {
    readonly account_id: string;
    readonly roles: MerchantRole[];
    readonly environments: Environment[];
  }[];
  readonly passkeys: number;
  readonly has_password: boolean;
  readonly last_sign_in_at: Date | null;
  readonly created_at: Date;
}

/** The columns of a person with what belongs to it; from `person p`. */
export const personColumns = `p.realm, p.id, p.name, p.state, p.roles, p.last_sign_in_at, p.created_at,
  coalesce((select json_agg(json_build_object('account_id', m.account_id, 'roles', m.roles, 'environments', m.environments)
                            order by m.account_id)
            from membership m where m.realm = p.realm and m.person_id = p.id), '[]') as memberships,
  (select count(*)::int from passkey k where k.realm = p.realm and k.person_id = p.id) as passkeys,
  exists (select from password w where w.realm = p.realm and w.person_id = p.id) as has_password`;

export function toMemberships(rows: PersonRow['memberships']): Membership[] {
  return rows.map(({ account_id, roles, environments }) => ({ accountId: account_id, roles, environments }));
}

export function toPerson(row: PersonRow): Person {
  return {
    id: row.id,
    realm: row.realm,
    name: row.name,
    state: row.state,
    roles: row.roles,
    memberships: toMemberships(row.memberships),
    passkeys: row.passkeys,
    hasPassword: row.has_password,
    lastSignInAt: unixSecondsOrNull(row.last_sign_in_at),
    createdAt: unixSeconds(row.created_at),
  };
}

/** @throws NotFoundError when the realm has no such person */
export async function readPerson(queries: Queries, realm: Realm, personId: string): Promise<PersonRow> {
  const [row] = await queries.query<PersonRow>(
    `select ${personColumns} from person p where p.realm = $1 and p.id = $2`,
    [realm, personId],
  );
  if (!row) throw new NotFoundError('person');
  return row;
}
