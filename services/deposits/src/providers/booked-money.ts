import { getProviderAccounts, recordProviderBalances } from '@gateway/contracts/ledger';
import type { ReplyOf } from '@gateway/contracts/messages';
import { getPayoutsInFlight } from '@gateway/contracts/payouts';
import type { MoneyInFlight, ProviderBalance } from '@gateway/contracts/providers';
import type { Environment } from '@gateway/contracts/values';
import { type Bus, callRpc } from '@gateway/messaging';
import type { Currency } from '@gateway/money';
import type { Database } from '@gateway/persistence';

/** What other services know of the money at providers; SERVICE_UNAVAILABLE when they do not answer. */
export interface BooksElsewhere {
  readonly accounts: () => Promise<ReplyOf<typeof getProviderAccounts>>;
  readonly payoutsInFlight: () => Promise<ReplyOf<typeof getPayoutsInFlight>>;
  /** Reports what was found to the ledger, for its reconciliations. */
  readonly record: (balances: readonly ProviderBalance[]) => Promise<unknown>;
}

export function booksElsewhere(bus: Bus): BooksElsewhere {
  return {
    accounts: () => callRpc(bus, getProviderAccounts, {}),
    payoutsInFlight: () => callRpc(bus, getPayoutsInFlight, {}),
    record: (balances) => callRpc(bus, recordProviderBalances, { balances: [...balances] }),
  };
}

/** What is booked at one provider in one currency, and what is on its way, at about the same time. */
export interface BookedMoney {
  readonly booked: number;
  readonly inFlight: ProviderBalance['inFlight'];
}

/** The books of all providers. */
export class Books {
  readonly #booked: ReadonlyMap<string, number>;
  readonly #inFlight: readonly MoneyInFlight[];

  constructor({ accounts }: ReplyOf<typeof getProviderAccounts>, inFlight: readonly MoneyInFlight[]) {
    this.#booked = new Map(accounts.map(({ provider, currency, booked }) => [`${provider} ${currency}`, booked]));
    this.#inFlight = inFlight;
  }

  at(provider: string, currency: Currency): BookedMoney {
    const here = this.#inFlight.filter((money) => money.provider === provider && money.currency === currency);
    const inFlight = here.map(({ what, atLeast, atMost }) => ({ what, atLeast, atMost }));
    return { booked: this.#booked.get(`${provider} ${currency}`) ?? 0, inFlight };
  }
}

/**
 * What charges, refunds and disputes explain of a difference between a provider's balance and the ledger. Each part
 * is found by an index of what is not finished.
 */
const inFlightSql = `
  -- At the provider, and not in the ledger: it has not decided, or has refused.
  select provider, currency, 'payments_to_credit' as what, 0::bigint as "atLeast", sum(amount)::bigint as "atMost"
  from payment where environment = $1 and state in ('RECEIVED', 'REFUSED') group by provider, currency
  union all
  -- Transfers that do not cover their charge yet.
  select provider, currency, 'transfers_gathered', sum(received)::bigint, sum(received)::bigint
  from deposit where environment = $1 and state = 'PENDING' and received > 0
    and not exists (select from payment where payment.environment = $1
      and payment.account_id = deposit.account_id and payment.deposit_id = deposit.id)
  group by provider, currency
  union all
  -- Out of the ledger when they are reserved, out of the provider when it has sent them.
  select provider, currency, 'refunds_under_way', 0, sum(amount)::bigint
  from refund where environment = $1 and next_attempt_at is not null and state <> 'REDEBITING' group by provider, currency
  union all
  -- The provider has sent them, although the ledger was told that it would not.
  select provider, currency, 'refunds_to_debit_again', -sum(amount)::bigint, 0
  from refund where environment = $1 and next_attempt_at is not null and state = 'REDEBITING' group by provider, currency
  union all
  -- Not in the ledger yet, or still in it after the provider has sent them.
  select provider, currency, 'receipts_to_send_back', -sum(amount)::bigint, sum(amount)::bigint
  from orphan_receipt where environment = $1 and next_attempt_at is not null group by provider, currency
  union all
  -- The provider has carried out what it decided, the ledger not yet.
  select provider, currency, 'disputes_to_settle',
    -coalesce(sum(coalesce(lost_amount, amount)) filter (where verdict = 'lost'), 0)::bigint,
    coalesce(sum(returned + shortfall) filter (where verdict = 'won' and state = 'LOST'), 0)::bigint
  from dispute where environment = $1 and next_attempt_at is not null
    and ((verdict = 'lost' and state not in ('LOST', 'WON')) or (verdict = 'won' and state = 'LOST'))
  group by provider, currency
  union all
  -- The provider has taken all of it; the merchant's later credits pay for it.
  select provider, currency, 'dispute_shortfalls', -sum(shortfall)::bigint, 0
  from dispute where environment = $1 and next_attempt_at is not null and state = 'LOST' and shortfall > 0
  group by provider, currency`;

export async function moneyInFlight(database: Database, environment: Environment): Promise<MoneyInFlight[]> {
  return await database.query<MoneyInFlight>(inFlightSql, [environment]);
}
