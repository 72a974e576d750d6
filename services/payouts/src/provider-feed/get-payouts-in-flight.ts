import type { ReplyOf } from '@gateway/contracts/messages';
import type * as contract from '@gateway/contracts/payouts';
import type { MoneyInFlight } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import type { StepsDependencies } from '#src/steps/dependencies.ts';

/**
 * The ledger has what is debited in transit until it is settled: the provider may have paid it, or not yet. What came back
 * is at the provider before it is credited. All of them are due, so an index holds them.
 */
const inFlightSql = `
  select provider, currency, 'payouts_under_way' as what, -sum(amount)::bigint as "atLeast", 0::bigint as "atMost"
  from payout where environment = $1 and due_at is not null
    and state in ('SENDING', 'PROCESSING', 'SETTLING', 'REVERSING', 'REDEBITING')
  group by provider, currency
  union all
  select provider, currency, 'payout_returns_to_credit', 0, sum((part ->> 'amount')::bigint)::bigint
  from payout, jsonb_array_elements(returns) as part
  where environment = $1 and due_at is not null and state = 'PAID' and not (part ->> 'credited')::boolean
    and part ->> 'notBooked' is null
  group by provider, currency`;

/** What payouts explain of a difference between a provider's balance and the ledger. */
export async function getPayoutsInFlight(
  { database }: Pick<StepsDependencies, 'database'>,
  environment: Environment,
): Promise<ReplyOf<typeof contract.getPayoutsInFlight>> {
  return { inFlight: await database.query<MoneyInFlight>(inFlightSql, [environment]) };
}
