import { EntityColumns, insertOutboxRows } from '@gateway/persistence';
import { PayoutEntity, type PayoutRow } from '#src/payout/payout-entity.ts';

/*
 * A batch travels as an array per member, under the names of the entity's properties. The statements of a batch are
 * prepared: planning one costs as much as carrying it out. What was planned while the table was empty must suit it when it is full,
 * hence `sessionSettings`.
 */

/** Every statement here finds its rows by an index; left to itself PostgreSQL reads a young table from end to end. */
export const sessionSettings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
} as const;

/** What every payout changes on its way. */
export const ordinaryMembers = [
  'providerRef',
  'e2eId',
  'sentAt',
  'callStartedAt',
  'calledAt',
  'processingAt',
  'lookups',
  'notFoundCount',
  'notFoundSince',
  'reversal',
  'failureReason',
  'failureMessage',
  'paidAt',
  'dueAt',
  'recheckAt',
] as const satisfies readonly (keyof PayoutRow)[];

/** Which payout it is, as its reader has seen it. */
const keyMembers = ['environment', 'accountId', 'id', 'version', 'state'] as const;

/** What may change after a payout was claimed. */
export const mutableMembers = [
  ...ordinaryMembers,
  'provider',
  'returned',
  'decidedBy',
  'decisionReason',
  'attentionAt',
  'attentionReason',
  'resolution',
  'returns',
  'releasedAt',
  'refusedBy',
  'alsoPaidBy',
  'knownUnsent',
  'rechecks',
  'unconfirmed',
] as const satisfies readonly (keyof PayoutRow)[];

const dayLimitReached = `wanted."needsApproval" or gone.amount + wanted.amount > $2`;

const columns = new EntityColumns<PayoutRow>(PayoutEntity);

/** What a new payout is written with; everything else that may change begins as the table says. */
const knownFromTheStart: ReadonlySet<keyof PayoutRow> = new Set(['provider', 'dueAt']);
const mutable: ReadonlySet<keyof PayoutRow> = new Set(mutableMembers);
const draftMembers = columns.members.filter((member) => knownFromTheStart.has(member) || !mutable.has(member));
export const draftArrays = columns.arraysOf(draftMembers);

/** All columns, under the names of the properties. */
const selected = columns.selectedFrom('payout');

/** Drafts. Answers the ids that were written; the others' external_id is taken. */
export const insertStatement = `
  insert into payout (${columns.listOf(draftMembers)})
  select ${draftMembers.map((member) => `row."${member}"`).join(', ')}
  from ${draftArrays.from(1, 'row')}
  on conflict (environment, external_id, account_id) where released_at is null do nothing
  returning id`;

/** For moves that change nothing but ordinary members. */
export const ordinaryMoves = movesOf(ordinaryMembers);

export const moves = movesOf(mutableMembers);

/**
 * Payouts as they shall be, with their new version, then their events, each with the id of its payout.
 * Answers the ids that were written; the others have another version than the one before, and none of their events is written.
 */
function movesOf(changing: readonly (keyof PayoutRow)[]) {
  const carried = [...keyMembers, ...changing];
  const arrays = columns.arraysOf(carried);
  const statement = `
  with moved as (
    update payout
    set version = move.version, state = move.state,
      ${changing.map((member) => `${columns.nameOf(member)} = move."${member}"`).join(', ')}
    from ${arrays.from(1, 'move')}
    where payout.environment = move.environment and payout.account_id = move."accountId" and payout.id = move.id
      and payout.version = move.version - 1
    returning payout.id
  ), said as (
    ${insertOutboxRows(carried.length + 1, 'join moved on moved.id = event.about')}
  )
  select id from moved`;
  return { statement, arrays };
}

export const removeStatement = `
  delete from payout where environment = $1 and account_id = $2 and id = $3 and version = $4 returning id`;

export const claimStatement = `
  with due as (
    select environment, account_id, id from payout
    where environment = $1 and due_at is not null and due_at <= $2
    order by due_at limit $4 for update skip locked
  )
  update payout set version = version + 1, due_at = $3
  from due
  where payout.environment = due.environment and payout.account_id = due.account_id and payout.id = due.id
  returning ${selected}`;

/** Live payouts at a provider that have ended and are to be asked about again; `onlyReported`: those of which something is told. */
export function claimRecheckStatement(onlyReported: boolean): string {
  return `
  with due as (
    select environment, account_id, id from payout
    where provider = $1 and recheck_at is not null and recheck_at <= $2 ${onlyReported ? 'and unconfirmed is not null' : ''}
    order by recheck_at limit $4 for update skip locked
  )
  update payout set version = version + 1, recheck_at = $3
  from due
  where payout.environment = due.environment and payout.account_id = due.account_id and payout.id = due.id
  returning ${selected}`;
}

/**
 * $1: the smallest id a payout of its day (UTC) can have, so that the primary key finds them: an id is never older than
 * its record. $2: the limit. $3: when the day began. Then the draft of one payout.
 * It goes without approval as long as those of its day that did add up to no more; what came back is not counted.
 */
export const insertWithinDayStatement = `
  with wanted as (
    select * from ${draftArrays.from(4, 'row')}
  ), gone as (
    select coalesce(sum(payout.amount), 0) as amount
    from payout, wanted
    where payout.environment = wanted.environment and payout.account_id = wanted."accountId" and payout.id >= $1
      and payout.created_at >= $3
      and payout.currency = wanted.currency and not payout.needs_approval
      and payout.state not in ('RELEASING', 'REVERSING', 'FAILED', 'REJECTED')
  )
  insert into payout (${columns.listOf(draftMembers)})
  select ${draftMembers.map((member) => (member === 'needsApproval' ? dayLimitReached : `wanted."${member}"`)).join(', ')}
  from wanted, gone
  on conflict (environment, external_id, account_id) where released_at is null do nothing
  returning needs_approval as "needsApproval"`;

/** A transaction that decides by the sum of a day has the account for itself until the decision is committed. */
export const lockDayStatement = `select pg_advisory_xact_lock(hashtextextended($1, 0))`;

export const findByIdStatement = `select ${selected} from payout where id = $1`;

export const findByE2eIdStatement = `
  select ${selected} from payout where environment = 'live' and provider = $1 and e2e_id = $2`;

/** `offset 0` keeps the account out of the choice of an index, which has to be that of the external ids. */
export const findByExternalIdStatement = `
  select ${selected}
  from (
    select * from payout where environment = $1 and external_id = $3 and released_at is null offset 0
  ) as payout
  where account_id = $2`;
