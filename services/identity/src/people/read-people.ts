import type {
  checkSecondPerson as checkContract,
  listPeople as listContract,
  Person,
} from '@gateway/contracts/identity';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import { unixSeconds } from '@gateway/contracts/values';
import type { Dependencies } from '#src/dependencies.ts';
import { personColumns, toPerson, type PersonRow } from '#src/people/person-row.ts';
import { later } from '#src/times.ts';

/** For so long a person is no second one for who gave it rights, or let it in, nor the other way round. */
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

/**
 * The rule against a second account of one person, which may propose as well as decide. Permissions are the gateway's to
 * check; this is who may use them.
 */
export async function checkSecondPerson(
  { database, now }: Pick<Dependencies, 'database' | 'now'>,
  { realm, proposerId, deciderId }: PayloadOf<{ payload: typeof checkContract.request }>,
): Promise<ReplyOf<typeof checkContract>> {
  const [proposer = null] = await database.query<Pick<Person, 'state' | 'roles'>>(
    'select state, roles from person where realm = $1 and id = $2',
    [realm, proposerId],
  );
  const refusedFor = (reason: 'same_person' | 'not_active') => ({
    allowed: false,
    reason,
    allowedFrom: null,
    proposer,
  });
  if (proposerId === deciderId) return refusedFor('same_person');
  const [decider] = await database.query<{
    readonly state: string;
    readonly by_proposer: Date | null;
    readonly by_decider: Date | null;
  }>(
    `select p.state, by_proposer.at as by_proposer, by_decider.at as by_decider from person p
     left join granted by_proposer
       on by_proposer.realm = p.realm and by_proposer.person_id = p.id and by_proposer.by_id = $3
     left join granted by_decider
       on by_decider.realm = p.realm and by_decider.person_id = $3 and by_decider.by_id = p.id
     where p.realm = $1 and p.id = $2`,
    [realm, deciderId, proposerId],
  );
  if (decider?.state !== 'ACTIVE') return refusedFor('not_active');
  const refused = refusalOf(decider.by_proposer, decider.by_decider);
  if (!refused) return { allowed: true, reason: null, allowedFrom: null, proposer };
  const allowedFrom = unixSeconds(refused.from);
  if (refused.from <= now()) return { allowed: true, reason: null, allowedFrom, proposer };
  return { allowed: false, reason: refused.reason, allowedFrom, proposer };
}

/** The one of the two acts that counts longer. */
function refusalOf(byProposer: Date | null, byDecider: Date | null) {
  const acts = [
    ...(byProposer ? [{ reason: 'by_proposer' as const, from: later(byProposer, grantedCountsSec) }] : []),
    ...(byDecider ? [{ reason: 'by_decider' as const, from: later(byDecider, grantedCountsSec) }] : []),
  ];
  return acts.toSorted((one, other) => other.from.getTime() - one.from.getTime())[0];
}
