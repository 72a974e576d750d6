import type { ChainLink, LedgerWitness } from '@gateway/contracts/ledger';
import { callRpc, ledgerSeenRpcs, type Bus } from '@gateway/messaging';
import type { Shard } from '#src/shards.ts';

/** A witness that does not answer within this time is heard later. */
const answerTimeoutMs = 2_000;

/** A service that keeps the highest link of each chain that it was answered with. */
export interface Witness {
  readonly name: string;
  /** @throws DomainError without an answer */
  readonly seen: (shard: Shard) => Promise<ChainLink | null>;
}

export function witnessesOf(bus: Bus, names: readonly LedgerWitness[]): Witness[] {
  return names.map((name) => ({
    name,
    seen: async ({ environment, shard }) => {
      // One that starts at the same time as the ledger is waited for.
      const timing = { timeoutMs: answerTimeoutMs, listenerTimeoutMs: answerTimeoutMs };
      return (await callRpc(bus, ledgerSeenRpcs[name], { environment, shard }, timing)).seen;
    },
  }));
}

/**
 * How a chain disagrees with a link that a witness has seen. `ahead`: the chain does not reach it. `differs`: it has
 * another link there.
 */
export type Disagreement = 'ahead' | 'differs';

/** A link that a witness has seen, and that our chain does not have. */
export interface Contradiction {
  readonly witness: string;
  readonly disagreement: Disagreement;
  readonly seen: ChainLink;
}

/** Our chain, as far as one link of a witness is concerned. */
export interface ChainAtLink {
  readonly incarnation: number;
  readonly head: number;
  /** The last link that was kept of the incarnation of the witness's link; null where that is ours. */
  readonly kept: number | null;
  /** The hash in the place of the witness's link; null where there is none, or its partition is gone. */
  readonly hash: string | null;
}

export function disagreementWith(seen: ChainLink, chain: ChainAtLink): Disagreement | null {
  if (seen.incarnation > chain.incarnation) return 'ahead';
  if (seen.sequence > (chain.kept ?? chain.head)) return chain.kept === null ? 'ahead' : null;
  return chain.hash === null || chain.hash === seen.hash ? null : 'differs';
}

/**
 * The incarnations of a shard whose link is in the chain, and the last link that was kept before each: the last one of the
 * chain, or the one before the first that a witness had seen otherwise. What was approved once is no contradiction again,
 * although the witness has it until it asks for something else.
 */
export const openedSql = `
  select i.number, least(c.sequence, (select min((contradiction -> 'seen' ->> 'sequence')::bigint)
      from json_array_elements(i.contradictions) as contradiction)) - 1 as kept
  from incarnation i join command c on c.environment = i.environment and c.id = i.command_id
  where i.environment = $1 and i.shard = $2`;

const chainSql = `
  with opened as (${openedSql})
  select head_sequence as head, (select coalesce(max(number), 0) from opened)::int as incarnation,
    (select min(kept) from opened where number > $3) as kept,
    (select encode(hash, 'hex') from result where environment = $1 and shard = $2 and sequence = $4) as hash
  from shard where environment = $1 and shard = $2`;

/** What the ledger reads its own chain with. */
export interface ChainReader {
  query<Row extends object>(text: string, params: unknown[]): Promise<{ readonly rows: Row[] }>;
}

async function disagreementOf(seen: ChainLink, shard: Shard, reader: ChainReader): Promise<Disagreement | null> {
  const params = [shard.environment, shard.shard, seen.incarnation, seen.sequence];
  const [chain] = (await reader.query<ChainAtLink>(chainSql, params)).rows;
  if (!chain) throw new Error(`shard ${shard.environment}.${shard.shard} does not exist`);
  return disagreementWith(seen, chain);
}

/** What came of asking the witnesses: those who contradict, and those who did not answer. */
export interface Hearing {
  readonly contradictions: readonly Contradiction[];
  readonly silent: readonly Witness[];
}

/**
 * Asks all of them at the same time, and compares each link with the chain as it is committed after the answer: what a
 * witness has seen was committed before. A failure to read our own chain is thrown, and is no silence.
 */
export async function hear(witnesses: readonly Witness[], shard: Shard, reader: ChainReader): Promise<Hearing> {
  const contradictions: Contradiction[] = [];
  const silent: Witness[] = [];
  await Promise.all(
    witnesses.map(async (witness) => {
      const seen = await witness.seen(shard).catch(() => undefined);
      if (seen === undefined) return void silent.push(witness);
      const disagreement = seen && (await disagreementOf(seen, shard, reader));
      if (seen && disagreement) contradictions.push({ witness: witness.name, disagreement, seen });
    }),
  );
  return { contradictions, silent };
}
