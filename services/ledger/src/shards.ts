import { streams, type StreamContract } from '@gateway/contracts/broker';

/** Names a shard in keys, locks and logs. */
export interface ShardName {
  readonly environment: string;
  readonly shard: number;
}

/** A part of the ledger with a writer of its own, and the stream its commands arrive on. */
export interface Shard extends ShardName {
  readonly environment: 'live' | 'test';
  readonly stream: StreamContract;
}

/** One per environment, so that load on test cannot slow down live. */
export const shards: readonly Shard[] = [
  { environment: 'live', shard: 0, stream: streams.ledgerCommandsLive },
  { environment: 'test', shard: 0, stream: streams.ledgerCommandsTest },
];

export function shardLabel({ environment, shard }: ShardName): string {
  return `${environment}.${shard}`;
}
