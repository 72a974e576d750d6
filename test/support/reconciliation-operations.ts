import { expect } from 'vitest';
import { newId } from '@gateway/money';
import { openDatabase } from '@gateway/persistence';
import { silentLogger } from '@gateway/test-kit';
import type { DescribedClient } from './described-client.ts';
import type { Edge } from './edge.ts';
import type { WalkedList } from './walk-list.ts';

type Call = ReturnType<DescribedClient['as']>;

/**
 * Runs a reconciliation, reads what its checks found, and answers for it.
 *
 * @param databaseUrl of the ledger: something has to be found
 */
export async function everyReconciliationOperation(ana: Call, databaseUrl: string): Promise<void> {
  const { id } = (await ana('POST /ops/reconciliations')).body;
  await ana(`GET /ops/reconciliations/${id}`);
  await ana('GET /ops/reconciliations?status=OK&from=0');
  const connection = { url: databaseUrl, entities: [], migrations: [], logger: silentLogger };
  await using ledger = await openDatabase(connection);
  await ledger.query(
    `insert into reconciliation_finding (reconciliation_id, name, environment, number, kind, text, record_id, currency, expected, found)
     values ($1, 'treasury_agrees', 'live', 1, 'treasury_differs', 'as the test wants it', $2, 'USDT', '5', '4')`,
    [id, newId('deposit')],
  );
  const findings = `/ops/reconciliations/${id}/checks/treasury_agrees/findings`;
  const listed = (await ana(`GET ${findings}?environment=live&limit=1`)).body.data;
  const amounts = { expected: '5', found: '4', provider_line: null };
  expect(listed).toMatchObject([{ id: 'live.1', kind: 'treasury_differs', ...amounts, note: null }]);
  const noted = (await ana(`POST ${findings}/live.1/note`, { note: 'asked the exchange' })).body;
  expect(noted.note).toMatchObject({ text: 'asked the exchange', by: 'ana' });
  expect((await ana(`POST /ops/reconciliations/${id}/sign-off`, { reason: 'read to its end' })).status).toBeLessThan(
    300,
  );
}

/** The findings of a check, to which others are added. */
export async function walkedFindings(edge: Edge): Promise<WalkedList> {
  const ledger = await edge.databaseOf('ledger');
  const { id } = (await edge.operate('POST', '/ops/reconciliations')).body;
  const path = `/ops/reconciliations/${id}/checks/treasury_agrees/findings`;
  const found = `
    insert into reconciliation_finding (reconciliation_id, name, environment, number, kind, text)
    select $1, 'treasury_agrees', 'live', coalesce(max(number), 0) + 1, 'treasury_differs', 'walked'
    from reconciliation_finding where reconciliation_id = $1`;
  return {
    page: async (query) => (await edge.operate('GET', `${path}?${query}`)).body,
    add: () => ledger.query(found, [id]),
  };
}
