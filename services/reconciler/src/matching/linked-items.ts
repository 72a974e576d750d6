import type { MatchRule } from '@gateway/contracts/reconciler';
import { RowArrays, type Tx } from '@gateway/persistence';
import { storedLineColumns, type Fact, type StoredLine } from '#src/matching/items.ts';

/** What a line has to know of a record to belong to it. */
export type LinkedRecord = Pick<
  Fact,
  'provider' | 'currency' | 'kind' | 'amount' | 'occurredAt' | 'key' | 'subject' | 'e2eId' | 'returnId' | 'ourRef'
>;

export type KeyName = Exclude<MatchRule, 'people'>;

export interface ExternalKey {
  readonly provider: string;
  readonly name: KeyName;
  readonly value: string;
}

/**
 * An id of a transfer is that of a few lines: what more of them have, as a bank's own number of a kind of movement, names
 * none. So a line costs the same however many share its id.
 */
export const sharedIdLinesMax = 100;

const keyArrays = new RowArrays<keyof ExternalKey>([
  ['provider', 'text'],
  ['name', 'text'],
  ['value', 'text'],
]);

/*
 * Each key is looked up on its own, in its own index. The planner may not begin with the table instead (`offset 0`), as it
 * would while it has no statistics: what else could be found through an index is compared in a way that none serves.
 */

export async function linesWith(tx: Tx, keys: readonly ExternalKey[]): Promise<StoredLine[]> {
  const found = (name: KeyName, condition = 'true') => `
    select line.* from key cross join lateral (
      select ${storedLineColumns.selectedFrom('line')} from line
      where line.provider = key.provider and line.${name} = key.value and ${condition} and line.subject is not null
      limit ${sharedIdLinesMax + 1}
    ) as line where key.name = '${name}'`;
  return await tx.sql<StoredLine>(
    `with key as materialized (select * from ${keyArrays.from(1, 'key')})
     ${found('e2e_id')} union ${found('return_id')} union ${found('our_ref', `line.kind <> 'payment'`)}`,
    keyArrays.parametersOf(keys),
  );
}

export async function recordsWith(tx: Tx, keys: readonly ExternalKey[]): Promise<LinkedRecord[]> {
  const found = (name: KeyName) => `
    select fact.* from key cross join lateral (
      select provider, currency, kind, amount, occurred_at as "occurredAt", key, subject, e2e_id as "e2eId",
        return_id as "returnId", our_ref as "ourRef"
      from fact where side = 'R' and provider = key.provider and ${name} = key.value
        and environment is not distinct from 'live' offset 0
    ) as fact where key.name = '${name}'`;
  return await tx.sql<LinkedRecord>(
    `with key as materialized (select * from ${keyArrays.from(1, 'key')})
     ${found('e2e_id')} union ${found('return_id')} union ${found('our_ref')}`,
    keyArrays.parametersOf(keys),
  );
}
