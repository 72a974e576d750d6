import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ItemKind, listRecordLines as contract, RecordLine } from '@gateway/contracts/reconciler';
import { RowArrays, type Queries } from '@gateway/persistence';
import { itsMatch, keysOf } from '#src/lines/read-lines.ts';
import { subjectOfRecord } from '#src/matching/kinds.ts';

/** What a record is by its own id; what came back of a payout has an id of its own beside it. */
const recordKinds: readonly ItemKind[] = ['payment', 'refund', 'payout', 'dispute_return', 'dispute_overturn'];

const askedArrays = new RowArrays<'recordId' | 'subject'>([
  ['recordId', 'text'],
  ['subject', 'text'],
]);

const linesSql = `
  select distinct on (about."recordId") about."recordId", line.provider, line.currency, line.line_key as "lineKey",
    line.amount, line.booked_at as "bookedAt", line.e2e_id as "e2eId", match.state
  from (
    select asked."recordId", fact.* from ${askedArrays.from(1, 'asked')} cross join lateral (
      select environment, provider, currency, subject, kind from fact
      where (environment, side, key) = ('live', 'R', asked.subject) offset 0
    ) as fact
  ) as about cross join lateral (${keysOf('about')}) as key
    join line on (line.environment, line.provider, line.currency, line.line_key)
      = ('live', about.provider, about.currency, key.line_key) ${itsMatch}
  order by about."recordId", line.booked_at, line.line_key`;

interface LineRow extends Omit<RecordLine, 'bookedAt'> {
  readonly bookedAt: Date;
}

/** The line of each record; those that have none are not in the answer. */
export async function linesOfRecords(
  { database }: { readonly database: Queries },
  { records }: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const asked = records.flatMap((recordId) =>
    recordKinds.map((kind) => ({ recordId, subject: subjectOfRecord(kind, recordId) })),
  );
  const rows = await database.query<LineRow>(linesSql, askedArrays.parametersOf(asked));
  return { lines: rows.map(({ bookedAt, ...row }) => ({ ...row, bookedAt: bookedAt.toISOString() })) };
}
