import { ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { listStatementDays, StatementDay } from '@gateway/contracts/reconciler';
import type { Queries } from '@gateway/persistence';
import { nextSql } from '#src/days/next-day.ts';

export type DayKey = Pick<StatementDay, 'provider' | 'currency' | 'day'>;

interface DayRow extends Omit<StatementDay, 'closedAt' | 'checkpoint'> {
  readonly closedAt: Date | null;
  readonly size: number | null;
  readonly root: Buffer | null;
}

const daysSql = `
  select provider, currency, day::text as day, 'CLOSED' as state, opening, lines, late, closing,
    provider_balance as "providerBalance", unexplained_plus as "unexplainedPlus",
    unexplained_minus as "unexplainedMinus", closed_at as "closedAt", closed_by as "closedBy",
    checkpoint_size as size, checkpoint_root as root from day_close
  union all
  select provider, currency, day, 'OPEN', opening, lines, late, closing, null, 0, 0, null, null, null, null
  from (${nextSql}) as next`;

function toDay({ closedAt, size, root, ...row }: DayRow): StatementDay {
  const checkpoint = size === null || root === null ? null : { size, root: root.toString('base64') };
  return { ...row, checkpoint, closedAt: closedAt?.toISOString() ?? null };
}

export async function readDay(
  database: Queries,
  { provider, currency, day }: DayKey,
): Promise<StatementDay | undefined> {
  const [row] = await database.query<DayRow>(
    `select * from (${daysSql}) as days where (provider, currency, day) = ($1, $2, $3)`,
    [provider, currency, day],
  );
  return row && toDay(row);
}

/** Newest first; a cursor is `<provider>/<currency>/<day>`. @throws ValidationError */
export async function listDays(
  { database }: { readonly database: Queries },
  { limit, cursor, provider }: RequestOf<typeof listStatementDays>,
): Promise<ReplyOf<typeof listStatementDays>> {
  const after = cursor === undefined ? [null, null, null] : placeOf(cursor);
  const rows = await database.query<DayRow>(
    `select * from (${daysSql}) as days where (provider = $1 or $1::text is null)
       and ($4::text is null or day < $4 or (day = $4 and (provider, currency) > ($2, $3)))
     order by day desc, provider, currency limit $5`,
    [provider ?? null, ...after, limit + 1],
  );
  const days = rows.slice(0, limit).map(toDay);
  const last = days.at(-1);
  const nextCursor = rows.length > limit && last ? `${last.provider}/${last.currency}/${last.day}` : null;
  return { days, nextCursor };
}

function placeOf(cursor: string): string[] {
  const [, provider, currency, day] = /^(.+)\/([A-Z]{3,5})\/(\d{4}-\d{2}-\d{2})$/s.exec(cursor) ?? [];
  if (provider === undefined || currency === undefined || day === undefined) {
    throw new ValidationError([{ path: 'cursor', message: 'is not the id of a record in this list' }]);
  }
  return [provider, currency, day];
}
