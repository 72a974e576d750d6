import type { Integration, IntegrationPrefix } from '@gateway/contracts/connector';
import { unixSeconds } from '@gateway/contracts/values';

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
    createdAt: unixSeconds(row.created_at),
  };
}
