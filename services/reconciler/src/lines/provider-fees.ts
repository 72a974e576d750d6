import type { bookProviderFees, FeeLine } from '@gateway/contracts/deposits';
import { providerFeesMax } from '@gateway/contracts/deposits';
import { statementLineIdSchema } from '@gateway/contracts/ledger';
import type { ReplyOf } from '@gateway/contracts/messages';
import type { Database } from '@gateway/persistence';
import { subjectOfLine } from '#src/matching/kinds.ts';

export interface ProviderFeesDependencies {
  readonly database: Database;
  readonly now: () => Date;
  /** Asks deposits, which knows the prices of each provider. */
  readonly bookFees: (fees: readonly FeeLine[]) => Promise<ReplyOf<typeof bookProviderFees>>;
}

const minuteMs = 60_000;
/** A fee is asked for each round while it is young, and then with all others that still wait, once an hour. */
const youngMs = 10 * minuteMs;
const hourlyRounds = 180;
export const feeIntervalMs = 20_000;

/**
 * Has the fees of statements booked that the ledger does not have yet. A fee that a statement has twice for one payment is
 * asked for once: the second may be a fault of the list.
 */
export class ProviderFees {
  readonly #dependencies: ProviderFeesDependencies;
  #rounds = 0;

  constructor(dependencies: ProviderFeesDependencies) {
    this.#dependencies = dependencies;
  }

  async round(): Promise<void> {
    const { now, bookFees } = this.#dependencies;
    const since = this.#rounds % hourlyRounds === 0 ? new Date(0) : new Date(now().getTime() - youngMs);
    this.#rounds += 1;
    let after = '';
    for (let fees = await this.#waiting(since, after); fees.length > 0; fees = await this.#waiting(since, after)) {
      after = fees.at(-1)?.lineId ?? '';
      const bookable = fees.filter(({ lineId }) => statementLineIdSchema.safeParse(lineId).success);
      if (bookable.length > 0) await bookFees(bookable);
      if (fees.length < providerFeesMax) return;
    }
  }

  async #waiting(since: Date, after: string): Promise<FeeLine[]> {
    return await this.#dependencies.database.query<FeeLine>(
      `select line.provider, line.currency, line.line_key as "lineId", -line.amount as amount
       from match join line on (line.environment, line.provider, line.currency, line.line_key)
         = (match.environment, match.provider, match.currency, substr(match.subject, length($4) + 1))
       where match.environment = 'live' and match.kind = 'provider_fee' and match.state = 'waiting'
         and match.l_items = 0 and line.amount < 0 and line.received_at >= $1 and line.line_key collate "C" > $2
         and not exists (select 1 from line as first
           where first.provider = line.provider and first.e2e_id = line.e2e_id and first.kind = line.kind
             and first.currency = line.currency and first.amount = line.amount
             and (first.received_at, first.line_key) < (line.received_at, line.line_key))
       order by line.line_key collate "C" limit $3`,
      [since, after, providerFeesMax, subjectOfLine('provider_fee', '')],
    );
  }
}
