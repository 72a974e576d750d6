import type {
  Conversion,
  getConversion,
  getOperatorConversion,
  listConversions,
  listOperatorConversions,
} from '@gateway/contracts/conversions';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { isId } from '@gateway/money';
import { idRange, pageOf, type Database, type EventTable } from '@gateway/persistence';
import { conversionColumns, toConversion, type ConversionRow } from '#src/conversions/conversion-row.ts';

const completed = `from conversion where environment = $1 and account_id = $2 and state = 'COMPLETED'`;

/** What merchants are informed of, by what the row of a conversion says has happened. */
export const conversionEvents: EventTable = {
  table: 'conversion',
  currency: 'from_currency',
  events: [{ event: 'conversion.completed', when: `state = 'COMPLETED'`, at: 'created_at' }],
};

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
    throw unknownCursor();
  }
  const { $gte, $lt } = idRange('conversion', request);
  const rows = await database.query<ConversionRow>(
    `select ${conversionColumns} ${completed}
       and ($3::text is null or id < $3) and ($7::text is null or id >= $7) and ($4::text is null or external_id = $4)
       and ($5::text is null or $5 in (from_currency, to_currency))
     order by id ${order === 'asc' ? 'asc' : 'desc'} limit $6`,
    [environment, accountId, $lt ?? null, externalId ?? null, currency ?? null, limit + 1, $gte ?? null],
  );
  return conversionsOf(rows, limit);
}

async function isOwn(database: Database, { environment, accountId, id }: RequestOf<typeof getConversion>) {
  if (!isId('conversion', id)) return false;
  const found = await database.query(`select 1 ${completed} and id = $3`, [environment, accountId, id]);
  return found.length > 0;
}

/** @throws NotFoundError */
export async function readOperatorConversion(
  database: Database,
  { id }: RequestOf<typeof getOperatorConversion>,
): Promise<Conversion> {
  const text = `select ${conversionColumns} from conversion where id = $1 and state = 'COMPLETED'`;
  const [row] = isId('conversion', id) ? await database.query<ConversionRow>(text, [id]) : [];
  if (!row) throw new NotFoundError('conversion');
  return toConversion(row);
}

/** Of all accounts, newest first: for operators. */
export async function readOperatorConversions(
  database: Database,
  request: RequestOf<typeof listOperatorConversions>,
): Promise<ReplyOf<typeof listOperatorConversions>> {
  const { limit, cursor, environment, accountId, currency, externalId, from, to, minAmount, maxAmount } = request;
  if (cursor !== undefined) {
    const found = await database.query(`select 1 from conversion where id = $1 and state = 'COMPLETED'`, [cursor]);
    if (found.length === 0) throw unknownCursor();
  }
  const { $gte, $lt } = idRange('conversion', { from, to, cursor });
  const rows = await database.query<ConversionRow>(
    `select ${conversionColumns} from conversion where state = 'COMPLETED'
       and ($1::text is null or environment = $1) and ($2::text is null or account_id = $2)
       and ($3::text is null or $3 in (from_currency, to_currency)) and ($4::text is null or external_id = $4)
       and ($5::text is null or id >= $5) and ($6::text is null or id < $6)
       and ($7::bigint is null or from_amount >= $7) and ($8::bigint is null or from_amount <= $8)
     order by id desc limit $9`,
    [
      ...[environment ?? null, accountId ?? null, currency ?? null, externalId ?? null],
      ...[$gte ?? null, $lt ?? null, minAmount ?? null, maxAmount ?? null, limit + 1],
    ],
  );
  return conversionsOf(rows, limit);
}

/** @param found one more than the page has room for, when there are more */
function conversionsOf(found: readonly ConversionRow[], limit: number): ReplyOf<typeof listConversions> {
  const { rows, nextCursor } = pageOf(found, limit);
  return { conversions: rows.map(toConversion), nextCursor };
}

function unknownCursor(): ValidationError {
  return new ValidationError([{ path: 'cursor', message: 'must be the id of a conversion of this list' }]);
}
