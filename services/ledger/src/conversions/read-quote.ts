import type { getQuote, Quote } from '@gateway/contracts/conversions';
import { NotFoundError } from '@gateway/contracts/errors';
import type { RequestOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';
import { quoteColumns, toQuote, type QuoteRow } from '#src/conversions/conversion-row.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';

/** A quote with what became of it. */
interface FoundQuote extends QuoteRow {
  /** By PostgreSQL's clock. */
  readonly isPast: boolean;
  /** The external_id of the conversion that has taken it. */
  readonly usedFor: string | null;
}

const text = `
  select ${quoteColumns.replace(/^id/, 'quote.id')}, clock_timestamp() >= expires_at as "isPast", (
    select c.external_id from conversion c where c.environment = quote.environment and c.quote_id = quote.id
  ) as "usedFor"
  from quote where environment = $1 and id = $2 and account_id = $3`;

/** Undefined also for a quote of another account or environment. */
export async function findQuote(
  database: Database,
  { environment, accountId, id }: RequestOf<typeof getQuote>,
): Promise<FoundQuote | undefined> {
  const [quote] = await database.query<FoundQuote>(text, [environment, id, accountId]);
  return quote;
}

/** By this clock or PostgreSQL's: which of them is right is not known here, and an old rate is our loss. */
export function hasEnded({ isPast, expiresAt }: FoundQuote, nowMs: number): boolean {
  return isPast || nowMs >= expiresAt.getTime();
}

/** @throws NotFoundError when the account has no such quote */
export async function readQuote(
  { database, now }: Pick<ConversionDependencies, 'database' | 'now'>,
  request: RequestOf<typeof getQuote>,
): Promise<Quote> {
  const found = await findQuote(database, request);
  if (!found) throw new NotFoundError('quote');
  const { isPast: _isPast, usedFor, ...quote } = found;
  if (usedFor !== null) return toQuote(quote, 'USED');
  return toQuote(quote, hasEnded(found, now()) ? 'EXPIRED' : 'ACTIVE');
}
