import type {
  listIntegrations as listContract,
  removeIntegration as removeContract,
  setIntegration as contract,
} from '@gateway/contracts/connector';
import { NotFoundError } from '@gateway/contracts/errors';
import type { PayloadOf, ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { toIntegration, type IntegrationRow } from '#src/integrations/integration-row.ts';

/** One row per account and connector: setting it again replaces what it says, and keeps its id. */
export async function setIntegration(
  database: Database,
  { accountId, prefix, ipAllowlist, payoutsEnabled }: PayloadOf<{ payload: typeof contract.request }>,
  now: Date,
): Promise<ReplyOf<typeof contract>> {
  return await database.transaction(async (tx) => {
    const [before] = await tx.sql<IntegrationRow>(
      'select * from integration where account_id = $1 and prefix = $2 for update',
      [accountId, prefix],
    );
    const [after] = await tx.sql<IntegrationRow>(
      `insert into integration (id, account_id, prefix, ip_allowlist, payouts_enabled, created_at, updated_at)
       values ($1, $2, $3, $4::text[], $5, $6, $6)
       on conflict on constraint integration_once do update
         set ip_allowlist = excluded.ip_allowlist, payouts_enabled = excluded.payouts_enabled,
             updated_at = excluded.updated_at
       returning *`,
      [newId('integration'), accountId, prefix, ipAllowlist, payoutsEnabled, now],
    );
    if (!after) throw new Error('the integration was not written');
    return { before: before ? toIntegration(before) : null, integration: toIntegration(after) };
  });
}

/** By account and connector. */
export async function listIntegrations(
  database: Database,
  { accountId, prefix }: RequestOf<typeof listContract>,
): Promise<ReplyOf<typeof listContract>> {
  const rows = await database.query<IntegrationRow>(
    `select * from integration where ($1::text is null or account_id = $1) and ($2::text is null or prefix = $2)
     order by account_id desc, prefix`,
    [accountId ?? null, prefix ?? null],
  );
  return { integrations: rows.map(toIntegration) };
}

/** @throws NotFoundError where there are no restrictions */
export async function removeIntegration(
  database: Database,
  { accountId, prefix }: RequestOf<typeof removeContract>,
): Promise<ReplyOf<typeof removeContract>> {
  const text = 'delete from integration where account_id = $1 and prefix = $2 returning *';
  const [removed] = await database.query<IntegrationRow>(text, [accountId, prefix]);
  if (!removed) throw new NotFoundError('integration');
  return { before: toIntegration(removed) };
}
