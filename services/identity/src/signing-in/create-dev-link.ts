import type { OperatorRole } from '@gateway/contracts/identity';
import { newId } from '@gateway/money';
import type { Dependencies } from '#src/dependencies.ts';
import { InvalidStateError } from '#src/errors.ts';
import { recordDone } from '#src/history/record.ts';
import { later } from '#src/times.ts';
import { digestOf, newToken } from '#src/tokens.ts';

const linkLifeSec = 3_600;
const realm = 'operator';

/**
 * A link that signs an operator in without a credential, on a developer's machine. Makes the person where there is none.
 * @throws InvalidStateError unless DEV_LOGIN is set
 */
export async function createDevLink(
  { database, config, now }: Pick<Dependencies, 'database' | 'config' | 'now'>,
  { name, roles }: { readonly name: string; readonly roles: readonly OperatorRole[] },
): Promise<string> {
  if (!config.DEV_LOGIN)
    throw new InvalidStateError('DEV_LOGIN is not set: links sign in on a developer’s machine alone');
  const [at, token] = [now(), newToken()];
  await database.transaction(async (tx) => {
    const [person] = await tx.sql<{ readonly id: string }>(
      `insert into person (realm, id, name, state, roles, created_at) values ($1, $2, $3, 'ACTIVE', $4, $5)
       on conflict (realm, name) do update set name = excluded.name returning id`,
      [realm, newId('person'), name, roles, at],
    );
    if (!person) throw new Error('the person was not written');
    await tx.sql('insert into sign_in_link (realm, token_digest, person_id, ends_at) values ($1, $2, $3, $4)', [
      realm,
      digestOf(token),
      person.id,
      later(at, linkLifeSec),
    ]);
    await recordDone(tx, { realm, personId: person.id, name, what: 'dev_link.created', by: 'bootstrap' }, at);
  });
  return token;
}
