import type { setIntegration as contract } from '@gateway/contracts/connector';
import type { PayloadOf, ReplyOf } from '@gateway/contracts/messages';
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
