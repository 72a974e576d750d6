import type { MerchantRole, OperatorRole } from '@gateway/contracts/identity';
import { newId } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import type { Dependencies } from '#src/dependencies.ts';
import { InvalidStateError } from '#src/errors.ts';
import { recordDone } from '#src/history/record.ts';
import { later } from '#src/times.ts';
import { digestOf, newToken } from '#src/tokens.ts';

const linkLifeSec = 3_600;

/** An operator, or one of a merchant's people, with every right of the roles in both environments. */
export type DevPerson =
  | { readonly realm: 'operator'; readonly name: string; readonly roles: readonly OperatorRole[] }
  | {
      readonly realm: 'merchant';
      readonly name: string;
      readonly accountId: string;
      readonly roles: readonly MerchantRole[];
    };

/**
 * A link that signs a person in without a credential, on a developer's machine. Makes the person where there is none.
 * @throws InvalidStateError unless DEV_LOGIN is set
 */
export async function createDevLink(
  { database, config, now }: Pick<Dependencies, 'database' | 'config' | 'now'>,
  person: DevPerson,
): Promise<string> {
  if (!config.DEV_LOGIN)
    throw new InvalidStateError('DEV_LOGIN is not set: links sign in on a developer’s machine alone');
  const { realm, name } = person;
  const [at, token] = [now(), newToken()];
  await database.transaction(async (tx) => {
    const personId = await personOf(tx, person, at);
    await tx.sql('insert into sign_in_link (realm, token_digest, person_id, ends_at) values ($1, $2, $3, $4)', [
      realm,
      digestOf(token),
      personId,
      later(at, linkLifeSec),
    ]);
    await recordDone(tx, { realm, personId, name, what: 'dev_link.created', by: 'bootstrap' }, at);
  });
  return token;
}

async function personOf(tx: Tx, person: DevPerson, at: Date): Promise<string> {
  const { realm, name } = person;
  const [known] = await tx.sql<{ readonly id: string }>(
    `insert into person (realm, id, name, state, roles, created_at) values ($1, $2, $3, 'ACTIVE', $4, $5)
     on conflict (realm, name) do update set name = excluded.name returning id`,
    [realm, newId('person'), name, realm === 'operator' ? person.roles : [], at],
  );
  if (!known) throw new Error('the person was not written');
  if (person.realm === 'merchant') {
    await tx.sql(
      `insert into membership (realm, person_id, account_id, roles, environments) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [realm, known.id, person.accountId, person.roles, ['test', 'live']],
    );
  }
  return known.id;
}
