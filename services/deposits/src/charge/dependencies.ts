import type { Feeds } from '@gateway/provider-feeds';
import type { DepositTable } from '#src/deposit/deposit-table.ts';
import type { PageUrlOf } from '#src/deposit/page-url.ts';
import type { QrUrlOf } from '#src/deposit/qr-url.ts';
import type { PaymentDependencies } from '#src/payment/dependencies.ts';

export interface ChargeDependencies extends PaymentDependencies {
  readonly deposits: DepositTable;
  readonly qrUrlOf: QrUrlOf;
  readonly pageUrlOf: PageUrlOf;
  readonly feeds: Feeds;
}
