import type { listVenues, updateVenue, Venue } from '@gateway/contracts/ledger';
import { NotFoundError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ProviderBalance } from '@gateway/contracts/providers';
import type { Database } from '@gateway/persistence';
import type { TreasuryVenue } from '#src/treasury/dependencies.ts';

const balancesSql = `
  select venue as provider, currency, held, booked, own_funds as "ownFunds", difference,
    floor(extract(epoch from differs_since))::bigint as "differsSince",
    floor(extract(epoch from compared_at))::bigint as "comparedAt", problem
  from treasury_balance order by venue, currency`;

/** The exchanges of the configuration, with what they hold. */
export async function readVenues(
  database: Database,
  venues: readonly TreasuryVenue[],
): Promise<ReplyOf<typeof listVenues>> {
  const rows = await database.query<Omit<ProviderBalance, 'inFlight'>>(balancesSql);
  const shown = venues.map(({ venue: { id }, currencies }): Venue => {
    const balances = rows.filter(({ provider }) => provider === id).map((row) => ({ ...row, inFlight: [] }));
    return { id, currencies: [...currencies], balances };
  });
  return { venues: shown };
}

/** @throws NotFoundError for one that is not configured, or whose balance in that currency is not known yet */
export async function changeVenue(
  database: Database,
  venues: readonly TreasuryVenue[],
  { id, ownFunds: { currency, amount } }: RequestOf<typeof updateVenue>,
): Promise<ReplyOf<typeof updateVenue>> {
  const before = await readVenue(database, venues, id);
  const changed = await database.query(
    `update treasury_balance set difference = difference + own_funds - $3, own_funds = $3,
       differs_since = case when difference + own_funds <> $3 then coalesce(differs_since, now()) end
     where venue = $1 and currency = $2 and own_funds is not null returning venue`,
    [id, currency, amount],
  );
  if (changed.length === 0) throw new NotFoundError('balance');
  return { before, venue: await readVenue(database, venues, id) };
}

async function readVenue(database: Database, venues: readonly TreasuryVenue[], id: string): Promise<Venue> {
  const found = (await readVenues(database, venues)).venues.find((venue) => venue.id === id);
  if (!found) throw new NotFoundError('provider');
  return found;
}
