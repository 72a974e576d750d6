import { z } from 'zod';
import { listProviders, updateProvider } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { environmentSchema } from '@gateway/contracts/values';
import { callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  pageOf,
  presentProvider,
  providerPatchSchema,
  providerResourceSchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { actOf, type OperatorCall, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { isForTwo, proposeProviderChange, providerRequest } from '#src/proposals/change-provider.ts';

export const providerEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/providers',
    summary: 'List payment providers and how new charges are routed to them',
    query: z.strictObject({ environment: environmentSchema.optional() }),
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
    summary: 'Enable or disable a provider; propose its weight, or the part of its balance that is our own',
    description:
      'Two operators are needed for `own_funds` and for the `weight` of a live provider: a body that holds one of them is ' +
      'answered 202 and proposed as a whole. `enabled` alone is in force at once.',
    body: providerPatchSchema,
    example: { enabled: false },
    answers: { 200: providerResourceSchema, 202: approvalAnswerSchema },
    handle: async (call, { bus, database }) => {
      const { reason = null, ...patch } = call.body;
      const wanted = { id: providerIn(call), patch };
      if (isForTwo(patch)) {
        const proposal = await proposeProviderChange({ database, bus }, actOf(call), wanted, reason);
        return { status: 202, body: { approval: presentApproval(proposal) } };
      }
      const request = providerRequest(wanted);
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
