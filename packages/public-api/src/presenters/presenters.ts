import type { Conversion } from '@gateway/contracts/conversions';
import type { Export } from '@gateway/contracts/exports';
import type { Deposit, Dispute, Refund } from '@gateway/contracts/deposits';
import type { ApiVersion, MessageLanguage } from '@gateway/contracts/values';
import type { LedgerEntry, KnownBalance } from '@gateway/contracts/ledger';
import type { Payout } from '@gateway/contracts/payouts';
import * as v0 from '#src/presenters/v0_1.ts';
import * as v1 from '#src/presenters/v1_0.ts';
import type { Shown } from '#src/presenters/shown-schemas.ts';

interface Presenter {
  /** `isPast`: they are balances as they stood at an earlier time. */
  readonly balance: (balances: readonly KnownBalance[], isPast?: boolean) => Shown<'balance'>;
  readonly conversion: (conversion: Conversion) => Shown<'conversion'>;
  readonly deposit: (deposit: Deposit) => Shown<'deposit'>;
  readonly dispute: (dispute: Dispute, language?: MessageLanguage) => Shown<'dispute'>;
  readonly entry: (entry: LedgerEntry) => Shown<'entry'>;
  /** The link is the gateway's to sign. */
  readonly export: (exported: Export, downloadUrl?: string | null) => Shown<'export'>;
  readonly payout: (payout: Payout, language?: MessageLanguage) => Shown<'payout'>;
  readonly refund: (refund: Refund, language?: MessageLanguage) => Shown<'refund'>;
  readonly returnedPayout: (returned: v0.ReturnedPayout) => Shown<'returnedPayout'>;
}

/**
 * How each contract shows the records of the services, which know no contract (spec 9, api.md 3): answers, webhooks and
 * statements all come from here. Texts for people are English where no language is asked for.
 */
export const presenters: Readonly<Record<ApiVersion, Presenter>> = {
  '0.1': {
    balance: v0.presentBalance,
    conversion: v0.presentConversion,
    deposit: v0.presentDeposit,
    dispute: v0.presentDispute,
    entry: v0.presentEntry,
    export: v0.presentExport,
    payout: v0.presentPayout,
    refund: v0.presentRefund,
    returnedPayout: v0.presentReturnedPayout,
  },
  '1.0': {
    balance: v1.presentBalanceV1,
    conversion: v0.presentConversion,
    deposit: v1.presentDepositV1,
    dispute: v1.presentDisputeV1,
    entry: v1.presentEntryV1,
    export: v1.presentExportV1,
    payout: v1.presentPayoutV1,
    refund: v1.presentRefundV1,
    returnedPayout: v1.presentReturnedPayoutV1,
  },
};
