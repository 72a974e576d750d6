import type { BenchOptions } from '../benchmark.ts';
import { mediansOf } from '../compare.ts';
import { creationStep } from '../deposits/full-flow.ts';
import type { Environment } from '../environment/environment.ts';
import type { Merchant } from '../environment/merchants.ts';
import type { LoadResult } from '../load/load.ts';
import { median } from '../load/percentile.ts';
import type { Invariant } from '../report/report.ts';
import { type Reader, signInOperators } from './people.ts';
import type { Measured } from './reads.ts';

/** As many as a person may have. */
const streamsOfPerson = 3;
const shareKeptMin = 0.95;

/** Deposits a second with pages that follow them open, against none: in turn, as the machine is. */
export async function measureStreams(
  { stack, load }: Environment,
  merchant: Merchant,
  { count, options }: { readonly count: number; readonly options: BenchOptions },
): Promise<Measured & { readonly invariants: readonly Invariant[] }> {
  const readers = await signInOperators(stack, Math.ceil(count / streamsOfPerson));
  const creations = async (name: string, seconds: number) =>
    await load.run({
      ...{ name, origin: stack.baseUrl, steps: [creationStep], callers: [merchant.headers] },
      pace: { kind: 'closed', connections: options.connections, durationMs: seconds * 1_000 },
    });
  await creations('warm', options.warmupSeconds);
  const [alone, beside]: [LoadResult[], LoadResult[]] = [[], []];
  let changes = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    alone.push(await creations(`alone-${round}`, options.seconds));
    await using open = await openStreams(readers, count);
    beside.push(await creations(`beside-${round}`, options.seconds));
    changes += open.changes();
  }
  const [without, withStreams] = [
    mediansOf('deposits, no page open', alone),
    mediansOf(`deposits, ${count} pages open`, beside),
  ];
  const ratio = median(beside.map((each, round) => rateOf(each) / rateOf(alone[round])));
  return {
    figures: [without, { ...withStreams, ratio }],
    gates: [
      { what: `deposits/s with ${count} open streams, over without`, value: ratio, unit: '×', atLeast: shareKeptMin },
    ],
    invariants: [{ what: 'the streams say what happens', holds: changes > 0, found: `${changes} changes` }],
  };
}

function rateOf(result: LoadResult | undefined): number {
  return result ? (result.answered * 1_000) / result.elapsedMs : NaN;
}

/** Streams of changes as the pages open them, whose frames are read and counted. */
async function openStreams(readers: readonly Reader[], count: number) {
  const ending = new AbortController();
  let changes = 0;
  const open = async ({ origin, headers }: Reader) => {
    const response = await fetch(`${origin}/ops/stream`, { headers, signal: ending.signal });
    if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
    return response.body;
  };
  const read = async (body: AsyncIterable<Uint8Array>) => {
    for await (const chunk of body) changes += Buffer.from(chunk).toString().split('event: changed').length - 1;
  };
  const holders = readers.flatMap((reader) => Array.from({ length: streamsOfPerson }, () => reader)).slice(0, count);
  const bodies = await Promise.all(holders.map(open));
  // Each ends with the abort below.
  const reading = Promise.allSettled(bodies.map(read));
  return {
    changes: () => changes,
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await reading;
    },
  };
}
