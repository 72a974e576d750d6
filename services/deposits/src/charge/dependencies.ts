import type { Caller } from '@gateway/contracts/accounts';
import type { Feeds } from '@gateway/provider-feeds';
import type { DepositTable } from '#src/deposit/deposit-table.ts';
import type { Links } from '#src/deposit/links.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';

/** Whose key it is, as the gateway answers now; throws AUTH_INVALID, and SERVICE_UNAVAILABLE when it does not answer. */
export type HolderOf = (publicKey: string, timeoutMs: number) => Promise<Caller>;

export interface ChargeDependencies extends PaymentDependencies, Pick<Links, 'qrUrlOf' | 'pageUrlOf'> {
  readonly deposits: DepositTable;
  readonly holderOf: HolderOf;
  readonly feeds: Feeds;
}
