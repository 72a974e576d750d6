import type { Environment } from '@gateway/contracts/values';
import type { ProviderFeedDependencies } from '#src/provider-feed/dependencies.ts';
import { askAboutDispute } from '#src/provider-feed/ask-about-dispute.ts';

const disputesMax = 20;
/** A young dispute changes soon: the distance is a part of its age, from that of the lists up to this. */
const intervalMaxSec = 6 * 3_600;
const partOfAge = 0.1;
/** A decision may be taken back, or carried out late, for as long as a payment can go back. */
const askedAfterDecisionSec = 91 * 86_400;
/** One that is decided changes seldom: it is asked about once a day. */
const intervalDecidedSec = 86_400 - 3_600;
const retrySec = 30;
const ledgerTimeoutMs = 5_000;

interface Lookup {
  readonly environment: Environment;
  readonly provider: string;
  readonly disputeRef: string;
  readonly providerRef: string | null;
  readonly e2eId: string;
  readonly openedAt: Date;
  /** By people: its provider may know of nothing before money goes back. */
  readonly isEntered: boolean;
}

/**
 * Asks every six hours, at first more often, about each dispute that is not decided, and once a day about one that was within
 * the last ninety-one days: a decision whose notification was lost is in no list where disputes are listed by the day they
 * were opened. Answers true when there may be more.
 */
export async function lookUpOpenDisputes(dependencies: ProviderFeedDependencies): Promise<boolean> {
  await enlist(dependencies);
  const due = await claimDue(dependencies);
  for (const lookup of due) await lookUp(dependencies, lookup);
  return due.length === disputesMax;
}

/** Of providers that can be asked; those decided long ago are done with. */
async function enlist({ database, chargeRoutes, pollIntervalMs, now }: ProviderFeedDependencies): Promise<void> {
  const askable = (['live', 'test'] as const).flatMap((environment) =>
    chargeRoutes[environment]
      .filter(({ provider }) => provider.getDisputes !== undefined)
      .map(({ provider }) => ({ environment, provider: provider.id })),
  );
  if (askable.length === 0) return;
  const since = secondsFrom(now(), -askedAfterDecisionSec);
  await database.query(
    `insert into dispute_lookup (environment, provider, dispute_ref, provider_ref, e2e_id, opened_at, due_at)
     select distinct on (environment, provider, dispute_ref, e2e_id)
       environment, provider, dispute_ref, provider_ref, e2e_id, opened_at, $4::timestamptz
     from dispute join unnest($1::text[], $2::text[]) as askable (environment, provider) using (environment, provider)
     where resolved_at is null or resolved_at > $3
     order by environment, provider, dispute_ref, e2e_id, round desc
     on conflict do nothing`,
    [
      askable.map(({ environment }) => environment),
      askable.map(({ provider }) => provider),
      ...[since, new Date(now().getTime() + pollIntervalMs)],
    ],
  );
  await database.query(
    `delete from dispute_lookup as lookup where due_at <= $1 and not exists (
       select from dispute where dispute.environment = lookup.environment and dispute.provider = lookup.provider
         and dispute.dispute_ref = lookup.dispute_ref and dispute.e2e_id = lookup.e2e_id
         and (resolved_at is null or resolved_at > $2))`,
    [now(), since],
  );
}

async function claimDue({ database, pollIntervalMs, now }: ProviderFeedDependencies): Promise<Lookup[]> {
  return await database.query<Lookup>(
    `update dispute_lookup as lookup set due_at = $1::timestamptz + make_interval(secs => case
         when exists (select from dispute where dispute.environment = lookup.environment
           and dispute.provider = lookup.provider and dispute.dispute_ref = lookup.dispute_ref
           and dispute.e2e_id = lookup.e2e_id and resolved_at is null)
         then least($2::float8, greatest($4::float8, extract(epoch from $1::timestamptz - opened_at) * $5::float8))
         else $6::float8 end)
     where (environment, provider, dispute_ref, e2e_id) in (
       select environment, provider, dispute_ref, e2e_id from dispute_lookup where due_at <= $1
       order by due_at limit $3 for update skip locked)
     returning environment, provider, dispute_ref as "disputeRef", provider_ref as "providerRef", e2e_id as "e2eId",
       opened_at as "openedAt", exists (select from dispute where dispute.environment = lookup.environment
         and dispute.provider = lookup.provider and dispute.dispute_ref = lookup.dispute_ref
         and dispute.e2e_id = lookup.e2e_id and entry is not null) as "isEntered"`,
    [now(), intervalMaxSec, disputesMax, pollIntervalMs / 1_000, partOfAge, intervalDecidedSec],
  );
}

async function lookUp(
  dependencies: ProviderFeedDependencies,
  { environment, provider, ...dispute }: Lookup,
): Promise<void> {
  const { logger, feeds } = dependencies;
  const { disputeRef, providerRef, e2eId, openedAt, isEntered } = dispute;
  try {
    if (!feeds.budget.take(provider)) throw new Error('no call is left to this provider for now');
    const hinted = { disputeRef, e2eId, openedAt, ...(providerRef === null ? {} : { providerRef }) };
    const outcome = await askAboutDispute(dependencies, { environment, provider }, hinted, ledgerTimeoutMs);
    if (outcome.kind !== 'taken' && !isEntered)
      logger.error({ provider, disputeRef, outcome }, 'a dispute is not confirmed');
  } catch (error) {
    logger.warn({ err: error, provider, disputeRef }, 'a dispute could not be asked about yet');
    await dependencies.database.query(
      'update dispute_lookup set due_at = $5 where environment = $1 and provider = $2 and dispute_ref = $3 and e2e_id = $4',
      [environment, provider, disputeRef, e2eId, secondsFrom(dependencies.now(), retrySec)],
    );
  }
}

function secondsFrom(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000);
}
