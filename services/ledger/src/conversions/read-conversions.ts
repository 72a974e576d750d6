import type { Conversion, getConversion, listConversions } from '@gateway/contracts/conversions';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { isId } from '@gateway/money';
import { idRange, type Database } from '@gateway/persistence';
import { conversionColumns, toConversion, type ConversionRow } from '#src/conversions/conversion-row.ts';

const completed = `from conversion where environment = $1 and account_id = $2 and state = 'COMPLETED'`;

/** @throws NotFoundError when the account has no such conversion */
export async function readConversion(
  database: Database,
  { environment, accountId, id }: RequestOf<typeof getConversion>,
): Promise<Conversion> {
  const text = `select ${conversionColumns} ${completed} and id = $3`;
  const [row] = await database.query<ConversionRow>(text, [environment, accountId, id]);
  if (!row) throw new NotFoundError('conversion');
  return toConversion(row);
}

/** By id: new records never move those of later pages. */
export async function readConversions(
  database: Database,
  request: RequestOf<typeof listConversions>,
): Promise<ReplyOf<typeof listConversions>> {
  const { environment, accountId, limit, cursor, externalId, currency, order } = request;
  if (cursor !== undefined && !(await isOwn(database, { environment, accountId, id: cursor }))) {
    throw new ValidationError([{ path: 'cursor', message: 'must be the id of a conversion of this list' }]);
  }
  const { $gte, $lt } = idRange('conversion', request);
  const rows = await database.query<ConversionRow>(
    `select ${conversionColumns} ${completed}
       and ($3::text is null or id < $3) and ($7::text is null or id >= $7) and ($4::text is null or external_id = $4)
       and ($5::text is null or $5 in (from_currency, to_currency))
     order by id ${order === 'asc' ? 'asc' : 'desc'} limit $6`,
    [environment, accountId, $lt ?? null, externalId ?? null, currency ?? null, limit + 1, $gte ?? null],
  );
  const page = rows.slice(0, limit);
  return { conversions: page.map(toConversion), nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

async function isOwn(database: Database, { environment, accountId, id }: RequestOf<typeof getConversion>) {
  if (!isId('conversion', id)) return false;
  const found = await database.query(`select 1 ${completed} and id = $3`, [environment, accountId, id]);
  return found.length > 0;
}
