import { hash } from 'node:crypto';

/** The link before the first one. */
export const genesisHash = '0'.repeat(64);

export type PostingTuple = readonly [account: string, bucket: string, currency: string, amount: number];
export type BalanceTuple = readonly [currency: string, available: number, pending: number, blocked: number];
export type EntryTuple = readonly [
  id: string,
  accountId: string,
  currency: string,
  number: number,
  type: string,
  amount: number,
  refType: string,
  refId: string,
  balanceAfter: number,
];

/** Everything one decision wrote, in the form the chain covers. Each value can be read back from its row. */
export interface LinkContent {
  readonly environment: string;
  readonly shard: number;
  readonly sequence: number;
  readonly decidedAtMs: number;
  readonly commandId: string;
  readonly requestHash: string;
  readonly outcome: string;
  readonly refusal: string | null;
  readonly amounts: Readonly<Record<string, number>>;
  readonly balances: readonly BalanceTuple[];
  readonly postings: readonly PostingTuple[];
  readonly entries: readonly EntryTuple[];
}

/** SHA-256 in hex over the previous link and the content: a changed, removed or moved row breaks every later link. */
export function linkHash(previous: string, content: LinkContent): string {
  const amounts = Object.entries(content.amounts).sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([
    previous,
    content.environment,
    content.shard,
    content.sequence,
    content.decidedAtMs,
    content.commandId,
    content.requestHash,
    content.outcome,
    content.refusal,
    amounts,
    content.balances,
    content.postings,
    content.entries,
  ]);
  return hash('sha256', text, 'hex');
}
