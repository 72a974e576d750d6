import type { MatchState } from '@gateway/contracts/reconciler';
import type { Tx } from '@gateway/persistence';
import { lockMatching } from '#src/matching/lock-matching.ts';
import type { MatchKey } from '#src/matching/match-key.ts';

/** What is done about an exception, as an operator proposes it. */
export interface Proposal {
  readonly action: string;
  readonly note: string;
  /** With `match`: the other side, by its subject or the key of its line. */
  readonly with?: string | null;
  /** The approval of two operators that decides it. */
  readonly approvalId?: string;
}

interface Decision {
  readonly id: string;
  readonly operator: string;
  readonly now: Date;
}

interface ExceptionRow extends MatchKey {
  readonly proposal: Proposal | null;
}

/** @returns undefined unless the exception is open */
export async function proposeResolution(
  tx: Tx,
  { id, operator, now }: Decision,
  proposal: Proposal,
): Promise<ExceptionRow | undefined> {
  return await decide(
    tx,
    id,
    `state = 'PROPOSED', proposal = $2::jsonb, proposed_by = $3, proposed_at = $4 where id = $1 and state = 'OPEN'`,
    [JSON.stringify(proposal), operator, now],
    'proposed',
  );
}

/** @returns undefined unless it is proposed, by another operator */
export async function approveResolution(tx: Tx, { id, operator, now }: Decision): Promise<ExceptionRow | undefined> {
  return await decide(
    tx,
    id,
    `state = 'RESOLVED', resolved_by = $2, resolved_at = $3, note = proposal ->> 'note'
     where id = $1 and state = 'PROPOSED' and proposed_by <> $2`,
    [operator, now],
    'resolved',
  );
}

/** The exception is open again. @returns undefined unless it is proposed */
export async function rejectResolution(tx: Tx, { id }: Pick<Decision, 'id'>): Promise<ExceptionRow | undefined> {
  return await decide(
    tx,
    id,
    `state = 'OPEN', proposal = null, proposed_by = null, proposed_at = null where id = $1 and state = 'PROPOSED'`,
    [],
    'unexplained',
  );
}

/** What was approved could not be carried out: the exception is open again. @returns undefined unless it is resolved */
export async function revokeResolution(tx: Tx, { id }: Pick<Decision, 'id'>): Promise<ExceptionRow | undefined> {
  return await decide(
    tx,
    id,
    `state = 'OPEN', proposal = null, proposed_by = null, proposed_at = null, resolved_by = null, resolved_at = null,
       note = null
     where id = $1 and state = 'RESOLVED' and not exists (select from exception as other
       where other.state in ('OPEN', 'PROPOSED') and (other.environment, other.provider, other.currency, other.subject)
         = (exception.environment, exception.provider, exception.currency, exception.subject))`,
    [],
    'unexplained',
    ['resolved'],
  );
}

/** Under the lock of matching: a side that changes comes before the decision, which then finds another state, or after it. */
async function decide(
  tx: Tx,
  id: string,
  assignment: string,
  parameters: readonly unknown[],
  matchState: 'proposed' | 'resolved' | 'unexplained',
  from: readonly MatchState[] = ['unexplained', 'proposed'],
): Promise<ExceptionRow | undefined> {
  const [known] = await tx.sql<MatchKey>(
    'select environment, provider, currency, subject from exception where id = $1',
    [id],
  );
  if (!known) return undefined;
  await lockMatching(tx, [known]);
  const [row] = await tx.sql<ExceptionRow>(
    `update exception set ${assignment} returning environment, provider, currency, subject, proposal`,
    [id, ...parameters],
  );
  if (!row) return undefined;
  await tx.sql(
    `update match set state = $5 where (environment, provider, currency, subject) = ($1, $2, $3, $4)
       and state = any($6::text[])`,
    [row.environment, row.provider, row.currency, row.subject, matchState, from],
  );
  return row;
}
