import { z } from 'zod';
import { updateProvider } from '@gateway/contracts/deposits';
import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import { getDepositCallFigures, getPayoutCallFigures } from '@gateway/contracts/providers';
import { environmentSchema, type Environment } from '@gateway/contracts/values';
import { callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  csvQuery,
  presentCalls,
  presentProvider,
  providerCallsAnswerSchema,
  providerChangeSchema,
  providerPatchSchema,
  providerResourceSchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import type { Answer } from '#src/http/endpoint.ts';
import { askSources, unlessMissing } from '#src/operator/ask-sources.ts';
import { actOf, type OperatorCall, operatorEndpoint, type OperatorServices } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import {
  isForTwo,
  proposeProviderChange,
  type ProviderChange,
  providerRequest,
  readProvider,
  readProviders,
} from '#src/proposals/change-provider.ts';

export const providerEndpoints = [
  operatorList({
    path: '/ops/providers',
    operation: 'listProviders',
    permission: 'operations:read',
    summary: 'List payment providers and how new charges are routed to them, and exchanges',
    description:
      'Answers with the providers of both environments: whether they are enabled and healthy, their weight, and ' +
      'what they hold beside what the books say. An exchange where USDT is bought is one of `kind` `exchange`; it is ' +
      'left out while the ledger does not answer.',
    query: z.strictObject({
      environment: environmentSchema.optional().describe('Only providers of this environment.'),
      ...csvQuery,
    }),
    name: 'providers',
    schema: providerResourceSchema,
    page: async ({ query: { environment } }, { bus }) => {
      const providers = await readProviders(bus);
      const data = providers.filter((each) => environment === undefined || each.environment === environment);
      return { data, nextCursor: null };
    },
  }),
  operatorEndpoint({
    method: 'PATCH',
    path: '/ops/providers/:id',
    operation: 'updateProvider',
    permission: 'operations:write',
    summary: 'Enable or disable a provider; propose its weight, or the part of its balance that is our own',
    description:
      'Two operators are needed for `own_funds` and for the `weight` of a live provider: a body that holds one of them is ' +
      'answered 202 and proposed as a whole. `enabled` alone is in force at once, unless it enables a live provider that ' +
      'another operator disabled.',
    body: providerPatchSchema,
    example: { enabled: false },
    answers: { 200: providerResourceSchema, 202: approvalAnswerSchema },
    handle: async (call, services) => {
      const { reason = null, environment, ...patch } = call.body;
      const id = providerIn(call);
      const changeIn = (place: Environment) =>
        changeProvider(call, services, { id, patch: { ...patch, environment: place } }, reason);
      if (environment !== undefined) return await changeIn(environment);
      const changed = await changeIn('live').catch(unlessMissing);
      if (changed) return changed;
      if (patch.own_funds) throw onlyLiveHolds();
      return await changeIn('test');
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/providers/:environment/:id',
    operation: 'getProvider',
    permission: 'operations:read',
    summary: 'Read a payment provider of one environment',
    description:
      'Answers with a provider: whether it is enabled and healthy, its weight, and what it holds beside the books.',
    answers: { 200: providerResourceSchema },
    handle: async (call, { bus }) => {
      const [environment, id] = [environmentIn(call), providerIn(call)];
      return { status: 200, body: await readProvider(bus, { environment, id }) };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/providers/:environment/:id/calls',
    operation: 'getProviderCalls',
    permission: 'operations:read',
    summary: 'Read how a payment provider answered over the last 24 hours',
    description:
      'Answers with the calls of all processes by operation, how many of them had no answer and how long they took, and ' +
      'with when the last notification of the provider came. They are up to half a minute behind.',
    answers: { 200: providerCallsAnswerSchema },
    refusals: ['NOT_FOUND'],
    handle: async (call, { bus }) => {
      const [environment, id] = [environmentIn(call), providerIn(call)];
      const [, body] = await Promise.all([readProvider(bus, { environment, id }), readFigures(bus, id)]);
      return { status: 200, body };
    },
  }),
  operatorEndpoint({
    method: 'PATCH',
    path: '/ops/providers/:environment/:id',
    operation: 'updateEnvironmentProvider',
    permission: 'operations:write',
    summary: 'Change a payment provider of one environment',
    description: 'As `PATCH /ops/providers/{id}`, whose body names the environment.',
    body: providerChangeSchema,
    example: { enabled: false },
    answers: { 200: providerResourceSchema, 202: approvalAnswerSchema },
    handle: async (call, services) => {
      const { reason = null, ...change } = call.body;
      const environment = environmentIn(call);
      if (environment === 'test' && change.own_funds) {
        throw onlyLiveHolds();
      }
      return await changeProvider(call, services, { id: providerIn(call), patch: { environment, ...change } }, reason);
    },
  }),
];

/** What is not answered within this time is left out, and the service is named. */
const figuresTimeout = { timeoutMs: 800 };

/** Each service counts the calls that it makes, all of its processes together. */
async function readFigures(bus: OperatorServices['bus'], provider: string) {
  const { found, incomplete } = await askSources([
    { name: 'deposits', read: async () => [await callRpc(bus, getDepositCallFigures, { provider }, figuresTimeout)] },
    { name: 'payouts', read: async () => [await callRpc(bus, getPayoutCallFigures, { provider }, figuresTimeout)] },
  ]);
  const notified = found.flatMap(({ lastNotificationAt: at }) => at ?? []).sort();
  const calls = presentCalls(found.flatMap((each) => each.calls));
  return { calls, last_notification_at: notified.at(-1) ?? null, incomplete };
}

async function changeProvider(
  call: OperatorCall,
  { bus, database }: Pick<OperatorServices, 'bus' | 'database'>,
  wanted: ProviderChange,
  reason: string | null,
): Promise<Answer> {
  if (await isForTwo(database, actOf(call), wanted)) {
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
}

function onlyLiveHolds(): ValidationError {
  return new ValidationError([{ path: 'own_funds', message: 'only live providers hold money' }]);
}

function environmentIn({ params: { environment } }: OperatorCall): Environment {
  const known = environmentSchema.safeParse(environment);
  if (!known.success) throw new NotFoundError('provider');
  return known.data;
}

function providerIn({ params: { id = '' } }: OperatorCall): string {
  if (!/^[a-z][a-z0-9-]*$/.test(id)) throw new NotFoundError('provider');
  return id;
}
