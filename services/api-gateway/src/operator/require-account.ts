import { NotFoundError } from '@gateway/contracts/errors';
import { isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { AccountEntity } from '#src/accounts/account.ts';

/** @throws NotFoundError when there is no such account */
export async function requireAccount(database: Database, id: string): Promise<void> {
  const isKnown = isId('account', id) && (await database.reader().count(AccountEntity, { id })) > 0;
  if (!isKnown) throw new NotFoundError('account');
}
