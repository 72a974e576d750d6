import { z } from 'zod';
import { idSchema } from '@gateway/money';
import { defineRpc } from '#src/messages/define.ts';

/** The connectors: `cli` under /compat/cli and its earlier prefix, `alt` under /compat/alt/cli (spec 4.1). */
export const integrationPrefixSchema = z.enum(['cli', 'alt']);
export type IntegrationPrefix = z.infer<typeof integrationPrefixSchema>;

const allowlistSchema = z
  .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an IP address or a CIDR range'))
  .max(100);

/** What an operator restricts for one account on one connector; without one there are no restrictions (api.md 4). */
const integrationSchema = z.object({
  id: idSchema('integration'),
  accountId: idSchema('account'),
  prefix: integrationPrefixSchema,
  /** Addresses and CIDR ranges that may call; empty means all. */
  ipAllowlist: z.array(z.string()),
  payoutsEnabled: z.boolean(),
  /** Unix seconds. */
  createdAt: z.int(),
});
export type Integration = z.infer<typeof integrationSchema>;

/** Sets the restrictions of an account on a connector in the place of those it had; in force for the next call. */
export const setIntegration = defineRpc({
  subject: 'rpc.compat.set-integration.v1',
  owner: 'compat',
  request: integrationSchema.omit({ id: true, createdAt: true }),
  reply: z.object({ before: integrationSchema.nullable(), integration: integrationSchema }),
});

/** The restrictions of all accounts, or of one, by account and connector. There are few: it is one page. */
export const listIntegrations = defineRpc({
  subject: 'rpc.compat.list-integrations.v1',
  owner: 'compat',
  request: z.object({ accountId: idSchema('account').optional(), prefix: integrationPrefixSchema.optional() }),
  reply: z.object({ integrations: z.array(integrationSchema) }),
});

/** Lifts the restrictions of an account on a connector; in force for the next call. NOT_FOUND where there are none. */
export const removeIntegration = defineRpc({
  subject: 'rpc.compat.remove-integration.v1',
  owner: 'compat',
  request: z.object({ accountId: idSchema('account'), prefix: integrationPrefixSchema }),
  reply: z.object({ before: integrationSchema }),
});

/** Query of `GET` and `DELETE /ops/compat/integrations`. */
export const integrationsQuerySchema = z.strictObject({
  account_id: idSchema('account').optional().describe('The account that is restricted.'),
  prefix: integrationPrefixSchema.optional().describe('The connector that is restricted.'),
});

/** Body of `POST /ops/compat/integrations` (api.md 5). */
export const integrationRequestSchema = z
  .strictObject({
    account_id: z.string().describe('The account that is restricted.'),
    prefix: integrationPrefixSchema.describe('The connector that is restricted.'),
    ip_allowlist: allowlistSchema.default([]).describe('The addresses and ranges that may call; none means any.'),
    payouts_enabled: z.boolean().default(true).describe('Whether payouts may be sent through this connector.'),
  })
  .meta({ id: 'IntegrationSet', description: 'All restrictions of an account on a connector.' });

export const integrationResourceSchema = z
  .object({
    id: idSchema('integration').describe('The id of the restrictions.'),
    object: z.literal('integration').describe('Always `integration`.'),
    account_id: idSchema('account').describe('The account that is restricted.'),
    prefix: integrationPrefixSchema.describe('The connector that is restricted.'),
    ip_allowlist: z
      .array(z.string())
      .meta({ description: 'The addresses and ranges that may call; none means any.', examples: [['203.0.113.7']] }),
    payouts_enabled: z.boolean().describe('Whether payouts may be sent through this connector.'),
    created_at: z.int().meta({ description: 'When they were set, in Unix seconds.', examples: [1_767_348_000] }),
  })
  .meta({ id: 'Integration', description: 'The restrictions of an account on a connector.' });

export function presentIntegration(integration: Integration): z.infer<typeof integrationResourceSchema> {
  return {
    id: integration.id,
    object: 'integration',
    account_id: integration.accountId,
    prefix: integration.prefix,
    ip_allowlist: integration.ipAllowlist,
    payouts_enabled: integration.payoutsEnabled,
    created_at: integration.createdAt,
  };
}
