import { counter, level } from '@gateway/runtime';
import type { Shard } from '#src/sides/check-links.ts';

const chainBroken = level(
  'gateway_recon_chain_broken',
  'Whether a link of the ledger was not as it was written when it was read: it is read no further',
  ['environment', 'shard'],
);
const readAt = level(
  'gateway_recon_ledger_read_seconds',
  'Decisions of the ledger are read up to this moment, in Unix seconds',
  ['environment', 'shard'],
);
const linksRead = counter('gateway_recon_links_read_total', 'Decisions of the ledger that were read and checked', [
  'environment',
]);

export function showChain(
  { environment, shard }: Shard,
  state: { readonly isBroken: boolean; readonly links: number },
) {
  chainBroken.set(state.isBroken ? 1 : 0, { environment, shard: String(shard) });
  linksRead.add(state.links, { environment });
}

/** @param upToMs of the last decision, or now where there is none that is not read */
export function showReadUpTo({ environment, shard }: Shard, upToMs: number): void {
  readAt.set(upToMs / 1_000, { environment, shard: String(shard) });
}
