import { expect } from 'vitest';
import type { DescribedClient } from './described-client.ts';

/** Calls each operation about statement files and mappings, with a file that moves nothing. */
export async function everyStatementOperation(call: ReturnType<DescribedClient['as']>): Promise<void> {
  await call('GET /ops/statement-files?provider=efi&state=REFUSED&limit=1');
  const file = Buffer.from('<OFX><CURDEF>MXN</CURDEF><ACCTID>1</ACCTID></OFX>');
  await call('POST /ops/statement-files?provider=efi&format=ofx&currency=MXN&dry_run=true', file);
  const sent = await call('POST /ops/statement-files?provider=efi&format=ofx&currency=MXN', file);
  expect((await call(`GET /ops/statement-files/${sent.body.id}`)).body.state).toBe('IMPORTED');
  const mapping = { date: { column: 'd', format: 'ISO', zone: 'UTC' }, amount: { column: 'a', decimal: '.' } };
  await call('POST /ops/statement-mappings', { provider: 'efi', mapping, reason: 'a new bank' });
  await call('GET /ops/statement-mappings?provider=efi');
}
