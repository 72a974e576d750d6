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
const dayMs = 24 * 60 * minuteMs;
/** A fee is asked for each round while it is young, and then with all others that still wait, once an hour. */
const youngMs = 10 * minuteMs;
/** Statements are read again for eight days: what a line is about may be known only then. */
const openMs = 10 * dayMs;
const hourlyRounds = 180;
export const feeIntervalMs = 20_000;

interface WaitingFee extends FeeLine {
  readonly firstSeenAt: Date;
  readonly subject: string;
}

type Place = Pick<WaitingFee, 'firstSeenAt' | 'subject'>;

/** Whether a fee is booked once it has a price, as an SQL condition over its line. */
const isBookable = `line.amount < 0
  and exists (select 1 from statement_source source where (source.provider, source.currency)
    = (line.provider, line.currency) and source.compared_from <= line.booked_at)
  and not exists (select 1 from line as first
    where first.provider = line.provider and first.e2e_id = line.e2e_id and first.kind = line.kind
      and first.currency = line.currency and first.amount = line.amount
      and (first.received_at, first.line_key) < (line.received_at, line.line_key))`;

/** The fee that an exception is about, as long as it may still be booked by its price. */
export async function feeOfException(database: Database, exceptionId: string): Promise<FeeLine | undefined> {
  const [fee] = await database.query<FeeLine>(
    `select line.provider, line.currency, line.line_key as "lineId", -line.amount as amount
     from exception join match on (match.environment, match.provider, match.currency, match.subject)
         = (exception.environment, exception.provider, exception.currency, exception.subject)
       join line on (line.environment, line.provider, line.currency, line.line_key)
         = ('live', match.provider, match.currency, substr(match.subject, length($2) + 1))
     where exception.id = $1 and exception.state in ('OPEN', 'PROPOSED') and match.environment = 'live'
       and match.kind = 'provider_fee' and match.l_items = 0 and ${isBookable}`,
    [exceptionId, subjectOfLine('provider_fee', '')],
  );
  return fee && statementLineIdSchema.safeParse(fee.lineId).success ? fee : undefined;
}

/**
 * Has the fees of statements booked that the ledger does not have yet. A fee that a statement has twice for one payment is
 * asked for once: the second may be a fault of the list. What was taken before statements were compared is not
 * booked: operators have accounted for it already, as a part of their own funds.
 */
export class ProviderFees {
  readonly #dependencies: ProviderFeesDependencies;
  #rounds = 0;

  constructor(dependencies: ProviderFeesDependencies) {
    this.#dependencies = dependencies;
  }

  async round(): Promise<void> {
    const { now, bookFees } = this.#dependencies;
    const backMs = this.#rounds % hourlyRounds === 0 ? openMs : youngMs;
    let after: Place | undefined = { firstSeenAt: new Date(now().getTime() - backMs), subject: '' };
    while (after) {
      const fees: readonly WaitingFee[] = await this.#waiting(after);
      const bookable = fees
        .filter(({ lineId }) => statementLineIdSchema.safeParse(lineId).success)
        .map(({ provider, currency, lineId, amount }) => ({ provider, currency, lineId, amount }));
      if (bookable.length > 0) await bookFees(bookable);
      after = fees.length < providerFeesMax ? undefined : fees.at(-1);
    }
    this.#rounds += 1;
  }

  /** The index `match_fee_to_book` has them; what the end of a day has made an exception is still to be booked. */
  async #waiting({ firstSeenAt, subject }: Place): Promise<WaitingFee[]> {
    return await this.#dependencies.database.query<WaitingFee>(
      `select line.provider, line.currency, line.line_key as "lineId", -line.amount as amount,
         match.first_seen_at as "firstSeenAt", match.subject
       from match cross join lateral (
         select * from line where (environment, provider, currency, line_key)
           = (match.environment, match.provider, match.currency, substr(match.subject, length($4) + 1)) offset 0
       ) line
       where match.environment = 'live' and match.kind = 'provider_fee' and match.l_items = 0
         and match.state in ('waiting', 'unexplained') and (match.first_seen_at, match.subject) > ($1, $2)
         and ${isBookable}
       order by match.first_seen_at, match.subject limit $3`,
      [firstSeenAt, subject, providerFeesMax, subjectOfLine('provider_fee', '')],
    );
  }
}
