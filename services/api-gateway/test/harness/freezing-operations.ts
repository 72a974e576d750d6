import type { OperationTable } from './changing-services.ts';
import type { GatewayUnderTest } from './start-gateway.ts';

const reason = 'as the test wants it';

async function frozenAccount(gateway: GatewayUnderTest): Promise<string> {
  const { id } = (await gateway.asOperator('POST', '/ops/accounts', { body: { name: 'Loja' } })).body;
  await gateway.asOperator('POST', `/ops/accounts/${id}/freeze`, { body: { level: 'payouts', reason } });
  return id;
}

/** What stops an account, and what proposes to let it go on. */
export const freezingOperations: OperationTable = {
  'POST /ops/accounts/:id/freeze': async (gateway) => ({
    ...{ path: `/ops/accounts/${await frozenAccount(gateway)}/freeze`, body: { level: 'writes', reason } },
    ...{ action: 'account.freeze', before: { frozen: { level: 'payouts' } }, after: { frozen: { level: 'writes' } } },
  }),
  'POST /ops/accounts/:id/unfreeze': async (gateway) => ({
    ...{ path: `/ops/accounts/${await frozenAccount(gateway)}/unfreeze`, body: { reason } },
    ...{ action: 'approval.propose', before: null, after: { kind: 'account.unfreeze', state: 'PROPOSED' } },
  }),
};
