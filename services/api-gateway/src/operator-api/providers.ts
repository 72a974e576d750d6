import { z } from 'zod';
import {
  environmentSchema,
  listProviders,
  pageOf,
  presentProvider,
  providerPatchSchema,
  providerResourceSchema,
  updateProvider,
} from '@gateway/contracts';
import { callRpc } from '@gateway/service-kit';
import { actOf, operatorEndpoint } from '#src/operator-api/operator-endpoint.ts';
import { recordAudit } from '#src/operators/record-audit.ts';

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
    summary: 'Enable a provider, or change its share of the new charges',
    body: providerPatchSchema,
    answers: { 200: providerResourceSchema },
    handle: async (call, { bus, database }) => {
      const { id = '' } = call.params;
      const changed = await callRpc(bus, updateProvider, { ...call.body, id });
      const [before, after] = [presentProvider(changed.before), presentProvider(changed.provider)];
      const change = { action: 'provider.update', target: `${after.environment}/${after.id}`, before, after } as const;
      await database.transaction(async (tx) => recordAudit(tx, actOf(call), change));
      return { status: 200, body: after };
    },
  }),
];
