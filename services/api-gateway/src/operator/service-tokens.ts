import { z } from 'zod';
import {
  listServiceTokens,
  readingPermissions,
  revokeServiceToken,
  serviceTokenScopeSchema,
} from '@gateway/contracts/identity';
import { requestText } from '@gateway/contracts/values';
import { callRpc } from '@gateway/messaging';
import { approvalAnswerSchema, onlyPage, operatorReasonSchema } from '@gateway/public-api';
import { allowlistOf } from '#src/accounts/ip-allowlist.ts';
import { presentApproval } from '#src/approvals/approval.ts';
import { auditAcross } from '#src/approvals/audit.ts';
import { requireConfirmed } from '#src/approvals/permissions.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { presentServiceToken, serviceTokenSchema } from '#src/operator/people-resources.ts';
import { issueServiceToken } from '#src/proposals/change-people.ts';
import { inviterOf } from '#src/proposals/invite-first-owner.ts';

const daysMax = 90;

const createBody = z
  .strictObject({
    name: requestText(1, 60).describe('What it is for.'),
    scopes: z
      .array(serviceTokenScopeSchema)
      .min(1)
      .max(20)
      .meta({ description: 'The permissions that it has; a token never decides.', examples: [['records:read']] }),
    allowlist: z
      .array(z.string().max(64))
      .max(100)
      .nullish()
      .meta({ description: 'The addresses it may be used from; none means any.', examples: [['203.0.113.7']] }),
    days: z.int().min(1).max(daysMax).default(daysMax).describe('How many days it lasts.'),
    reason: operatorReasonSchema.nullish().describe('Why, for the operator who approves it.'),
  })
  .meta({ id: 'ServiceTokenCreate', description: 'A token for automation.' });

export const serviceTokenEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/service-tokens',
    operation: 'listServiceTokens',
    permission: 'people:read',
    summary: 'List the tokens for automation, newest first, without their secrets',
    description: 'Those that have ended are listed for 90 days.',
    answers: {
      200: z
        .object({ data: z.array(serviceTokenSchema).describe('The tokens, newest first.'), ...onlyPage })
        .meta({ id: 'ServiceTokenList', description: 'Every token that has not ended long ago.' }),
    },
    handle: async (_call, { bus }) => {
      const { serviceTokens } = await callRpc(bus, listServiceTokens, {});
      return { status: 200, body: { data: serviceTokens.map(presentServiceToken), next_cursor: null } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/service-tokens',
    operation: 'issueServiceToken',
    permission: 'people:write',
    summary: 'Issue a token that reads, shown only in this answer; propose one that writes',
    description:
      'A token whose scopes are more than reading is answered 202 and issued once another admin has approved it, whose answer ' +
      'then has the token, once. No token decides, changes people or sees personal data unmasked.',
    body: createBody,
    example: { name: 'nightly export', scopes: ['records:read'], allowlist: ['203.0.113.7'], days: 30 },
    answers: {
      201: z
        .object({
          service_token: serviceTokenSchema.describe('What it may do, and for how long.'),
          token: z.string().meta({ description: 'The token, in this answer and in no other.', examples: ['opst_…'] }),
        })
        .meta({ id: 'NewServiceToken', description: 'A new token.' }),
      202: approvalAnswerSchema,
    },
    handle: async (call, { bus, database }) => {
      const act = actOf(call);
      requireConfirmed(act);
      const { name, scopes, days, reason = null } = call.body;
      const request = { name, scopes, allowlist: [...allowlistOf(call.body.allowlist ?? [], 'allowlist')], days };
      if (scopes.some((scope) => !readingPermissions.includes(scope))) {
        const subject = { kind: 'service-token.create', environment: null, accountId: null, target: name } as const;
        const approval = await database.transaction(async (tx) =>
          proposeApproval(tx, act, { ...subject, request, before: null, reason: reason ?? null }),
        );
        return { status: 202, body: { approval: presentApproval(approval) } };
      }
      const made = await auditAcross(database, act, { action: 'service-token.create', target: name }, async () => {
        const { serviceToken, token } = await issueServiceToken(bus, request, {
          by: inviterOf(act.responsible),
          approvedBy: null,
        });
        return { before: null, after: presentServiceToken(serviceToken), target: serviceToken.id, token };
      });
      return { status: 201, body: { service_token: made.after, token: made.token } };
    },
  }),
  operatorEndpoint({
    method: 'DELETE',
    path: '/ops/service-tokens/:id',
    operation: 'revokeServiceToken',
    permission: 'people:write',
    summary: 'Revoke a token for automation, everywhere within a second',
    description: 'It cannot be undone: issue another token.',
    answers: { 204: null },
    handle: async (call, { bus, database }) => {
      const act = actOf(call);
      requireConfirmed(act);
      const id = idIn(call, 'serviceToken', 'service token');
      await auditAcross(database, act, { action: 'service-token.revoke', target: id }, async () => {
        const { serviceToken } = await callRpc(bus, revokeServiceToken, { id, by: inviterOf(act.responsible) });
        const after = presentServiceToken(serviceToken);
        return { before: { ...after, revoked_at: null }, after };
      });
      return { status: 204 };
    },
  }),
];
