import type { Tx } from '@gateway/persistence';
import { type MatchingDependencies, pinLine } from '#src/matching/items-arrived.ts';
import { subjectOfLine } from '#src/matching/kinds.ts';
import { lockMatching } from '#src/matching/lock-matching.ts';

export const ownTransfersIntervalMs = 10_000;

const prefix = subjectOfLine('own_transfer', '');

/** Transfers that the ledger has, and no statement yet, by the index `match_own_transfer`. */
const waitingSql = `
  select match.provider, match.currency, match.subject, match.l_amount as amount, fact.our_ref as reference,
    substr(match.subject, length($1) + 1) as declared
  from match join fact on (fact.environment, fact.side, fact.key)
    = ('live', 'L', 'own-funds:' || substr(match.subject, length($1) + 1))
  where match.environment = 'live' and match.kind = 'own_transfer' and match.p_items = 0 and match.l_items = 1
    and match.r_items = 0 and match.state in ('waiting', 'unexplained')`;

/**
 * Lines that may be one of them: the line that operators named, or one with their reference, as an id or a word of its text.
 * Each id is found in its own index. Only a line of that amount which stands alone, and about which operators have
 * proposed nothing, is given to a transfer.
 */
const candidatesSql = `
  with transfer as materialized (${waitingSql})
  select distinct transfer.provider, transfer.currency, transfer.subject, line.line_key as "lineKey"
  from transfer cross join lateral (
    select line.* from line where line.environment = 'live'
      and (line.provider, line.currency) = (transfer.provider, transfer.currency)
      and line.line_key in (transfer.declared, transfer.reference)
    union select line.* from line where line.provider = transfer.provider and line.e2e_id = transfer.reference
    union select line.* from line where line.provider = transfer.provider and line.return_id = transfer.reference
    union select line.* from line where line.provider = transfer.provider and line.our_ref = transfer.reference
      and line.kind <> 'payment'
    union select line.* from match as alone join line on (line.environment, line.provider, line.currency, line.line_key)
        = ('live', alone.provider, alone.currency, substr(alone.subject, length('line:' || alone.kind || ':') + 1))
      where alone.environment = 'live' and (alone.provider, alone.currency) = (transfer.provider, transfer.currency)
        and alone.kind in ('own_transfer', 'other') and alone.r_items = 0 and alone.l_items = 0
        and alone.state in ('waiting', 'unexplained') and strpos(lower(line.text), lower(transfer.reference)) > 0
  ) as line
  join match as alone on (alone.environment, alone.provider, alone.currency, alone.subject)
    = ('live', line.provider, line.currency, line.subject)
  where line.currency = transfer.currency and line.amount = transfer.amount and line.pinned_subject is null
    and line.subject like 'line:%' and alone.p_items = 1 and alone.r_items = 0 and alone.l_items = 0
    and alone.state in ('waiting', 'unexplained')`;

interface Candidate {
  readonly provider: string;
  readonly currency: string;
  readonly subject: string;
  readonly lineKey: string;
}

/**
 * Gives each transfer of our own that two operators have declared its line, once the statement has it. Where two lines or two
 * transfers may belong together, none does: people decide.
 */
export async function giveLinesToTransfers({ database, now }: MatchingDependencies): Promise<void> {
  if ((await database.query(`${waitingSql} limit 1`, [prefix])).length === 0) return;
  await database.transaction(async (tx: Tx) => {
    await lockMatching(tx, [{ environment: 'live' }]);
    const candidates = await tx.sql<Candidate>(candidatesSql, [prefix]);
    const ofLine = Map.groupBy(candidates, ({ provider, currency, lineKey }) => `${provider} ${currency} ${lineKey}`);
    for (const [only, ...others] of Map.groupBy(candidates, placeOf).values()) {
      if (!only || others.length > 0) continue;
      if (ofLine.get(`${only.provider} ${only.currency} ${only.lineKey}`)?.length !== 1) continue;
      await pinLine(tx, only, only.subject, now());
    }
  });
}

function placeOf({ provider, currency, subject }: Candidate): string {
  return `${provider} ${currency} ${subject}`;
}
