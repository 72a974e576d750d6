import { minorUnits } from '#src/shared/members.ts';
import { entryResourceSchema } from '#src/v0_1/entry-resource.ts';

/** A ledger entry as contract 1.0 shows it (spec 2.4, api.md 3), in minor units of its currency. */
export const entryResourceV1Schema = entryResourceSchema
  .omit({ amount_cents: true, balance_after_cents: true })
  .extend({
    amount: minorUnits('What the available balance changed by: credits are positive, debits negative.', 1_940),
    balance_after: minorUnits('The available balance right after this entry.', 194_000),
  })
  .meta({ id: 'LedgerEntry', description: 'One movement of the available balance.' });
