import type { Client, Realm } from '@gateway/contracts/identity';
import { newId } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import { counter } from '@gateway/runtime';

const signIns = counter('gateway_sign_ins_total', 'Sign-ins and confirmations, let in or refused', [
  'realm',
  'what',
  'outcome',
]);

/** Without labels, so that it is there before the first one: an alert looks at it. */
const refusals = counter('gateway_sign_ins_refused_total', 'Sign-ins and confirmations that were refused');

export interface HistoryEntry {
  readonly realm: Realm;
  readonly personId: string | null;
  /** As it was given. */
  readonly name?: string | null;
  readonly what: string;
  readonly detail?: string;
  /** Who did it, where that is not the person. */
  readonly by?: string;
  readonly client?: Client;
}

const insert = `insert into sign_in (realm, id, person_id, name, what, outcome, detail, by_id, address, user_agent, at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/** What was done, in the transaction that does it. */
export async function recordDone(tx: Tx, entry: HistoryEntry, at: Date): Promise<void> {
  await tx.sql(insert, parametersOf(entry, 'done', at));
  tx.afterCommit(() => count(entry, 'done'));
}

/** What was refused. The caller is answered after the row is there: a refusal without one would leave no trace. */
export async function recordRefused(database: Database, entry: HistoryEntry, at: Date): Promise<void> {
  count(entry, 'refused');
  refusals.add(1);
  await database.query(insert, parametersOf(entry, 'refused', at));
}

/** Labels are what the service does, never what a browser sent. */
function count({ realm, what }: HistoryEntry, outcome: 'done' | 'refused'): void {
  if (/^(sign_in|step_up|invitation)\./.test(what)) signIns.add(1, { realm, what, outcome });
}

function parametersOf(entry: HistoryEntry, outcome: 'done' | 'refused', at: Date): unknown[] {
  const { realm, personId, name = null, what, detail = '', by = null, client } = entry;
  const from = [client?.address ?? '', client?.userAgent ?? ''];
  return [realm, newId('signIn', at.getTime()), personId, name, what, outcome, detail, by, ...from, at];
}
