import type { BalanceTuple, EntryTuple, LinkContent, PostingTuple } from '#src/chain/link.ts';
import type { Decision, NumberedEntry } from '#src/decision/decision.ts';
import type { Posting } from '#src/posting/posting.ts';
import type { ShardName } from '#src/shards.ts';

/** The chain's view of a decision. */
export function linkContentOf(shard: ShardName, decision: Omit<Decision, 'hash'>): LinkContent {
  return {
    environment: shard.environment,
    shard: shard.shard,
    sequence: decision.sequence,
    decidedAtMs: decision.decidedAtMs,
    commandId: decision.command.id,
    requestHash: decision.requestHash,
    outcome: decision.outcome,
    refusal: decision.refusal,
    amounts: decision.amounts,
    balances: decision.balances.map(({ currency, available, pending, blocked }): BalanceTuple => [
      currency,
      available,
      pending,
      blocked,
    ]),
    postings: decision.postings.map(postingTuple),
    entries: decision.entries.map(entryTuple),
  };
}

/** A posting as it is stored: short, and in one fixed form. */
export function postingTuple(posting: Posting): PostingTuple {
  const account = posting.bucket === 'system' ? posting.account : posting.accountId;
  return [account, posting.bucket, posting.currency, posting.amount];
}

function entryTuple(entry: Omit<NumberedEntry, 'environment' | 'createdAt'>): EntryTuple {
  return [
    entry.id,
    entry.accountId,
    entry.currency,
    entry.number,
    entry.type,
    entry.amount,
    entry.refType,
    entry.refId,
    entry.balanceAfter,
  ];
}
