import { expect } from 'vitest';
import type { DescribedClient } from './described-client.ts';

type Call = ReturnType<DescribedClient['as']>;

/** What a merchant reads of the statement and of its proof, once a reconciliation has signed a checkpoint. */
export async function readProvenStatement(call: Call, operator: Call): Promise<void> {
  const entries = (await call('GET /v1/transactions')).body.data;
  expect(entries.length).toBeGreaterThan(3);
  await call('GET /v1/transactions', undefined, { accept: 'text/csv' });
  await operator('POST /ops/reconciliations');
  expect((await call(`GET /v1/transactions/${entries.at(-1).id}/receipt`)).status).toBe(200);
  await call('GET /v1/proof/keys');
  await call('GET /v1/proof/consistency?from=1');
}
