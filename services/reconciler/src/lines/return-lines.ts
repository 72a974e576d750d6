import { returnLinesMax, type ReturnLine } from '@gateway/contracts/payouts';
import type { Database } from '@gateway/persistence';
import type { ItemKind } from '@gateway/contracts/reconciler';

export interface ReturnLinesDependencies {
  readonly database: Database;
  readonly now: () => Date;
  /** Asks payouts, which asks the provider about each of them. */
  readonly followLines: (lines: readonly ReturnLine[]) => Promise<unknown>;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
export const returnLinesIntervalMs = minuteMs;
/** A line is brought while its exception is young, and once an hour with all others that are open. */
const youngMs = 10 * minuteMs;
const openMs = 10 * dayMs;
const hourlyRounds = 60;

/** Efí's report has one type for what came back, whatever it was paid for. */
const kinds: readonly ItemKind[] = ['payout_return', 'other'];

interface UnexplainedLine extends Omit<ReturnLine, 'bookedAt'> {
  readonly bookedAt: Date;
  readonly openedAt: Date;
  readonly exceptionId: string;
}

type Place = Pick<UnexplainedLine, 'openedAt' | 'exceptionId'>;

/**
 * Brings to payouts what came in without a record and may be a payout that was sent back: a return whose notification was
 * lost is found by its line of the statement, on the next morning at the latest, and not only when its payout is due to
 * be asked about.
 */
export class ReturnLines {
  readonly #dependencies: ReturnLinesDependencies;
  #rounds = 0;

  constructor(dependencies: ReturnLinesDependencies) {
    this.#dependencies = dependencies;
  }

  async round(): Promise<void> {
    const { now, followLines } = this.#dependencies;
    const backMs = this.#rounds % hourlyRounds === 0 ? openMs : youngMs;
    let after: Place | undefined = { openedAt: new Date(now().getTime() - backMs), exceptionId: '' };
    while (after) {
      const found: readonly UnexplainedLine[] = await this.#unexplained(after);
      const lines = found.map(({ openedAt: _, exceptionId: __, bookedAt, ...line }) => ({
        ...line,
        bookedAt: bookedAt.toISOString(),
      }));
      if (lines.length > 0) await followLines(lines);
      after = found.length < returnLinesMax ? undefined : found.at(-1);
    }
    this.#rounds += 1;
  }

  /** Lines that name the payout and the return. */
  async #unexplained({ openedAt, exceptionId }: Place): Promise<UnexplainedLine[]> {
    return await this.#dependencies.database.query<UnexplainedLine>(
      `select line.provider, line.currency, line.amount, line.booked_at as "bookedAt", line.return_id as "returnId",
         line.e2e_id as "e2eId", line.our_ref as "ref", open.opened_at as "openedAt", open.id as "exceptionId"
       from exception as open join line on (line.environment, line.provider, line.currency, line.line_key)
         = (open.environment, open.provider, open.currency,
            substr(open.subject, length('line:' || split_part(open.subject, ':', 2)) + 2))
       where open.environment = 'live' and open.state = 'OPEN' and open.reason = 'line_without_record'
         and (open.opened_at, open.id) > ($1, $2) and split_part(open.subject, ':', 2) = any($3)
         and line.amount > 0 and line.return_id is not null and (line.e2e_id is not null or line.our_ref is not null)
       order by open.opened_at, open.id limit $4`,
      [openedAt, exceptionId, kinds, returnLinesMax],
    );
  }
}
