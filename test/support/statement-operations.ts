import { expect } from 'vitest';
import { newId } from '@gateway/money';
import { openDatabase } from '@gateway/persistence';
import { silentLogger } from '@gateway/test-kit';
import type { DescribedClient } from './described-client.ts';

type Call = ReturnType<DescribedClient['as']>;

interface Operators {
  readonly ana: Call;
  readonly bruno: Call;
}

/** Calls each operation about statements, and about what they do not explain. */
export async function everyStatementOperation({
  databaseUrl,
  ...operators
}: Operators & {
  /** Of the reconciler: what no statement explains has to be written there. */
  readonly databaseUrl: string;
}): Promise<void> {
  await everyFileOperation(operators.ana);
  const connection = { url: databaseUrl, entities: [], migrations: [], logger: silentLogger };
  await using reconciler = await openDatabase(connection);
  await everyReconciliationOperation({ ...operators, write: (sql, values) => reconciler.query(sql, values) });
}

/** With a file that moves nothing. */
async function everyFileOperation(call: Call): Promise<void> {
  await call('GET /ops/statement-files?provider=efi&state=REFUSED&limit=1');
  const file = Buffer.from('<OFX><CURDEF>MXN</CURDEF><ACCTID>1</ACCTID></OFX>');
  await call('POST /ops/statement-files?provider=efi&format=ofx&currency=MXN&dry_run=true', file);
  const sent = await call('POST /ops/statement-files?provider=efi&format=ofx&currency=MXN', file);
  expect((await call(`GET /ops/statement-files/${sent.body.id}`)).body.state).toBe('IMPORTED');
  const mapping = { date: { column: 'd', format: 'ISO', zone: 'UTC' }, amount: { column: 'a', decimal: '.' } };
  await call('POST /ops/statement-mappings', { provider: 'efi', mapping, reason: 'a new bank' });
  await call('GET /ops/statement-mappings?provider=efi');
}

interface Writing extends Operators {
  /** A statement in the database of the reconciler. */
  readonly write: (sql: string, values?: readonly unknown[]) => Promise<unknown>;
}

/** With an account that no provider has. */
async function everyReconciliationOperation({ ana, bruno, write }: Writing): Promise<void> {
  const open = async () => {
    const id = newId('exception');
    await write(
      `insert into exception (id, environment, provider, currency, subject, reason, amount, p_amount, r_amount, l_amount,
         state, opened_at)
       values ($1, 'live', 'contract', 'BRL', $1, 'line_without_record', 5, 5, 0, 0, 'OPEN', now())`,
      [id],
    );
    return `/ops/exceptions/${id}`;
  };
  const [one, other] = [await open(), await open()];
  const transfer = {
    provider: 'efi',
    currency: 'BRL',
    amount_cents: 900,
    reference: newId('request'),
    reason: 'a top-up',
  };
  expect((await ana('POST /ops/own-transfers', transfer)).body.approval.state).toBe('PROPOSED');
  const declared = { action: 'declare', note: 'between our own accounts' };
  const propose = async (path: string, reason: string) => {
    const { body } = await ana(`POST ${path}/propose`, declared);
    expect([body.status, body.proposal.approval_id]).toEqual(['PROPOSED', body.approval.id]);
    return { approval_id: body.approval.id, reason };
  };
  expect((await bruno(`POST ${one}/approve`, await propose(one, 'seen at the bank'))).body.status).toBe('RESOLVED');
  expect((await bruno(`POST ${other}/reject`, await propose(other, 'not ours'))).body.status).toBe('OPEN');
  expect((await ana(`GET ${one}`)).body.exception.resolved_by).toBe('bruno');
  await ana('GET /ops/exceptions?status=OPEN&provider=contract&reason=line_without_record');
  await ana('GET /ops/explained?hours=48&environment=live&provider=efi');
  await ana('GET /ops/lines?provider=efi&state=matched&amount_cents=-1');
  await write(
    `insert into statement_source (provider, currency, kind, compared_from)
     values ('contract', 'BRL', 'list', now() - interval '3 days')`,
  );
  const [day] = (await ana('GET /ops/statement-days?provider=contract')).body.data as { id: string }[];
  const closing = await ana(`POST /ops/statement-days/${day!.id}/close`, { reason: 'the bank has no more of it' });
  const { approval } = (await bruno(`POST /ops/approvals/${closing.body.approval.id}/approve`)).body;
  expect(approval).toMatchObject({ state: 'APPLIED', outcome: { status: 'CLOSED' } });
}
