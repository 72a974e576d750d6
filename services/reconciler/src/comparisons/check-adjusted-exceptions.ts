import type { Environment } from '@gateway/contracts/values';
import type { MatchingDependencies } from '#src/matching/items-arrived.ts';
import { openFindings } from '#src/sides/findings.ts';

const pageExceptions = 200;
/** What arrives later than this for a movement is no late notification: statements and records are read again for less. */
const lookBackMs = 120 * 24 * 3_600_000;

interface AdjustedException {
  readonly id: string;
  readonly environment: Environment;
  readonly provider: string;
  readonly currency: string;
  readonly amount: number;
  readonly accountId: string | null;
}

/** A line that stood alone may belong to a record by now; all else is explained under the subject that it had. */
const explainedSql = `
  select exception.id, exception.environment, exception.provider, exception.currency, exception.amount,
    coalesce(exception.account_id, match.account_id) as "accountId"
  from exception
    left join line on exception.subject like 'line:%' and (line.environment, line.provider, line.currency, line.line_key)
      = (exception.environment, exception.provider, exception.currency,
         substr(exception.subject, length('line:' || split_part(exception.subject, ':', 2)) + 2))
    join match on (match.environment, match.provider, match.currency, match.subject)
      = (exception.environment, exception.provider, exception.currency, coalesce(line.subject, exception.subject))
  where exception.state = 'RESOLVED' and exception.proposal ->> 'action' = 'adjust' and exception.opened_at > $1
    and match.state = 'matched'
    and not exists (select from exception as found where found.subject = 'adjusted:' || exception.id)
  order by exception.opened_at limit ${pageExceptions}`;

/**
 * Finds what two operators have corrected by an adjustment and what then was explained without it, as by the notification of
 * a payment that came days late: the merchant has it twice. Each is found once.
 */
export async function findAdjustedTwice({ database, now }: MatchingDependencies): Promise<boolean> {
  const at = now();
  const explained = await database.query<AdjustedException>(explainedSql, [new Date(at.getTime() - lookBackMs)]);
  if (explained.length === 0) return false;
  const findings = explained.map(({ id, ...exception }) => ({
    ...{ ...exception, subject: `adjusted:${id}`, reason: 'amount_differs' as const },
    ...{ rAmount: 0, lAmount: exception.amount },
  }));
  await database.transaction(async (tx) => await openFindings(tx, findings, at));
  return explained.length === pageExceptions;
}
