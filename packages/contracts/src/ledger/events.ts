import { z } from 'zod';
import { idSchema, minorUnitsSchema } from '@gateway/money';
import { environmentSchema } from '#src/values/environment.ts';
import { defineEvent } from '#src/messages/define.ts';

/**
 * What a dispute holds has changed without a command of its own: a credit paid into its shortfall, or the shortfall
 * lapsed. Committed with the change. Of two events about one dispute the one with the higher `sequence` is the newer; a
 * reader keeps the highest it has seen and ignores the others. What commands of the dispute itself do is in their results.
 */
export const DisputeHoldingChanged = defineEvent({
  subject: 'event.ledger.dispute-holding.changed.v1',
  owner: 'ledger',
  payload: z.object({
    id: idSchema('event'),
    /** Unix seconds. */
    occurredAt: z.int(),
    environment: environmentSchema,
    accountId: idSchema('account'),
    disputeId: idSchema('dispute'),
    state: z.enum(['open', 'won', 'lost']),
    /** In the blocked bucket for this dispute now. */
    blocked: minorUnitsSchema,
    /** Gone back to the payer, by now. */
    returned: minorUnitsSchema,
    /** Still to be taken from later credits. */
    shortfall: minorUnitsSchema,
    /** Place of the decision in the ledger's chain. */
    sequence: z.int().positive(),
  }),
});
