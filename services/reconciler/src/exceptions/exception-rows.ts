import { NotFoundError, ValidationError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type {
  ExceptionCandidate,
  ExceptionFact,
  getException as getContract,
  listExceptions as listContract,
  ReconciliationException,
} from '@gateway/contracts/reconciler';
import { type Queries, RecordList, wanted } from '@gateway/persistence';
import { linesOfMatch } from '#src/lines/read-lines.ts';
import type { Proposal } from '#src/matching/decide-exception.ts';
import { commandsOfSubject, lineOfSubject, recordKeysOf } from '#src/matching/kinds.ts';

interface ExceptionRow extends Omit<ReconciliationException, 'openedAt' | 'resolvedAt' | 'proposal'> {
  readonly openedAt: Date;
  readonly resolvedAt: Date | null;
  readonly proposal: Proposal | null;
}

export interface ExceptionDependencies {
  readonly database: Queries;
}

const columns = `id, environment, provider, currency, subject, reason, amount, p_amount as "lineAmount",
  r_amount as "recordAmount", l_amount as "ledgerAmount", account_id as "accountId", state, opened_at as "openedAt",
  proposal, proposed_by as "proposedBy", resolved_by as "resolvedBy", resolved_at as "resolvedAt"`;

const exceptions = new RecordList<ExceptionRow>({ kind: 'exception', from: 'exception', columns });

/** @throws ValidationError naming a cursor that is no exception */
export async function listExceptions(
  { database }: ExceptionDependencies,
  { limit, cursor, state, provider, reason, accountId }: RequestOf<typeof listContract>,
): Promise<ReplyOf<typeof listContract>> {
  const page = await exceptions.page(database, {
    limit,
    ...(cursor === undefined ? {} : { cursor }),
    owned: [],
    filters: [
      ...wanted('state = ?', state),
      // The index of those that are open serves both of their states.
      ...(state === 'OPEN' || state === 'PROPOSED' ? [{ sql: `state in ('OPEN', 'PROPOSED')`, values: [] }] : []),
      ...wanted('provider = ?', provider),
      ...wanted('reason = ?', reason),
      ...wanted('account_id = ?', accountId),
    ],
  });
  if (!page) throw new ValidationError([{ path: 'cursor', message: 'is not the id of a record in this list' }]);
  return { exceptions: page.rows.map(toException), nextCursor: page.nextCursor };
}

/** With what the approval of its proposal is. @throws NotFoundError */
export async function readException(
  database: Queries,
  id: string,
): Promise<{ readonly exception: ReconciliationException; readonly approvalId: string | null }> {
  const [row] = await database.query<ExceptionRow>(`select ${columns} from exception where id = $1`, [id]);
  if (!row) throw new NotFoundError('exception');
  return { exception: toException(row), approvalId: row.proposal?.approvalId ?? null };
}

/** With all that its sides say. @throws NotFoundError */
export async function getException(
  { database }: ExceptionDependencies,
  { id }: RequestOf<typeof getContract>,
): Promise<ReplyOf<typeof getContract>> {
  const { exception } = await readException(database, id);
  const [lines, facts] = await Promise.all([linesOfMatch(database, exception), factsOf(database, exception)]);
  const moments = [...lines.map(({ bookedAt }) => bookedAt), ...facts.map(({ occurredAt }) => occurredAt)];
  const parties = [...lines, ...facts].flatMap(({ counterparty }) => counterparty ?? []);
  const candidates = await candidatesFor(database, exception, { hasLine: lines.length > 0, hasFact: facts.length > 0 });
  return {
    ...{ exception, lines, facts },
    candidates: candidates.filter(
      ({ occurredAt, counterparty }) =>
        moments.some((moment) => isNear(moment, occurredAt)) &&
        (counterparty === null || parties.length === 0 || parties.includes(counterparty)),
    ),
  };
}

function toException({ openedAt, resolvedAt, proposal, ...row }: ExceptionRow): ReconciliationException {
  const resolution = proposal as (ReconciliationException['proposal'] & object) | null;
  const approvalId = proposal?.approvalId ?? null;
  return {
    ...row,
    openedAt: openedAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
    proposal: resolution && {
      action: resolution.action,
      note: resolution.note,
      with: resolution.with ?? null,
      approvalId,
    },
  };
}

interface FactRow extends Omit<ExceptionFact, 'occurredAt' | 'hash'> {
  readonly occurredAt: Date;
  readonly hash: Buffer | null;
}

/** Records have their subject as key, and what the ledger has booked the id of its command. */
async function factsOf(
  database: Queries,
  { environment, subject }: Pick<ReconciliationException, 'environment' | 'subject'>,
): Promise<ExceptionFact[]> {
  const rows = await database.query<FactRow>(
    `select side, key, kind, amount, occurred_at as "occurredAt", account_id as "accountId", record_id as "recordId",
       command_id as "commandId", sequence, hash, e2e_id as "e2eId", return_id as "returnId", our_ref as "ourRef",
       counterparty
     from fact where environment = $1 and subject = $2 and (side, key) in (
       select 'R', key from unnest($4::text[]) as key union all select 'L', key from unnest($3::text[]) as key)
     order by side desc, occurred_at`,
    [environment, subject, commandsOfSubject(subject), recordKeysOf(subject)],
  );
  return rows.map(({ occurredAt, hash, ...row }) => ({
    ...row,
    occurredAt: occurredAt.toISOString(),
    hash: hash?.toString('hex') ?? null,
  }));
}

const nearMs = 10 * 60_000;

function isNear(one: string, other: string): boolean {
  return Math.abs(Date.parse(one) - Date.parse(other)) <= nearMs;
}

const candidatesMax = 200;

type CandidateRow = Omit<ExceptionCandidate, 'occurredAt' | 'with'> & { readonly occurredAt: Date };

/** Of matches that are not explained either, those of the same amount which lack what this one has: few at any time. */
async function candidatesFor(
  database: Queries,
  { environment, provider, currency, subject, lineAmount, recordAmount, ledgerAmount }: ReconciliationException,
  { hasLine, hasFact }: { readonly hasLine: boolean; readonly hasFact: boolean },
): Promise<ExceptionCandidate[]> {
  if (hasLine === hasFact) return [];
  const amount = hasLine ? lineAmount : recordAmount || ledgerAmount;
  const lacks = hasLine
    ? 'match.p_items = 0 and coalesce(nullif(match.r_amount, 0), match.l_amount) = $4'
    : `match.p_amount = $4 and match.r_items = 0 and match.l_items = 0 and match.subject like 'line:%'`;
  const rows = await database.query<CandidateRow>(
    `select match.subject, match.kind, $4::bigint as amount, match.account_id as "accountId",
       coalesce(line.booked_at, fact.occurred_at, match.first_seen_at) as "occurredAt",
       coalesce(line.e2e_id, fact.e2e_id) as "e2eId", coalesce(line.counterparty, fact.counterparty) as counterparty
     from match
       left join fact on (fact.environment, fact.side, fact.key) = (match.environment, 'R', match.subject)
       left join line on (line.environment, line.provider, line.currency, line.line_key) = (match.environment,
         match.provider, match.currency, substr(match.subject, length('line:' || match.kind || ':') + 1))
     where match.state in ('waiting', 'unexplained', 'proposed') and match.environment = $1 and match.provider = $2
       and match.currency = $3 and match.subject <> $5 and ${lacks}
     order by match.first_seen_at limit ${candidatesMax}`,
    [environment, provider, currency, amount, subject],
  );
  return rows.map((row) => ({
    ...row,
    occurredAt: row.occurredAt.toISOString(),
    with: (hasLine ? undefined : lineOfSubject(row.subject)) ?? row.subject,
  }));
}
