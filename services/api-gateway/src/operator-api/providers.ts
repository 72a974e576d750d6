import { z } from 'zod';
import {
  environmentSchema,
  listProviders,
  NotFoundError,
  pageOf,
  presentProvider,
  providerPatchSchema,
  providerResourceSchema,
  updateProvider,
} from '@gateway/contracts';
import { callRpc } from '@gateway/service-kit';
import { actOf, operatorEndpoint, type OperatorCall } from '#src/operator-api/operator-endpoint.ts';
import { auditAcross } from '#src/operators/audit-across.ts';

/** The body in the words of the service that keeps it. */
function toRpc({ own_funds: ownFunds, environment, enabled, weight }: z.output<typeof providerPatchSchema>) {
  if (!ownFunds) return { environment, enabled, weight };
  const { currency, amount_cents: amount } = ownFunds;
  return { environment, enabled, weight, ownFunds: { currency, amount } };
}

export const providerEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/providers',
    summary: 'List payment providers and how new charges are routed to them',
    query: z.object({ environment: environmentSchema.optional() }),
    answers: { 200: pageOf(providerResourceSchema) },
    handle: async ({ query: { environment } }, { bus }) => {
      const { providers } = await callRpc(bus, listProviders, {});
      const shown = providers.filter((provider) => environment === undefined || provider.environment === environment);
      return { status: 200, body: { data: shown.map(presentProvider), next_cursor: null } };
    },
  }),
  operatorEndpoint({
    method: 'PATCH',
    path: '/ops/providers/:id',
    summary: 'Enable a provider, change its share of the new charges, or say what of its balance is our own',
    body: providerPatchSchema,
    answers: { 200: providerResourceSchema },
    handle: async (call, { bus, database }) => {
      const request = { ...toRpc(call.body), id: providerIn(call) };
      const change = { action: 'provider.update', target: `${request.environment}/${request.id}` } as const;
      const { after } = await auditAcross(database, actOf(call), change, async () => {
        const { before, provider } = await callRpc(bus, updateProvider, request);
        return { before: presentProvider(before), after: presentProvider(provider) };
      });
      return { status: 200, body: after };
    },
  }),
];

function providerIn({ params: { id = '' } }: OperatorCall): string {
  if (!/^[a-z][a-z0-9-]*$/.test(id)) throw new NotFoundError('provider');
  return id;
}
