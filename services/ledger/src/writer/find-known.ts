import type { ChainLink, LedgerCommand, LedgerResult } from '@gateway/contracts/ledger';
import { textArray } from '@gateway/persistence';
import type { LedgerRequest } from '#src/chain/canonical-request.ts';
import type { BatchOutcome, EarlierDecision, KnownRecords } from '#src/decision/apply.ts';
import type { Reference } from '#src/posting/reference.ts';
import { referencedIds } from '#src/posting/referenced-ids.ts';
import type { ShardName } from '#src/shards.ts';
import type { MerchantBalance } from '#src/state/balances.ts';
import type { LedgerState } from '#src/state/ledger-state.ts';
import { fromReferenceRow, type ReferenceRow } from '#src/state/reference-row.ts';
import type { Session } from '#src/writer/session.ts';

/**
 * One round trip for everything a batch needs: decided ids, referenced records, balances that are not in memory. Each
 * is looked up by its whole key. With joins instead, tables without statistics were scanned for every batch. An id is
 * decided by its row in `command` alone: its answer may be in a month that was detached, and is kept then.
 */
const text = `
  with asked_reference as (
    select r.* from unnest($3::text[]) as asked(id)
    cross join lateral (select * from reference where environment = $1 and id = asked.id offset 0) r
  ), known_reference as (
    select * from asked_reference
    union
    select d.* from asked_reference a
    cross join lateral (select * from reference where environment = $1 and id = a.deposit_id offset 0) d
  )
  select
    (select coalesce(json_agg(json_build_object(
        'id', c.id, 'requestHash', encode(c.request_hash, 'hex'), 'request', r.request, 'decidedAt', c.decided_at,
        'outcome', coalesce(r.outcome, k.outcome), 'refusal', coalesce(r.refusal, k.refusal),
        'balances', coalesce(r.balances, k.balances), 'amounts', coalesce(r.amounts, k.amounts), 'shard', c.shard,
        'sequence', c.sequence, 'hash', encode(coalesce(r.hash, k.hash), 'hex'))), '[]')
      from unnest($2::text[]) as asked(id)
      cross join lateral (select * from command where environment = $1 and id = asked.id offset 0) c
      left join lateral (
        select * from result where environment = $1 and shard = c.shard and sequence = c.sequence
          and decided_at = c.decided_at offset 0
      ) r on true
      left join lateral (
        select * from kept_answer where r.sequence is null and environment = $1 and id = c.id offset 0
      ) k on true) as decided,
    (select coalesce(json_agg(row_to_json(known_reference)), '[]') from known_reference) as known_references,
    (select coalesce(json_agg(json_build_object(
        'accountId', b.account_id, 'currency', b.currency, 'available', b.available, 'pending', b.pending,
        'blocked', b.blocked, 'entries', b.entries, 'version', b.version)), '[]')
      from unnest($4::text[]) as asked(account_id)
      cross join lateral (select * from balance where environment = $1 and account_id = asked.account_id offset 0) b
    ) as balances,
    (select coalesce(json_agg(p.id), '[]')
      from unnest($5::text[]) as asked(id)
      cross join lateral (select id from provider where environment = $1 and id = asked.id offset 0) p
    ) as providers`;

interface KnownRow {
  readonly decided: readonly DecidedRow[];
  readonly known_references: readonly ReferenceRow[];
  readonly balances: readonly MerchantBalance[];
  readonly providers: readonly string[];
}

interface DecidedRow
  extends
    Omit<EarlierDecision, 'result'>,
    Pick<LedgerResult, 'refusal' | 'balances' | 'amounts'>,
    Omit<ChainLink, 'incarnation'> {
  readonly id: string;
  readonly decidedAt: string;
  /** Null where the answer is neither there nor kept. */
  readonly outcome: LedgerResult['outcome'] | null;
}

/** Reads what the batch needs. Balances are kept in memory, the rest is for this batch alone. */
export async function findKnown(
  session: Session,
  shard: ShardName,
  state: LedgerState,
  requests: readonly LedgerRequest[],
): Promise<KnownRecords> {
  const commands = requests.map((request) => request.command);
  const ids = new Set(commands.map((command) => command.id));
  const references = new Set(commands.flatMap(referencedIds));
  const newAccounts = new Set(commands.map((command) => command.accountId).filter((id) => !state.knowsAccount(id)));
  const { rows } = await session.query<KnownRow>({
    name: 'find-known',
    text,
    values: [
      shard.environment,
      ...[ids, references, newAccounts, newProviders(commands, state)].map((each) => textArray([...each])),
    ],
  });
  const [row] = rows;
  if (!row) throw new Error('the look-up of known records answered nothing');
  state.rememberAccounts([...newAccounts], row.balances);
  state.rememberProviders(row.providers);
  return {
    decided: new Map(row.decided.map((decided) => [decided.id, toEarlierDecision(decided, state.incarnation)])),
    references: new Map(row.known_references.map((reference) => [reference.id, fromReferenceRow(reference)])),
  };
}

/** Another replica may have registered a provider since this lease began. */
function newProviders(commands: readonly LedgerCommand[], state: LedgerState): Set<string> {
  const named = commands.flatMap((command) => ('provider' in command ? [command.provider] : []));
  return new Set(named.filter((id) => !state.knowsProvider(id)));
}

/** @throws Error where the month of the answer is out of the database and its answers are too: nothing is known to answer */
function toEarlierDecision(row: DecidedRow, incarnation: number): EarlierDecision {
  const { id, requestHash, request, outcome, refusal, balances, amounts, shard, sequence, hash } = row;
  if (outcome === null)
    throw new Error(`the answer to ${id} is of ${row.decidedAt.slice(0, 7)}, which has to be restored from its file`);
  const link = { shard, incarnation, sequence, hash };
  const result = { commandId: id, outcome, refusal, field: null, balances, amounts, replayed: true, link };
  return { requestHash, request, result };
}

/** A batch that is decided and not yet committed. */
export interface BatchInFlight {
  readonly requests: readonly LedgerRequest[];
  readonly known: KnownRecords;
  readonly outcome: BatchOutcome;
}

/**
 * What is known to a batch that was looked up before the one ahead of it was committed: the result of the look-up, with
 * the decisions and changes of the batch ahead. The records of that batch are added too, since its new disputes refer
 * to deposits in rows that are not written yet.
 */
export function knownBehind(found: KnownRecords, ahead: BatchInFlight): KnownRecords {
  const references = new Map<string, Reference>(found.references);
  for (const id of ahead.requests.flatMap(({ command }) => referencedIds(command))) {
    const reference = ahead.known.references.get(id);
    if (reference) references.set(id, reference);
  }
  for (const reference of ahead.outcome.change.references) references.set(reference.id, reference);
  return { decided: new Map([...found.decided, ...ahead.outcome.decided]), references };
}
