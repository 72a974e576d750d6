import { ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { listLines as contract, MatchState, ProviderLine } from '@gateway/contracts/reconciler';
import { allOf, wanted, type Queries } from '@gateway/persistence';
import { transfersMax } from '#src/matching/kinds.ts';

interface LineRow extends Omit<ProviderLine, 'bookedAt' | 'receivedAt' | 'raw'> {
  readonly bookedAt: Date;
  readonly receivedAt: Date;
  readonly raw: Buffer | null;
}

/** How much of each line a list has. */
const listedBytesMax = 1_024;
/** How much all lines of one match have together; those that go beyond it are shown as in a list. */
const shownBytesMax = 2 * 1_024 * 1_024;

/** @param raw what of the line is shown, as an SQL expression */
const columnsWith = (raw: string) => `line.provider, line.currency, line.line_key as "lineKey", line.kind, line.amount,
  line.booked_at as "bookedAt", line.received_at as "receivedAt", line.e2e_id as "e2eId", line.return_id as "returnId",
  line.our_ref as "ourRef", line.counterparty, line.text, line.source, line.file_id as "fileId", line.subject, line.rule,
  match.state, ${raw} as raw, octet_length(line.raw) as "rawBytes"`;

const beginning = `substring(line.raw from 1 for ${listedBytesMax})`;
const wholeWhileShort = `case when sum(octet_length(line.raw)) over (order by line.booked_at, line.line_key)
  <= ${shownBytesMax} then line.raw else ${beginning} end`;

/** The match of each `line`. */
export const itsMatch = `left join match on (match.environment, match.provider, match.currency, match.subject)
  = ('live', line.provider, line.currency, line.subject)`;

/**
 * The keys of the lines of a match under that alias, each found in an index: the line that stands alone, those that share a
 * key with its record, those that people gave it, and the parts of one that settles many.
 */
export function keysOf(match: string): string {
  const alone = `substr(${match}.subject, length('line:' || ${match}.kind || ':') + 1)`;
  const isSameAccount = `line.environment = 'live'
    and (line.provider, line.currency) = (${match}.provider, ${match}.currency)`;
  const byRecord = (name: string, condition = 'true') => `
    select line.line_key from fact join line on line.provider = fact.provider and line.${name} = fact.${name}
      and ${condition} and line.subject = ${match}.subject
    where (fact.environment, fact.side) = (${match}.environment, 'R') and fact.key = any(${match}.subject
      || case when ${match}.kind = 'payment' then array(select ${match}.subject || ':' || part
        from generate_series(1, ${transfersMax}) as part) else '{}' end)`;
  return `select line.line_key from line
      where ${match}.subject like 'line:%' and ${isSameAccount} and line.line_key = ${alone}
    union ${byRecord('e2e_id')} union ${byRecord('return_id')} union ${byRecord('our_ref', `line.kind <> 'payment'`)}
    union select line.line_key from line where ${isSameAccount} and line.pinned_subject = ${match}.subject
    union select line.line_key from line where ${match}.kind = 'batch' and ${isSameAccount} and line.batch_key = ${alone}`;
}

/** The lines of a match, as the provider wrote them. */
export async function linesOfMatch(
  source: Queries,
  match: {
    readonly environment: string;
    readonly provider: string;
    readonly currency: string;
    readonly subject: string;
  },
): Promise<ProviderLine[]> {
  const rows = await source.query<LineRow>(
    `select ${columnsWith(wholeWhileShort)} from match as asked cross join lateral (${keysOf('asked')}) as key
       join line on (line.environment, line.provider, line.currency, line.line_key)
         = ('live', asked.provider, asked.currency, key.line_key) ${itsMatch}
     where (asked.environment, asked.provider, asked.currency, asked.subject) = ($1, $2, $3, $4) and $1 = 'live'
     order by line.booked_at, line.line_key limit 200`,
    [match.environment, match.provider, match.currency, match.subject],
  );
  return rows.map(toLine);
}

/** Of these there are few: they are found by their match, and all others by the line. */
const fewOf: readonly MatchState[] = ['waiting', 'unexplained', 'proposed'];

/** @throws ValidationError for a cursor that no page had */
export async function listLines(
  { database }: { readonly database: Queries },
  { limit, cursor, provider, lineKey, state, e2eId, amount }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const params: unknown[] = [];
  const after = cursor === undefined ? undefined : placeOf(cursor);
  const where = allOf(
    [
      { sql: `line.environment = 'live'`, values: [] },
      ...wanted('line.provider = ?', provider),
      ...wanted('line.line_key = ?', lineKey),
      ...wanted('line.amount = ?', amount),
      ...wanted('match.state = ?', state),
      // Every provider that has lines is named, since the index by this id begins with it.
      ...wanted('line.e2e_id = ? and line.provider in (select provider from statement_source)', e2eId),
      ...(after ? [{ sql: '(line.provider, line.currency, line.line_key) > (?, ?, ?)', values: after }] : []),
    ],
    params,
  );
  const from =
    state !== undefined && fewOf.includes(state)
      ? `match cross join lateral (${keysOf('match')}) as key
         join line on (line.environment, line.provider, line.currency, line.line_key)
           = ('live', match.provider, match.currency, key.line_key)
           and match.environment = 'live' and match.subject = line.subject`
      : `line ${itsMatch}`;
  const rows = await database.query<LineRow>(
    `select ${columnsWith(beginning)} from ${from} where ${where}
     order by line.provider, line.currency, line.line_key limit $${params.push(limit + 1)}`,
    params,
  );
  const lines = rows.slice(0, limit).map(toLine);
  const last = lines.at(-1);
  return { lines, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}

function toLine({ bookedAt, receivedAt, raw, ...row }: LineRow): ProviderLine {
  const times = { bookedAt: bookedAt.toISOString(), receivedAt: receivedAt.toISOString() };
  return { ...row, ...times, raw: raw && textOf(raw, raw.length < (row.rawBytes ?? 0)) };
}

/** A character that was cut through is left out. */
function textOf(raw: Buffer, isCut: boolean): string {
  const text = raw.toString('utf8');
  return isCut ? text.replace(/\uFFFD{1,3}$/, '') : text;
}

function cursorOf({ provider, currency, lineKey }: ProviderLine): string {
  return Buffer.from(JSON.stringify([provider, currency, lineKey])).toString('base64url');
}

/** No text of PostgreSQL has a NUL. */
function isText(part: unknown): part is string {
  return typeof part === 'string' && !part.includes('\0');
}

function placeOf(cursor: string): readonly string[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(place) && place.length === 3 && place.every(isText)) return place;
  } catch {
    // Answered as any other text that no page has had.
  }
  throw new ValidationError([{ path: 'cursor', message: 'is not a cursor of this list' }]);
}
