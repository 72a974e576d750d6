import type { Queries, Tx } from '@gateway/persistence';
import { UnreadableStatement } from '@gateway/statement-files/read';
import { statementZone } from '#src/matching/kinds.ts';
import type { StatementFileRow } from '#src/files/statement-file.ts';

/** What a file says about itself that has to fit what is known. */
export interface FileClaims {
  readonly account: string | null;
  readonly fromDay: string | null;
  readonly toDay: string | null;
}

/**
 * A file of another account would mix its lines with those of the first, and one for days that the provider's list is read
 * for would have them twice; so would one for days whose lines were removed.
 *
 * @throws UnreadableStatement naming `account` or `days`
 */
export async function requireOwnDays(source: Queries, row: StatementFileRow, claims: FileClaims): Promise<void> {
  await requireAccount(source, row, claims.account);
  // A dry run adds nothing, and the file of a bank is tried while the list is still there.
  if (row.dryRun) return;
  const { provider, currency } = row;
  const [kept] = await source.query<{ day: string }>(
    `select (kept_from at time zone '${statementZone}')::date::text as day from kept_months`,
  );
  if (kept && claims.fromDay !== null && claims.fromDay < kept.day) {
    throw new UnreadableStatement(1, 'days', `have ${claims.fromDay}, and lines before ${kept.day} were removed`);
  }
  const [listed] = await source.query<{ day: string }>(
    `select day::date::text as day from generate_series($3::date, $4::date, interval '1 day') as day
     where statement_kind($1, $2, day::date) = 'list' order by 1 limit 1`,
    [provider, currency, claims.fromDay, claims.toDay],
  );
  if (!listed) return;
  throw new UnreadableStatement(1, 'days', `have ${listed.day}, which is read from the list of ${provider}`);
}

/** The account of the first file, or each that an operator has named with a file, under the lock of its import. */
async function requireAccount(source: Queries, row: StatementFileRow, account: string | null): Promise<void> {
  const { provider, currency, account: named } = row;
  if (named !== null && named !== account) {
    const found = account === null ? 'is not in the file' : `is ${account}`;
    throw new UnreadableStatement(1, 'account', `${found}, and the one that was named is ${named}`);
  }
  if (account === null || named !== null) return;
  const known = await source.query<{ account: string; fileId: string }>(
    `select account, file_id as "fileId" from statement_account where provider = $1 and currency = $2
     order by accepted_at, account`,
    [provider, currency],
  );
  const [first] = known;
  if (!first || known.some((each) => each.account === account)) return;
  const owner = `is ${account}, and the statement of ${provider} in ${currency} is that of ${first.account}`;
  throw new UnreadableStatement(
    1,
    'account',
    `${owner} (${first.fileId}); name it with the file if it is the same one`,
  );
}

/** In the transaction that imports the file. */
export async function keepAccount(tx: Tx, row: StatementFileRow, account: string | null, now: Date): Promise<void> {
  if (account === null) return;
  await tx.sql(
    `insert into statement_account (provider, currency, account, file_id, accepted_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [row.provider, row.currency, account, row.id, now],
  );
}
