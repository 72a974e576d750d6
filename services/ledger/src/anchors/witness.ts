import { cosignatureOf, ProofError, type WitnessKey } from '@gateway/proof';
import type { Database } from '@gateway/persistence';
import {
  AnchorFailure,
  ask,
  ContradictionError,
  noEvidence,
  type AnchoredNote,
  type AnchorTarget,
  type Evidence,
} from '#src/anchors/anchor-target.ts';
import { readConsistencyProof } from '#src/proof/read-proof.ts';
import { preparedQuery, readPlace, type Query } from '#src/proof/tree-store.ts';
import type { ShardName } from '#src/shards.ts';

export interface WitnessSettings {
  /** Below it is `add-checkpoint`. */
  readonly url: string;
  readonly key: WitnessKey;
  readonly database: Database;
}

/** What C2SP names the size that a witness has signed, where it is not the one that the request goes by. */
const sizeMedia = 'text/x.tlog.size';

/**
 * A witness (C2SP tlog-witness): it signs a checkpoint only when that contains the last one it has signed, and so never
 * two histories. It learns the size of the ledger.
 */
export function witnessTarget({ url, key, database }: WitnessSettings): AnchorTarget {
  const address = addressBelow(url);
  const query = preparedQuery(database);
  return {
    name: 'witness',
    keep: async (anchored) => {
      const first = await readSignedSize(query, anchored);
      const answer = await submit(address, query, anchored, first);
      if (typeof answer !== 'number') return await cosigned(answer, anchored, key);
      await requireOurs(query, anchored, answer);
      if (answer > anchored.size) {
        await requireSignedBeyond(query, anchored, answer);
        return noEvidence;
      }
      const second = await submit(address, query, anchored, answer);
      if (typeof second === 'number') throw new AnchorFailure(`it has signed ${answer}, and then ${second} links`);
      return await cosigned(second, anchored, key);
    },
  };
}

/** How far a witness has signed a ledger. */
export interface SignedByWitness {
  readonly size: number;
  /** Whether what it has signed is ours, as far as our tree reaches. */
  readonly isOurs: boolean;
}

const newestSql = `select size, note from checkpoint_note where environment = $1 and shard = $2
  order by size desc, key_number desc limit 1`;

/**
 * Asks the witness how far it has signed a shard's ledger, by showing it the newest checkpoint. It may sign that.
 *
 * @returns null while nothing of the shard was signed by us
 * @throws AnchorFailure, or what the connection throws, when there is no answer
 */
export async function askWitness(
  { url, database }: Pick<WitnessSettings, 'url' | 'database'>,
  { environment, shard }: ShardName,
  signal: AbortSignal,
): Promise<SignedByWitness | null> {
  const query = preparedQuery(database);
  const [newest] = await query<{ size: number; note: string }>(newestSql, [environment, shard]);
  if (!newest) return null;
  const anchored = { environment, shard, ...newest };
  let from = await readSignedSize(query, anchored);
  try {
    for (let question = 1; ; question += 1) {
      const answer = await submit(addressBelow(url), query, anchored, from, signal);
      if (typeof answer !== 'number') return { size: anchored.size, isOurs: true };
      if (answer > anchored.size || question > 1) return { size: answer, isOurs: true };
      from = answer;
    }
  } catch (error) {
    if (error instanceof ContradictionError && from > 0) return { size: from, isOurs: false };
    throw error;
  }
}

function addressBelow(url: string): string {
  return `${url.replace(/\/+$/, '')}/add-checkpoint`;
}

/** The largest size that the witness has signed, as far as is known here. */
async function readSignedSize(query: Query, { environment, shard, size }: AnchoredNote): Promise<number> {
  const [last] = await query<{ size: number }>(
    `select size from anchor where environment = $1 and shard = $2 and target = 'witness' and answer is not null
     and size <= $3 order by size desc limit 1`,
    [environment, shard, size],
  );
  return last?.size ?? 0;
}

/** @returns what was sent and the signatures, or the size that the witness has signed where it is another one */
async function submit(
  address: string,
  query: Query,
  anchored: AnchoredNote,
  from: number,
  signal?: AbortSignal,
): Promise<Evidence | number> {
  const hashes = await readConsistencyProof(query, anchored, from, anchored.size);
  const body = [`old ${from}`, ...hashes, '', anchored.note].join('\n');
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  const { status, media, answer } = await ask(new Request(address, { method: 'POST', headers, body }), signal);
  if (status === 200) return { request: Buffer.from(body), answer };
  const text = answer.toString().trim();
  if (status === 409 && media.startsWith(sizeMedia) && /^(?:0|[1-9][0-9]{0,14})$/.test(text) && Number(text) !== from) {
    return Number(text);
  }
  if (status === 409 || status === 422) {
    throw new ContradictionError(`the witness has signed another history of ${from} links (${status})`);
  }
  throw new AnchorFailure(`answered ${status}`);
}

/** @throws ContradictionError when the witness has signed more links than the ledger has: its end is lost */
async function requireOurs(query: Query, { environment, shard }: AnchoredNote, signed: number): Promise<void> {
  const { size } = await readPlace(query, { environment, shard });
  if (signed > size) throw new ContradictionError(`the witness has signed ${signed} links, the ledger has ${size}`);
}

/**
 * A later checkpoint, in which this one is contained, is signed as far as the witness says. That it says so proves nothing: this
 * one waits until the signature of a later one is here.
 */
async function requireSignedBeyond(query: Query, { environment, shard, size }: AnchoredNote, named: number) {
  const [later] = await query(
    `select 1 from anchor where environment = $1 and shard = $2 and target = 'witness' and answer is not null
     and size > $3 limit 1`,
    [environment, shard, size],
  );
  if (!later) throw new AnchorFailure(`it says that it has signed ${named} links, and no signature of that is here`);
}

/** Keeps the signature of the configured key alone: what else is answered says nothing. */
async function cosigned({ request, answer }: Evidence, { note }: AnchoredNote, key: WitnessKey): Promise<Evidence> {
  try {
    const found = cosignatureOf(
      `${note.slice(0, note.lastIndexOf('\n\n') + 2)}${Buffer.from(answer ?? []).toString()}`,
      key,
    );
    if (found) return { request, answer: Buffer.from(found.line) };
  } catch (cause) {
    if (!(cause instanceof ProofError)) throw cause;
    throw new ContradictionError('the cosignature is false', { cause });
  }
  throw new ContradictionError(`no signature of ${key.name}`);
}
