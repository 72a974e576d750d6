import { askWitness, type WitnessSettings } from '#src/anchors/witness.ts';
import { openedSql, type Witness } from '#src/witnesses/witness.ts';

/** PostgreSQL ends the session of a writer that waits for longer; one that has not answered then is heard later. */
const answerTimeoutMs = 2_000;
/** In the place of the hash of a link of which the witness has signed a tree alone. */
const unknownHash = '0'.repeat(64);

/** Whether operators have let the chain go on although this witness had signed as much of it. */
const chainSql = `
  with opened as (${openedSql})
  select head_sequence as head, (select coalesce(max(number), 0) from opened)::int as incarnation, exists (
      select from opened o join incarnation i using (number) cross join json_array_elements(i.contradictions) as c
      where i.environment = $1 and i.shard = $2 and c ->> 'witness' = $3 and (c -> 'seen' ->> 'sequence')::bigint >= $4
    ) as "isKnown"
  from shard where environment = $1 and shard = $2`;

interface Chain {
  readonly head: number;
  readonly incarnation: number;
  readonly isKnown: boolean;
}

/**
 * The witness outside, which signs live checkpoints. When the whole server was restored, the witnesses within the product
 * were restored with it: this one alone knows of what was lost. It names the last link of the largest tree that it has signed
 * where our chain does not reach it or has another history, and nothing where they agree.
 */
export function outsideWitness(settings: WitnessSettings): Witness {
  const { name } = settings.key;
  return {
    name,
    seen: async ({ environment, shard }) => {
      if (environment !== 'live') return null;
      const signed = await askWitness(settings, { environment, shard }, AbortSignal.timeout(answerTimeoutMs));
      if (!signed) return null;
      const [chain] = await settings.database.query<Chain>(chainSql, [environment, shard, name, signed.size]);
      if (!chain || chain.isKnown || (signed.isOurs && signed.size <= chain.head)) return null;
      return { shard, incarnation: chain.incarnation, sequence: signed.size, hash: unknownHash };
    },
  };
}
