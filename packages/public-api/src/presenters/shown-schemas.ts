import type { z } from 'zod';
import type { ApiVersion } from '@gateway/contracts/values';
import type { ByVersion } from '#src/shared/versioned.ts';
import { balanceResourceSchema } from '#src/v0_1/balance-resource.ts';
import { conversionResourceSchema } from '#src/v0_1/conversion-resource.ts';
import { depositResourceSchema } from '#src/v0_1/deposit-resource.ts';
import { disputeResourceSchema } from '#src/v0_1/dispute-resource.ts';
import { entryResourceSchema } from '#src/v0_1/entry-resource.ts';
import { exportResourceSchema, exportResourceV1Schema } from '#src/v0_1/export-resource.ts';
import { payoutResourceSchema, returnedPayoutResourceSchema } from '#src/v0_1/payout-resource.ts';
import { refundResourceSchema } from '#src/v0_1/refund-resource.ts';
import { balanceResourceV1Schema } from '#src/v1_0/balance-resource.ts';
import { depositResourceV1Schema } from '#src/v1_0/deposit-resource.ts';
import { disputeResourceV1Schema } from '#src/v1_0/dispute-resource.ts';
import { entryResourceV1Schema } from '#src/v1_0/entry-resource.ts';
import { payoutResourceV1Schema, returnedPayoutResourceV1Schema } from '#src/v1_0/payout-resource.ts';
import { refundResourceV1Schema } from '#src/v1_0/refund-resource.ts';

/** The public shapes of the records, of which each contract has one. */
export const shownSchemas = {
  balance: inEachContract(balanceResourceSchema, balanceResourceV1Schema),
  conversion: inEachContract(conversionResourceSchema, conversionResourceSchema),
  deposit: inEachContract(depositResourceSchema, depositResourceV1Schema),
  dispute: inEachContract(disputeResourceSchema, disputeResourceV1Schema),
  entry: inEachContract(entryResourceSchema, entryResourceV1Schema),
  export: inEachContract(exportResourceSchema, exportResourceV1Schema),
  payout: inEachContract(payoutResourceSchema, payoutResourceV1Schema),
  refund: inEachContract(refundResourceSchema, refundResourceV1Schema),
  returnedPayout: inEachContract(returnedPayoutResourceSchema, returnedPayoutResourceV1Schema),
} as const;

export type Shown<K extends keyof typeof shownSchemas> = z.infer<(typeof shownSchemas)[K][ApiVersion]>;

function inEachContract<Before extends z.ZodType, Beta extends z.ZodType>(
  before: Before,
  beta: Beta,
): ByVersion<Before, Beta> {
  return { '0.1': before, '1.0': beta };
}
