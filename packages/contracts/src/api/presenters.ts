import type { z } from 'zod';
import { balanceResourceSchema, presentBalance } from '#src/api/balance-resource.ts';
import { conversionResourceSchema, presentConversion } from '#src/api/conversion-resource.ts';
import { depositResourceSchema, presentDeposit } from '#src/api/deposit-resource.ts';
import { disputeResourceSchema, presentDispute } from '#src/api/dispute-resource.ts';
import { entryResourceSchema, presentEntry } from '#src/api/entry-resource.ts';
import {
  payoutResourceSchema,
  presentPayout,
  presentReturnedPayout,
  returnedPayoutResourceSchema,
  type ReturnedPayout,
} from '#src/api/payout-resource.ts';
import { presentRefund, refundResourceSchema } from '#src/api/refund-resource.ts';
import { balanceResourceV1Schema, presentBalanceV1 } from '#src/api/v1/balance-resource.ts';
import { depositResourceV1Schema, presentDepositV1 } from '#src/api/v1/deposit-resource.ts';
import { disputeResourceV1Schema, presentDisputeV1 } from '#src/api/v1/dispute-resource.ts';
import { entryResourceV1Schema, presentEntryV1 } from '#src/api/v1/entry-resource.ts';
import {
  payoutResourceV1Schema,
  presentPayoutV1,
  presentReturnedPayoutV1,
  returnedPayoutResourceV1Schema,
} from '#src/api/v1/payout-resource.ts';
import { presentRefundV1, refundResourceV1Schema } from '#src/api/v1/refund-resource.ts';
import { eitherContract } from '#src/api/versioned.ts';
import type { Conversion } from '#src/conversions/conversion.ts';
import type { Deposit } from '#src/deposits/deposit.ts';
import type { Dispute } from '#src/deposits/dispute.ts';
import type { Refund } from '#src/deposits/refund.ts';
import type { ApiVersion } from '#src/environment.ts';
import type { LedgerEntry } from '#src/ledger/entry.ts';
import type { KnownBalance } from '#src/ledger/result.ts';
import type { Payout } from '#src/payouts/payout.ts';

/** The public shapes of the records, of which each contract has one. */
export const shownSchemas = {
  balance: eitherContract(balanceResourceSchema, balanceResourceV1Schema),
  conversion: conversionResourceSchema,
  deposit: eitherContract(depositResourceSchema, depositResourceV1Schema),
  dispute: eitherContract(disputeResourceSchema, disputeResourceV1Schema),
  entry: eitherContract(entryResourceSchema, entryResourceV1Schema),
  payout: eitherContract(payoutResourceSchema, payoutResourceV1Schema),
  refund: eitherContract(refundResourceSchema, refundResourceV1Schema),
  returnedPayout: eitherContract(returnedPayoutResourceSchema, returnedPayoutResourceV1Schema),
} as const;

type Shown<K extends keyof typeof shownSchemas> = z.infer<(typeof shownSchemas)[K]>;

interface Presenter {
  readonly balance: (balances: readonly KnownBalance[]) => Shown<'balance'>;
  readonly conversion: (conversion: Conversion) => Shown<'conversion'>;
  readonly deposit: (deposit: Deposit) => Shown<'deposit'>;
  readonly dispute: (dispute: Dispute) => Shown<'dispute'>;
  readonly entry: (entry: LedgerEntry) => Shown<'entry'>;
  readonly payout: (payout: Payout) => Shown<'payout'>;
  readonly refund: (refund: Refund) => Shown<'refund'>;
  readonly returnedPayout: (returned: ReturnedPayout) => Shown<'returnedPayout'>;
}

/**
 * How each contract shows the records of the services, which know no contract (spec 9, api.md 3): answers, webhooks and
 * statements all come from here.
 */
export const presenters: Readonly<Record<ApiVersion, Presenter>> = {
  '0.1': {
    balance: presentBalance,
    conversion: presentConversion,
    deposit: presentDeposit,
    dispute: presentDispute,
    entry: presentEntry,
    payout: presentPayout,
    refund: presentRefund,
    returnedPayout: presentReturnedPayout,
  },
  '1.0': {
    balance: presentBalanceV1,
    conversion: presentConversion,
    deposit: presentDepositV1,
    dispute: presentDisputeV1,
    entry: presentEntryV1,
    payout: presentPayoutV1,
    refund: presentRefundV1,
    returnedPayout: presentReturnedPayoutV1,
  },
};
