import { conversionColumns, type ConversionRow } from '#src/conversions/conversion-row.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';
import { finishConversion } from '#src/conversions/finish-conversion.ts';

/** After this time the call that created a conversion has ended, with or without an answer. */
const abandonedAfterMs = 10_000;
const perRoundMax = 100;
/** Expired quotes are kept this long; no caller refers to older ones. */
const quotesKeptMs = 7 * 86_400_000;

/** Finishes conversions whose call ended before they were completed. */
export async function finishConversions(
  dependencies: ConversionDependencies,
  { olderThanMs = abandonedAfterMs }: { readonly olderThanMs?: number } = {},
): Promise<boolean> {
  const { database, now } = dependencies;
  const rows = await database.query<ConversionRow>(
    `select ${conversionColumns} from conversion where state = 'CONVERTING' and created_at <= $1
     order by created_at limit $2`,
    [new Date(now() - olderThanMs), perRoundMax],
  );
  for (const row of rows) await finishConversion(dependencies, row);
  return rows.length === perRoundMax;
}

export async function forgetQuotes({ database, now }: ConversionDependencies): Promise<void> {
  await database.query('delete from quote where created_at < $1', [new Date(now() - quotesKeptMs)]);
}
