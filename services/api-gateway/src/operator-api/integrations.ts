import {
  integrationRequestSchema,
  integrationResourceSchema,
  isId,
  NotFoundError,
  presentIntegration,
  setIntegration,
} from '@gateway/contracts';
import { callRpc, type Database } from '@gateway/service-kit';
import { AccountEntity } from '#src/accounts/account-entity.ts';
import { actOf, operatorEndpoint } from '#src/operator-api/operator-endpoint.ts';
import { recordAudit } from '#src/operators/record-audit.ts';

export const integrationEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/compat/integrations',
    summary: 'Set the restrictions of an account on a connector, in the place of those it had',
    body: integrationRequestSchema,
    answers: { 201: integrationResourceSchema },
    handle: async (call, { bus, database }) => {
      const { account_id: accountId, prefix, ip_allowlist: ipAllowlist, payouts_enabled: payoutsEnabled } = call.body;
      await requireAccount(database, accountId);
      const request = { accountId, prefix, ipAllowlist, payoutsEnabled };
      const changed = await callRpc(bus, setIntegration, request);
      const before = changed.before && presentIntegration(changed.before);
      const after = presentIntegration(changed.integration);
      await database.transaction(async (tx) =>
        recordAudit(tx, actOf(call), { action: 'integration.set', target: after.id, before, after }),
      );
      return { status: 201, body: after };
    },
  }),
];

async function requireAccount(database: Database, id: string): Promise<void> {
  const known = isId('account', id) && (await database.reader().count(AccountEntity, { id })) > 0;
  if (!known) throw new NotFoundError('account');
}
