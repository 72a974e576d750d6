import {
  peopleChangedSignal,
  type changeRoles as changeContract,
  type Membership,
  type Person,
  type Realm,
  type reinstatePerson as reinstateContract,
  type suspendPerson as suspendContract,
} from '@gateway/contracts/identity';
import { ValidationError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
import type { Environment } from '@gateway/contracts/values';
import { queriesIn, type Tx } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { InvalidStateError } from '#src/errors.ts';
import { recordDone } from '#src/history/record.ts';
import { lockRights, recordGranted, requireAdmins, requireOwner } from '#src/people/lasting-rights.ts';
import { readPerson, toPerson } from '#src/people/person-row.ts';
import { endSessionsOf } from '#src/sessions/end-sessions.ts';

type Change = PayloadOf<{ payload: typeof changeContract.request }>;

/** Sets what a person may do. Raising and lowering are one: who may ask for which is the gateway's to check. */
export async function changeRoles(
  dependencies: Dependencies,
  { realm, personId, by, approvedBy, rights }: Change,
): Promise<ReplyOf<typeof changeContract>> {
  requireRightsOf(realm, rights);
  const at = dependencies.now();
  return await dependencies.database.transaction(async (tx) => {
    await lockRights(tx, realm);
    const before = toPerson(await readPerson(queriesIn(tx), realm, personId));
    if ('roles' in rights) {
      await tx.sql('update person set roles = $3 where realm = $1 and id = $2', [realm, personId, rights.roles]);
      if (isActiveAdmin(before) && !rights.roles.includes('admin')) await requireAdmins(tx);
    } else {
      await setMembership(tx, before, rights);
    }
    const person = toPerson(await readPerson(queriesIn(tx), realm, personId));
    if (gainsRights(before, person)) await recordGranted(tx, { realm, personId }, { by, approvedBy }, at);
    await tx.sql('update session set rotation_due = true where realm = $1 and person_id = $2 and ended_at is null', [
      realm,
      personId,
    ]);
    const detail = JSON.stringify({ before: rightsOf(before), after: rightsOf(person) });
    await recordDone(tx, { realm, personId, what: 'roles.changed', detail, by }, at);
    tx.afterCommit(() => dependencies.signal(peopleChangedSignal, { realm, personId }));
    return { before, person };
  });
}

type Rights = Change['rights'];
type MembershipChange = Exclude<Rights, { readonly roles: unknown }>;

async function setMembership(tx: Tx, { realm, id, ...before }: Person, change: MembershipChange): Promise<void> {
  const { accountId, membership } = change;
  const had = before.memberships.find((each) => each.accountId === accountId);
  if (membership) {
    await tx.sql(
      `insert into membership (realm, person_id, account_id, roles, environments) values ($1, $2, $3, $4, $5)
       on conflict (realm, person_id, account_id)
         do update set roles = excluded.roles, environments = excluded.environments`,
      [realm, id, accountId, membership.roles, membership.environments],
    );
  } else {
    await tx.sql('delete from membership where realm = $1 and person_id = $2 and account_id = $3', [
      realm,
      id,
      accountId,
    ]);
  }
  if (isOwner(had) && !isOwner(membership)) await requireOwner(tx, accountId);
  if (isOwner(had, 'live') && !isOwner(membership, 'live')) await requireOwner(tx, accountId, 'live');
}

function isOwner(part: Omit<Membership, 'accountId'> | null | undefined, environment?: Environment): boolean {
  if (!part?.roles.includes('owner')) return false;
  return environment === undefined || part.environments.includes(environment);
}

function requireRightsOf(realm: Realm, rights: Rights): void {
  if ('roles' in rights === (realm === 'operator')) return;
  const message = realm === 'operator' ? 'must be roles: operators have no account' : 'must be of one account';
  throw new ValidationError([{ path: 'rights', message }]);
}

function rightsOf({ roles, memberships }: Person): object {
  return { roles, memberships };
}

function isActiveAdmin({ state, roles }: Person): boolean {
  return state === 'ACTIVE' && roles.includes('admin');
}

function gainsRights(before: Person, after: Person): boolean {
  const held = new Set(grantsOf(before));
  return grantsOf(after).some((grant) => !held.has(grant));
}

function grantsOf({ roles, memberships }: Person): string[] {
  const inAccounts = memberships.flatMap(({ accountId, roles: own, environments }) =>
    own.flatMap((role) => environments.map((environment) => `${accountId} ${role} ${environment}`)),
  );
  return [...roles, ...inAccounts];
}

/** At once, by one person: it takes away, and two can give back. */
export async function suspendPerson(
  dependencies: Dependencies,
  request: PayloadOf<{ payload: typeof suspendContract.request }>,
): Promise<ReplyOf<typeof suspendContract>> {
  const at = dependencies.now();
  const change = { from: 'ACTIVE', to: 'SUSPENDED', what: 'person.suspended', at } as const;
  return await changeState(dependencies, request, change, async (tx, before) => {
    if (isActiveAdmin(before)) await requireAdmins(tx);
    await endSessionsOf(tx, dependencies, { realm: before.realm, personId: before.id, at });
  });
}

/** Counts as giving rights: who let a person in again have no second person in it for a week. */
export async function reinstatePerson(
  dependencies: Dependencies,
  request: PayloadOf<{ payload: typeof reinstateContract.request }>,
): Promise<ReplyOf<typeof reinstateContract>> {
  const at = dependencies.now();
  const change = { from: 'SUSPENDED', to: 'ACTIVE', what: 'person.reinstated', at } as const;
  return await changeState(dependencies, request, change, async (tx, { realm, id: personId }) =>
    recordGranted(tx, { realm, personId }, request, at),
  );
}

interface StateChange {
  readonly from: Person['state'];
  readonly to: Person['state'];
  readonly what: string;
  readonly at: Date;
}

/** @throws InvalidStateError when the person is in another state than `from` */
async function changeState(
  { database, signal }: Dependencies,
  { realm, personId, by, reason }: PayloadOf<{ payload: typeof suspendContract.request }>,
  { from, to, what, at }: StateChange,
  follow: (tx: Tx, before: Person) => Promise<void>,
): Promise<{ readonly person: Person }> {
  return await database.transaction(async (tx) => {
    await lockRights(tx, realm);
    const before = toPerson(await readPerson(queriesIn(tx), realm, personId));
    if (before.state !== from) throw new InvalidStateError(`the person is ${before.state}`);
    await tx.sql('update person set state = $3 where realm = $1 and id = $2', [realm, personId, to]);
    await follow(tx, before);
    await recordDone(tx, { realm, personId, what, detail: reason, by }, at);
    tx.afterCommit(() => signal(peopleChangedSignal, { realm, personId }));
    return { person: { ...before, state: to } };
  });
}
