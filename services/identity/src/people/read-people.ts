import type { checkSecondPerson as checkContract, listPeople as listContract } from '@gateway/contracts/identity';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { unixSeconds } from '@gateway/contracts/values';
import type { Dependencies } from '#src/dependencies.ts';
import { personColumns, toPerson, type PersonRow } from '#src/people/person-row.ts';
import { later } from '#src/times.ts';

/** For so long who gave a person rights, or let it in, has no second person in it. */
const grantedCountsSec = 7 * 86_400;

/** By name. */
export async function listPeople(
  { database }: Pick<Dependencies, 'database'>,
  { realm, accountId }: PayloadOf<{ payload: typeof listContract.request }>,
): Promise<ReplyOf<typeof listContract>> {
  const rows = await database.query<PersonRow>(
    `select ${personColumns} from person p
     where p.realm = $1 and ($2::text is null or exists (
       select from membership m where m.realm = p.realm and m.person_id = p.id and m.account_id = $2))
     order by p.name`,
    [realm, accountId ?? null],
  );
  return { people: rows.map(toPerson) };
}

/** The rule against a second account of the proposer. Permissions are the gateway's to check; this is who may use them. */
export async function checkSecondPerson(
  { database, now }: Pick<Dependencies, 'database' | 'now'>,
  { realm, proposerId, deciderId }: PayloadOf<{ payload: typeof checkContract.request }>,
): Promise<ReplyOf<typeof checkContract>> {
  if (proposerId === deciderId) return { allowed: false, reason: 'same_person', allowedFrom: null };
  const [decider] = await database.query<{ readonly state: string; readonly granted_at: Date | null }>(
    `select p.state, g.at as granted_at from person p
     left join granted g on g.realm = p.realm and g.person_id = p.id and g.by_id = $3
     where p.realm = $1 and p.id = $2`,
    [realm, deciderId, proposerId],
  );
  if (decider?.state !== 'ACTIVE') return { allowed: false, reason: 'not_active', allowedFrom: null };
  const from = decider.granted_at && later(decider.granted_at, grantedCountsSec);
  if (from && from > now()) return { allowed: false, reason: 'by_proposer', allowedFrom: unixSeconds(from) };
  return { allowed: true, reason: null, allowedFrom: from ? unixSeconds(from) : null };
}
