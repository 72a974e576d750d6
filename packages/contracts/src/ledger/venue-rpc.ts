import { z } from 'zod';
import { currencySchema, minorUnitsSchema } from '@gateway/money';
import { ledgerProviderSchema } from '#src/ledger/own-account-commands.ts';
import { defineRpc } from '#src/messages/define.ts';
import { providerBalanceSchema } from '#src/providers/provider-balance.ts';

/** An exchange where the USDT is bought that live conversions owe. */
export const venueSchema = z.object({
  id: ledgerProviderSchema,
  /** Those whose conversions are covered there. */
  currencies: z.array(currencySchema),
  /** What it holds beside the books, as of the last comparison; `provider` is its id. */
  balances: z.array(providerBalanceSchema),
});
export type Venue = z.infer<typeof venueSchema>;

export const listVenues = defineRpc({
  subject: 'rpc.ledger.list-venues.v1',
  owner: 'ledger',
  request: z.object({}),
  reply: z.object({ venues: z.array(venueSchema) }),
});

/** Sets what of a balance is our own money, paid in or taken out past the ledger. NOT_FOUND for one that is not known. */
export const updateVenue = defineRpc({
  subject: 'rpc.ledger.update-venue.v1',
  owner: 'ledger',
  request: z.object({
    id: ledgerProviderSchema,
    ownFunds: z.object({ currency: currencySchema, amount: minorUnitsSchema }),
  }),
  reply: z.object({ before: venueSchema, venue: venueSchema }),
});
