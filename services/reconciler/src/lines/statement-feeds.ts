import type { FeedRow } from '@gateway/contracts/providers';
import { currenciesOn } from '@gateway/money';
import type { Database, Tx } from '@gateway/persistence';
import { Feeds, type InboxItem, type ItemOutcome } from '@gateway/provider-feeds';
import type { Providers, StatementItem } from '@gateway/providers';
import type { Logger } from '@gateway/runtime';
import { explainedLines } from '#src/lines/explained-lines.ts';
import { beginSource } from '#src/lines/statement-periods.ts';
import { writeLines, type ReadLine } from '#src/lines/write-lines.ts';

export interface StatementDependencies {
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly providers: Providers;
}

/** How often a statement is read that has nothing new. */
const intervalMs = 30_000;

/**
 * The statements of the live providers, each read by windows with a place of its own. The lines of a page are written with
 * the place, in one transaction; a row that cannot be read waits in the inbox, is tried again every hour, and is shown to
 * operators.
 *
 * @param callsPerMinute questions to one provider, of this process
 */
export function statementFeeds(dependencies: StatementDependencies, callsPerMinute: number): Feeds {
  const { database, logger, now, providers } = dependencies;
  return new Feeds({
    database,
    logger,
    now,
    intervalMs,
    callsPerMinute,
    feeds: () =>
      [...providers].flatMap(({ id, statement }) =>
        statement ? [{ environment: 'live' as const, provider: id, source: statement }] : [],
      ),
    known: ({ provider }, names) => explainedLines(database, provider, names),
    store: (tx, { provider }, rows) => storeLines(tx, { provider, rows }, dependencies),
    take: (item) => takeRow(dependencies, item),
  });
}

function read(providers: Providers, provider: string, row: FeedRow): StatementItem {
  const statement = providers.find(provider)?.statement;
  return statement?.read(row) ?? { kind: 'unreadable', shape: 'the provider has no statement any more' };
}

/** Answers the rows that cannot be read. */
async function storeLines(
  tx: Tx,
  { provider, rows }: { readonly provider: string; readonly rows: readonly FeedRow[] },
  { providers, now }: StatementDependencies,
): Promise<FeedRow[]> {
  const lines: ReadLine[] = [];
  const unreadable: FeedRow[] = [];
  for (const row of rows) {
    const item = read(providers, provider, row);
    if (item.kind === 'line') lines.push({ line: item.line, raw: row.raw });
    else if (item.kind === 'unreadable') unreadable.push(row);
  }
  await writeLines(tx, provider, lines, now());
  return unreadable;
}

async function takeRow(dependencies: StatementDependencies, item: InboxItem): Promise<ItemOutcome> {
  const { providers, database } = dependencies;
  const { provider, key, raw } = item;
  const found = read(providers, provider, { key, raw });
  if (found.kind === 'unreadable') return { kind: 'unreadable', shape: found.shape };
  await database.transaction((tx) => storeLines(tx, { provider, rows: [{ key, raw }] }, dependencies));
  return { kind: 'taken' };
}

/**
 * From when on the movements of a provider need a line: from the first start with its statement. What moved before is known
 * from earlier reconciliations. A provider that has a list by now, or has none any more, changes from one day on.
 */
export async function compareStatements({ database, providers, now }: StatementDependencies): Promise<void> {
  const sources = [...providers].flatMap(({ id: provider, statement, capabilities: { rails } }) =>
    currenciesOn(rails).map((currency) => ({
      provider,
      currency,
      kind: statement ? ('list' as const) : ('file' as const),
    })),
  );
  await database.transaction(async (tx) => {
    for (const source of sources) await beginSource(tx, source, now());
  });
}
