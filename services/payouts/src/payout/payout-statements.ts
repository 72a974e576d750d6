import { BatchStatement } from '@gateway/persistence';
import { payoutColumns as columns, type PayoutRow } from '#src/payout/payout-entity.ts';

/*
 * All of them are prepared: planning one costs as much as carrying it out. What was planned while the table was empty must
 * suit it when it is full, hence `indexedSessions`.
 */

/** What every payout that is paid changes on its way. */
export const ordinaryMembers = [
  'providerRef',
  'e2eId',
  'sentAt',
  'callStartedAt',
  'calledAt',
  'processingAt',
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
  'lookups',
  'notFoundCount',
  'notFoundSince',
  'reversal',
  'failureReason',
  'providerMessage',
  'returned',
  'decidedBy',
  'decisionReason',
  'attentionAt',
  'attentionReason',
  'resolution',
  'returns',
  'releasedAt',
  'refusedBy',
  'failedCalls',
  'alsoPaidBy',
  'knownUnsent',
  'rechecks',
  'unconfirmed',
] as const satisfies readonly (keyof PayoutRow)[];

/** What a new payout is written with; everything else that may change begins as the table says. */
const knownFromTheStart: ReadonlySet<keyof PayoutRow> = new Set(['provider', 'dueAt']);
const mutable: ReadonlySet<keyof PayoutRow> = new Set(mutableMembers);
const draftMembers = columns.members.filter((member) => knownFromTheStart.has(member) || !mutable.has(member));
const draftArrays = columns.arraysOf(draftMembers);

/** All columns, under the names of the properties. */
const selected = columns.selectedFrom('payout');

/** Drafts. One that is left out has a taken external_id. */
export const insertion = new BatchStatement<PayoutRow>({
  name: 'insert-payout',
  arrays: draftArrays,
  idOf: ({ id }) => id,
  sql: ({ rows }) => `
  insert into payout (${columns.listOf(draftMembers)})
  select ${draftMembers.map((member) => `draft."${member}"`).join(', ')} from ${rows('draft')}
  on conflict (environment, external_id, account_id) where released_at is null do nothing
  returning id`,
});

/** For changes of nothing but ordinary members. */
export const ordinaryChange = changeOf('move-payout', ordinaryMembers);

export const change = changeOf('change-payout', mutableMembers);

/** Payouts as they shall be, with their new version. One that is left out has another version than the one before. */
function changeOf(name: string, changing: readonly (keyof PayoutRow)[]): BatchStatement<PayoutRow> {
  return new BatchStatement<PayoutRow>({
    name,
    arrays: columns.arraysOf([...keyMembers, ...changing]),
    idOf: ({ id }) => id,
    sql: ({ rows, eventsOf }) => `
  with changed as (
    update payout set ${columns.assignedFrom('change', ['version', 'state', ...changing])}
    from ${rows('change')}
    where payout.environment = change.environment and payout.account_id = change."accountId" and payout.id = change.id
      and payout.version = change.version - 1
    returning payout.id
  ), events as (
    ${eventsOf('changed')}
  )
  select id from changed`,
  });
}

const versionArrays = columns.arraysOf(['environment', 'accountId', 'id', 'version']);

/** Answers the ids of those that still have their version. */
export const unchangedStatement = `
  select payout.id from ${versionArrays.from(1, 'known')}
  join payout on payout.environment = known.environment and payout.account_id = known."accountId"
    and payout.id = known.id and payout.version = known.version`;

export function versionParameters(payouts: readonly PayoutRow[]): Buffer[] {
  return versionArrays.parametersOf(payouts);
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

export const providersWithRechecksStatement = `
  select provider from unnest($1::text[]) as asked (provider)
  where exists (select from payout where payout.provider = asked.provider and recheck_at is not null and recheck_at <= $2)`;

/** Live payouts at a provider that have ended and are to be asked about again; `onlyReported`: those about which there is a report. */
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

const dayLimitReached = 'gone.amount + draft.amount > $2';

/** Of the drafts' members, those that the sum of the day decides. */
const decidedByDay: ReadonlyMap<keyof PayoutRow, string> = new Map([
  ['needsApproval', `draft."needsApproval" or ${dayLimitReached}`],
  ['pendingReason', `coalesce(draft."pendingReason", case when ${dayLimitReached} then 'limit' end)`],
]);

/**
 * $1: the smallest id a payout of its day (UTC) can have, so that the primary key finds them: an id is never older than
 * its record. $2: the limit. $3: when the day began. Then the draft of one payout.
 * It goes without approval as long as those of its day that did add up to no more; what came back is not counted.
 */
export const insertWithinDayStatement = `
  with draft as (
    select * from ${draftArrays.from(4, 'draft')}
  ), gone as (
    select coalesce(sum(payout.amount), 0) as amount
    from payout, draft
    where payout.environment = draft.environment and payout.account_id = draft."accountId" and payout.id >= $1
      and payout.created_at >= $3
      and payout.currency = draft.currency and not payout.needs_approval
      and payout.state not in ('RELEASING', 'REVERSING', 'FAILED', 'REJECTED')
  )
  insert into payout (${columns.listOf(draftMembers)})
  select ${draftMembers.map((member) => decidedByDay.get(member) ?? `draft."${member}"`).join(', ')}
  from draft, gone
  on conflict (environment, external_id, account_id) where released_at is null do nothing
  returning needs_approval as "needsApproval", pending_reason as "pendingReason"`;

export function draftParameters(payout: PayoutRow): Buffer[] {
  return draftArrays.parametersOf([payout]);
}

/** A transaction that decides by the sum of a day has the account for itself until the decision is committed. */
export const lockDayStatement = `select pg_advisory_xact_lock(hashtextextended($1, 0))`;

export const findByIdStatement = `select ${selected} from payout where id = $1`;

export const findStatement = `select ${selected} from payout where environment = $1 and account_id = $2 and id = $3`;

export const findByE2eIdStatement = `select ${selected} from payout where provider = $1 and live_e2e_id = $2`;

/** `offset 0` keeps the account out of the choice of an index, which has to be that of the external ids. */
export const findByExternalIdStatement = `
  select ${selected}
  from (
    select * from payout where environment = $1 and external_id = $3 and released_at is null offset 0
  ) as payout
  where account_id = $2`;
