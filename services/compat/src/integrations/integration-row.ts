import type { Integration, IntegrationPrefix } from '@gateway/contracts/connector';

export interface IntegrationRow {
  readonly id: string;
  readonly account_id: string;
  readonly prefix: IntegrationPrefix;
  readonly ip_allowlist: string[];
  readonly payouts_enabled: boolean;
  readonly created_at: Date;
}

export function toIntegration(row: IntegrationRow): Integration {
  return {
    id: row.id,
    accountId: row.account_id,
    prefix: row.prefix,
    ipAllowlist: row.ip_allowlist,
    payoutsEnabled: row.payouts_enabled,
    createdAt: Math.floor(row.created_at.getTime() / 1_000),
  };
}
