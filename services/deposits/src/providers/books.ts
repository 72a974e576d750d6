import { getProviderAccounts, recordProviderBalances } from '@gateway/contracts/ledger';
import type { ReplyOf } from '@gateway/contracts/messages';
import { getPayoutsInFlight } from '@gateway/contracts/payouts';
import type { MoneyInFlight, ProviderBalance } from '@gateway/contracts/providers';
import type { Currency } from '@gateway/money';
import { callRpc, type Bus } from '@gateway/messaging';

/** What other services know of the money at providers; SERVICE_UNAVAILABLE when they do not answer. */
export interface BooksElsewhere {
  readonly accounts: () => Promise<ReplyOf<typeof getProviderAccounts>>;
  readonly payoutsInFlight: () => Promise<ReplyOf<typeof getPayoutsInFlight>>;
  /** Tells the ledger what was found, for its reconciliations. */
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
