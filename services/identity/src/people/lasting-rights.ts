import type { Realm } from '@gateway/contracts/identity';
import type { Environment } from '@gateway/contracts/values';
import type { Tx } from '@gateway/persistence';
import { InvalidStateError } from '#src/errors.ts';

/** One admin alone could neither invite nor be replaced: both take two. */
const adminsMin = 2;

/** Serialises all that could take the last rights of a realm away. */
export async function lockRights(tx: Tx, realm: Realm): Promise<void> {
  await tx.sql("select pg_advisory_xact_lock(hashtext('rights of ' || $1))", [realm]);
}

/** Who gave rights to a person, or let it in. */
interface Given {
  readonly by: string;
  /** Who agreed to it, and was shown its link, where it took two. */
  readonly approvedBy: string | null;
}

/** Records who gave rights to the person or let it in; the latest counts. Bootstrap is no person. */
export async function recordGranted(
  tx: Tx,
  { realm, personId }: { readonly realm: Realm; readonly personId: string },
  { by, approvedBy }: Given,
  at: Date,
): Promise<void> {
  for (const giver of new Set([by, approvedBy])) {
    if (giver === null || giver === 'bootstrap') continue;
    await tx.sql(
      `insert into granted (realm, person_id, by_id, at) values ($1, $2, $3, $4)
       on conflict (realm, person_id, by_id) do update set at = excluded.at`,
      [realm, personId, giver, at],
    );
  }
}

/**
 * To be called after an operator lost the role, in the same transaction.
 * @throws InvalidStateError when fewer than two active admins are left
 */
export async function requireAdmins(tx: Tx): Promise<void> {
  if ((await activeAdmins(tx)) < adminsMin) throw new InvalidStateError('two active admins have to be left');
}

export async function activeAdmins(tx: Tx): Promise<number> {
  const [row] = await tx.sql<{ readonly count: number }>(
    "select count(*)::int as count from person where realm = 'operator' and state = 'ACTIVE' and 'admin' = any (roles)",
  );
  return row?.count ?? 0;
}

/**
 * To be called after a person lost an owner's rights, in the same transaction.
 * @param environment where an owner has to be left; without it, anywhere
 * @throws InvalidStateError when an account is left without an active owner
 */
export async function requireOwner(tx: Tx, accountId: string, environment?: Environment): Promise<void> {
  const [row] = await tx.sql<{ readonly count: number }>(
    `select count(*)::int as count from membership m join person p on p.realm = m.realm and p.id = m.person_id
     where m.account_id = $1 and 'owner' = any (m.roles) and p.state = 'ACTIVE'
       and ($2::text is null or $2 = any (m.environments))`,
    [accountId, environment ?? null],
  );
  if (row?.count) return;
  throw new InvalidStateError(
    `the account would be left without an owner${environment ? ` in ${environment} mode` : ''}`,
  );
}
