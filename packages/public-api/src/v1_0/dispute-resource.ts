import { z } from 'zod';
import type { Dispute } from '@gateway/contracts/deposits';
import { currencySchema } from '@gateway/money';
import { disputeResourceSchema, presentDispute } from '#src/v0_1/dispute-resource.ts';

/** A dispute as contract 1.0 shows it (api.md 3); every member is always present. */
export const disputeResourceV1Schema = disputeResourceSchema
  .omit({ amount_cents: true, blocked_cents: true, returned_cents: true })
  .extend({ amount: z.int(), blocked: z.int(), returned: z.int(), currency: currencySchema });

export function presentDisputeV1(dispute: Dispute): z.infer<typeof disputeResourceV1Schema> {
  const {
    amount_cents: amount,
    blocked_cents: blocked,
    returned_cents: returned,
    ...members
  } = presentDispute(dispute);
  return { ...members, amount, blocked, returned, currency: dispute.currency };
}
