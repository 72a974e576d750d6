import { newId } from '@gateway/money';
import { queriesIn, type Tx } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { InvalidStateError } from '#src/errors.ts';
import { recordDone } from '#src/history/record.ts';
import { bootstrapAdminsMax } from '#src/invitations/accept-invitation.ts';
import { reset, revokeOpen } from '#src/invitations/begin-recovery.ts';
import { insertInvitation, invitationLifeSec, type Drafted } from '#src/invitations/invite.ts';
import { activeAdmins, lockRights } from '#src/people/lasting-rights.ts';
import { readPerson } from '#src/people/person-row.ts';
import { later } from '#src/times.ts';

const realm = 'operator';
const breakGlassLifeSec = 3_600;

/**
 * A link that makes an admin without a second person: for the first two of a deployment, and with `breakGlass` for one whose
 * admins have lost their credentials. It needs access to the database; with that access, everything else is reached too.
 *
 * @throws InvalidStateError when two admins are active, or links for two are open, without `breakGlass`
 */
export async function bootstrapAdmin(
  { database, now }: Pick<Dependencies, 'database' | 'now'>,
  { name, breakGlass }: { readonly name: string; readonly breakGlass: boolean },
): Promise<{ readonly token: string; readonly endsAt: Date }> {
  const at = now();
  return await database.transaction(async (tx) => {
    await lockRights(tx, realm);
    if (!breakGlass && (await adminsAndLinks(tx, name, at)) >= bootstrapAdminsMax) {
      throw new InvalidStateError('two admins are there, or have a link: they invite the others');
    }
    const [known] = await tx.sql<{ readonly id: string }>('select id from person where realm = $1 and name = $2', [
      realm,
      name,
    ]);
    if (known && !breakGlass) throw new InvalidStateError('the name is taken: use --break-glass to reset the person');
    const drafted: Drafted = {
      ...{ realm, name, membership: null, purpose: 'bootstrap', break_glass: breakGlass, invited_by: 'bootstrap' },
      ends_at: later(at, breakGlass ? breakGlassLifeSec : invitationLifeSec),
      person_id: known?.id ?? newId('person'),
      roles: known ? await rolesWithAdmin(tx, known.id) : ['admin'],
    };
    const { row, token } = await linkFor(tx, { now }, drafted, known !== undefined);
    const what = breakGlass ? 'bootstrap.break_glass' : 'bootstrap.link';
    await recordDone(tx, { realm, personId: known?.id ?? null, name, what, by: 'bootstrap' }, at);
    return { token, endsAt: row.ends_at };
  });
}

async function linkFor(
  tx: Tx,
  { now }: Pick<Dependencies, 'now'>,
  drafted: Drafted,
  isKnown: boolean,
): ReturnType<typeof insertInvitation> {
  // The command has no connection to the broker: gateways learn within a second, when they ask again.
  if (isKnown) return await reset(tx, { now, signal: () => undefined }, drafted);
  await revokeOpen(tx, drafted.realm, drafted.name);
  return await insertInvitation(tx, drafted, now());
}

/** Without those of this name: a lost link is replaced. */
async function adminsAndLinks(tx: Tx, name: string, at: Date): Promise<number> {
  const [links] = await tx.sql<{ readonly count: number }>(
    `select count(*)::int as count from invitation
     where realm = $1 and name <> $2 and purpose = 'bootstrap' and state = 'OPEN' and ends_at > $3`,
    [realm, name, at],
  );
  return (await activeAdmins(tx)) + (links?.count ?? 0);
}

async function rolesWithAdmin(tx: Tx, personId: string): Promise<Drafted['roles']> {
  const { roles } = await readPerson(queriesIn(tx), realm, personId);
  return [...new Set([...roles, 'admin' as const])];
}
