import type { IdBounds } from '@gateway/contracts/ledger';

/**
 * SQL of a page of rows in the order of account and id, of the ids within bounds. An index begins with environment, account
 * and id: each account that has rows costs two probes of it, and what lies outside the bounds nothing, however much it is.
 * PostgreSQL makes of a recursive query no more rows than the limit asks for, so that accounts behind the page cost nothing.
 *
 * Its parameters are those of `pageParameters`.
 */
export function pageByAccount(table: string, id = 'id'): string {
  return `with recursive owner (account_id) as (
      (select account_id from ${table} where environment = $1 and account_id >= $2 order by account_id limit 1)
      union all
      select (select account_id from ${table} where environment = $1 and account_id > owner.account_id
        order by account_id limit 1)
      from owner where owner.account_id is not null
    )
    select page.* from owner cross join lateral (
      select * from ${table} where environment = $1 and account_id = owner.account_id
        and ${id} > case when owner.account_id = $2 then $3 else '' end and ${id} >= $5 and ${id} < $6
      order by ${id} limit $4
    ) page limit $4`;
}

/** Sorts behind every id. */
const behindIds = '~';

interface PageAsked {
  readonly environment: string;
  readonly after: { readonly accountId: string; readonly id: string } | null;
  readonly limit: number;
  readonly ids?: IdBounds | undefined;
}

/** $1 the environment, $2 and $3 account and id of the last row that the caller has, $4 the limit, $5 and $6 the bounds. */
export function pageParameters({ environment, after, limit, ids }: PageAsked): readonly unknown[] {
  return [environment, after?.accountId ?? '', after?.id ?? '', limit, ids?.from ?? '', ids?.below ?? behindIds];
}
