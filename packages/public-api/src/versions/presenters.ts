import type { z } from 'zod';
import type { Conversion } from '@gateway/contracts/conversions';
import type { Deposit, Dispute, Refund } from '@gateway/contracts/deposits';
import type { ApiVersion, MessageLanguage } from '@gateway/contracts/values';
import type { LedgerEntry, KnownBalance } from '@gateway/contracts/ledger';
import type { Payout } from '@gateway/contracts/payouts';
import { balanceResourceSchema, presentBalance } from '#src/v0_1/balance-resource.ts';
import { conversionResourceSchema, presentConversion } from '#src/v0_1/conversion-resource.ts';
import { depositResourceSchema, presentDeposit } from '#src/v0_1/deposit-resource.ts';
import { disputeResourceSchema, presentDispute } from '#src/v0_1/dispute-resource.ts';
import { entryResourceSchema, presentEntry } from '#src/v0_1/entry-resource.ts';
import {
  payoutResourceSchema,
  presentPayout,
  presentReturnedPayout,
  returnedPayoutResourceSchema,
  type ReturnedPayout,
} from '#src/v0_1/payout-resource.ts';
import { presentRefund, refundResourceSchema } from '#src/v0_1/refund-resource.ts';
import { balanceResourceV1Schema, presentBalanceV1 } from '#src/v1_0/balance-resource.ts';
import { depositResourceV1Schema, presentDepositV1 } from '#src/v1_0/deposit-resource.ts';
import { disputeResourceV1Schema, presentDisputeV1 } from '#src/v1_0/dispute-resource.ts';
import { entryResourceV1Schema, presentEntryV1 } from '#src/v1_0/entry-resource.ts';
import {
  payoutResourceV1Schema,
  presentPayoutV1,
  presentReturnedPayoutV1,
  returnedPayoutResourceV1Schema,
} from '#src/v1_0/payout-resource.ts';
import { presentRefundV1, refundResourceV1Schema } from '#src/v1_0/refund-resource.ts';
import type { ByVersion } from '#src/shared/versioned.ts';

/** The public shapes of the records, of which each contract has one. */
export const shownSchemas = {
  balance: inEachContract(balanceResourceSchema, balanceResourceV1Schema),
  conversion: inEachContract(conversionResourceSchema, conversionResourceSchema),
  deposit: inEachContract(depositResourceSchema, depositResourceV1Schema),
  dispute: inEachContract(disputeResourceSchema, disputeResourceV1Schema),
  entry: inEachContract(entryResourceSchema, entryResourceV1Schema),
  payout: inEachContract(payoutResourceSchema, payoutResourceV1Schema),
  refund: inEachContract(refundResourceSchema, refundResourceV1Schema),
  returnedPayout: inEachContract(returnedPayoutResourceSchema, returnedPayoutResourceV1Schema),
} as const;

type Shown<K extends keyof typeof shownSchemas> = z.infer<(typeof shownSchemas)[K][ApiVersion]>;

function inEachContract<Before extends z.ZodType, Beta extends z.ZodType>(
  before: Before,
  beta: Beta,
): ByVersion<Before, Beta> {
  return { '0.1': before, '1.0': beta };
}

interface Presenter {
  readonly balance: (balances: readonly KnownBalance[]) => Shown<'balance'>;
  readonly conversion: (conversion: Conversion) => Shown<'conversion'>;
  readonly deposit: (deposit: Deposit) => Shown<'deposit'>;
  readonly dispute: (dispute: Dispute) => Shown<'dispute'>;
  readonly entry: (entry: LedgerEntry) => Shown<'entry'>;
  readonly payout: (payout: Payout, language?: MessageLanguage) => Shown<'payout'>;
  readonly refund: (refund: Refund, language?: MessageLanguage) => Shown<'refund'>;
  readonly returnedPayout: (returned: ReturnedPayout) => Shown<'returnedPayout'>;
}

/**
 * How each contract shows the records of the services, which know no contract (spec 9, api.md 3): answers, webhooks and
 * statements all come from here. Texts for people are English where no language is asked for.
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
