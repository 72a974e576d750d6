import { ConversionCompleted } from '@gateway/contracts/conversions';
import type { LedgerCommand } from '@gateway/contracts/ledger';
import { unixSeconds } from '@gateway/contracts/values';
import { newId } from '@gateway/money';
import { emit } from '@gateway/persistence';
import { conversionColumns, toConversion, type ConversionRow } from '#src/conversions/conversion-row.ts';
import type { ConversionDependencies } from '#src/conversions/dependencies.ts';

/** After this time the call that created a conversion has ended, with or without an answer. */
const abandonedAfterMs = 10_000;
const perRoundMax = 100;
/** Expired quotes are kept this long; no caller refers to older ones. */
const quotesKeptMs = 7 * 86_400_000;

/** The command follows from the record alone, so every process that sends it sends the same one. */
function convertCommand(row: ConversionRow): LedgerCommand {
  return {
    kind: 'convert',
    id: `convert:${row.id}`,
    environment: row.environment,
    accountId: row.accountId,
    currency: row.from,
    conversionId: row.id,
    amount: row.fromAmount,
    targetCurrency: row.to,
    targetAmount: row.toAmount,
    ...(row.notAfter === null ? {} : { notAfter: unixSeconds(row.notAfter) }),
  };
}

/**
 * Completes a claimed conversion: both entries, then COMPLETED with its event. When the ledger refuses it, the record
 * is deleted and its external_id and quote are free again. Several processes may run it at once, any number of times.
 *
 * @returns the completed conversion, or the ledger's refusal
 * @throws DomainError SERVICE_UNAVAILABLE without an answer in time; it stays claimed, and is finished later
 */
export async function finishConversion(
  { database, askLedger, now }: ConversionDependencies,
  claimed: ConversionRow,
): Promise<ConversionRow | { readonly refusal: string | null }> {
  const { environment, accountId, id } = claimed;
  const { outcome, refusal } = await askLedger(convertCommand(claimed));
  if (outcome === 'refused') {
    await database.query(
      `delete from conversion where environment = $1 and account_id = $2 and id = $3 and state = 'CONVERTING'`,
      [environment, accountId, id],
    );
    return { refusal };
  }
  if (outcome === 'conflict') throw new Error(`conversion ${id} was sent with another body`);
  const completed: ConversionRow = { ...claimed, state: 'COMPLETED' };
  await database.transaction(async (tx) => {
    const moved = await tx.sql(
      `update conversion set state = 'COMPLETED'
       where environment = $1 and account_id = $2 and id = $3 and state = 'CONVERTING' returning id`,
      [environment, accountId, id],
    );
    if (moved.length === 0) return;
    const at = new Date(now());
    const event = { id: newId('event', at.getTime()), occurredAt: unixSeconds(at) };
    await emit(tx, ConversionCompleted, { ...event, conversion: toConversion(completed) });
  });
  return completed;
}

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
