import type { ProviderBalance } from '@gateway/contracts/providers';

interface DueDay {
  readonly provider: string;
  readonly currency: string;
  readonly endsAt: Date;
  readonly readUntil: Date | null;
}

/**
 * By which comparison with its provider a day is closed. Balances are compared every minute and statements read half a minute
 * late, so that the newest comparison may be younger than what is read whenever that is looked at: one is kept until the
 * statement has been read beyond it.
 */
export class KeptComparisons {
  readonly #kept = new Map<string, ProviderBalance>();

  /** Forgotten where it decides: a day that does not agree with it is tried again with the newest one. */
  for({ provider, currency, endsAt, readUntil }: DueDay, newest: readonly ProviderBalance[]): ProviderBalance[] {
    const account = `${provider} ${currency}`;
    const known = this.#kept.get(account);
    const balance =
      known && comparedAtOf(known) >= endsAt
        ? known
        : newest.find((each) => each.provider === provider && each.currency === currency);
    this.#kept.delete(account);
    if (!balance) return [];
    if (readUntil === null || readUntil < comparedAtOf(balance)) this.#kept.set(account, balance);
    return [balance];
  }
}

function comparedAtOf({ comparedAt }: ProviderBalance): Date {
  return new Date(comparedAt * 1_000);
}
