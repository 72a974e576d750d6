import {
  integrationRequestSchema,
  integrationResourceSchema,
  presentIntegration,
  setIntegration,
} from '@gateway/contracts/connector';
import { NotFoundError } from '@gateway/contracts/errors';
import { isId } from '@gateway/money';
import { callRpc } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { AccountEntity } from '#src/accounts/account-entity.ts';
import { actOf, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { auditAcross } from '#src/approvals/audit-across.ts';

export const integrationEndpoints = [
  operatorEndpoint({
    method: 'POST',
    path: '/ops/compat/integrations',
    summary: 'Set the restrictions of an account on one connector prefix, in the place of those it had there',
    description:
      'It restricts calls below that prefix, and nothing else: any key pair of the account may authenticate on any prefix, ' +
      'so `payouts_enabled: false` at `alt` leaves `/compat/cli`, `/cli` and `/v1` as they are. To hold the payouts of an ' +
      'account at every door, switch its automatic approval off (`PATCH /ops/accounts/{id}`): each of them then waits for ' +
      'an operator. To shut out a key that was stolen, revoke it (`DELETE /ops/keys/{public_key}`).',
    body: integrationRequestSchema,
    answers: { 201: integrationResourceSchema },
    handle: async (call, { bus, database }) => {
      const { account_id: accountId, prefix, ip_allowlist: ipAllowlist, payouts_enabled: payoutsEnabled } = call.body;
      await requireAccount(database, accountId);
      const request = { accountId, prefix, ipAllowlist, payoutsEnabled };
      const change = { action: 'integration.set', target: `${accountId}/${prefix}` } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        const { before, integration } = await callRpc(bus, setIntegration, request);
        const made = presentIntegration(integration);
        return { before: before && presentIntegration(before), after: made, target: made.id };
      });
      return { status: 201, body: after };
    },
  }),
];

async function requireAccount(database: Database, id: string): Promise<void> {
  const known = isId('account', id) && (await database.reader().count(AccountEntity, { id })) > 0;
  if (!known) throw new NotFoundError('account');
}
