import type { Caller, KeyScope } from '@gateway/contracts/accounts';
import type { ApiVersion, Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import { type AccountEntity, type AccountFreeze, toAccount, toFreeze } from '#src/accounts/account.ts';
import { IpAllowlist } from '#src/accounts/ip-allowlist.ts';

/** What authentication needs to know of a key that is in force. */
export interface KnownKey {
  readonly secretHash: Buffer;
  readonly caller: Caller;
  readonly allowlist: IpAllowlist;
  /** Grows with every change of the key. */
  readonly keyVersion: number;
  /** Grows with every change of the account. */
  readonly accountVersion: number;
}

interface KeyRow {
  readonly public_key: string;
  readonly secret_hash: string;
  readonly environment: Environment;
  readonly api_version: ApiVersion;
  readonly ip_allowlist: readonly string[];
  readonly scopes: KeyScope[] | null;
  readonly key_version: number;
  readonly id: string;
  readonly name: string;
  readonly document: string | null;
  readonly auto_approve_payouts: boolean;
  readonly deposit_fee_fixed: number;
  readonly deposit_fee_bps: number;
  readonly payout_fee_fixed: number;
  readonly payout_fee_bps: number;
  readonly retention_days: number;
  readonly rate_per_second: number;
  readonly rate_burst: number;
  readonly payout_limit: number | null;
  readonly payout_day_limit: number | null;
  readonly currency_terms: AccountEntity['currencyTerms'];
  readonly frozen: AccountFreeze | null;
  readonly version: number;
}

const statement = `
  select k.public_key, k.secret_hash, k.environment, k.api_version, k.ip_allowlist, k.scopes, k.version as key_version,
         a.id, a.name, a.document, a.auto_approve_payouts, a.deposit_fee_fixed, a.deposit_fee_bps, a.payout_fee_fixed, a.payout_fee_bps, a.retention_days,
         a.rate_per_second, a.rate_burst, a.payout_limit, a.payout_day_limit, a.currency_terms, a.version,
         case k.environment when 'live' then a.frozen_live else a.frozen_test end as frozen
    from api_key k join account a on a.id = k.account_id
   where k.public_key = $1 and k.revoked_at is null and k.secret_hash is not null`;

/** The key and its account; undefined when there is no such key, or not any more. */
export async function loadKey(database: Database, publicKey: string): Promise<KnownKey | undefined> {
  const [row] = await database.query<KeyRow>(statement, [publicKey], 'load-key');
  if (!row) return undefined;
  const account = toAccount({
    id: row.id,
    name: row.name,
    document: row.document,
    autoApprovePayouts: row.auto_approve_payouts,
    depositFeeFixed: row.deposit_fee_fixed,
    depositFeeBps: row.deposit_fee_bps,
    payoutFeeFixed: row.payout_fee_fixed,
    payoutFeeBps: row.payout_fee_bps,
    retentionDays: row.retention_days,
    ratePerSecond: row.rate_per_second,
    rateBurst: row.rate_burst,
    payoutLimit: row.payout_limit,
    payoutDayLimit: row.payout_day_limit,
    currencyTerms: row.currency_terms,
  });
  return {
    secretHash: Buffer.from(row.secret_hash, 'hex'),
    caller: {
      account,
      environment: row.environment,
      publicKey: row.public_key,
      apiVersion: row.api_version,
      frozen: toFreeze(row.frozen),
      scopes: row.scopes,
    },
    allowlist: new IpAllowlist(row.ip_allowlist),
    keyVersion: row.key_version,
    accountVersion: row.version,
  };
}
