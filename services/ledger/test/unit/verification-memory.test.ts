import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { GrowingRoot } from '@gateway/proof';
import { canonicalRequest, requestHashOf } from '#src/chain/canonical-request.ts';
import { genesisHash, linkHash } from '#src/chain/link.ts';
import type { Snapshot } from '#src/chain/snapshot.ts';
import { genesis, verifyLinks } from '#src/chain/verify-chain.ts';
import { LedgerSums } from '#src/reconciliation/ledger-sums.ts';

const shard = { environment: 'live', shard: 0 } as const;
const accounts = 10;
const startMs = Date.parse('2026-11-20T12:00:00Z');

/** A chain of decisions that is there only as far as it is read: each is made when a page has it, and kept by the reader alone. */
function chainOf(links: number): Snapshot {
  let previous = genesisHash;
  const decide = (sequence: number) => {
    const [account, amount] = [`acc_${sequence % accounts}`, 100];
    const content = {
      ...{ sequence, decidedAtMs: startMs + sequence, commandId: `credit-deposit:dep_${sequence}` },
      ...{ outcome: 'applied', refusal: null, amounts: {} },
      postings: [['provider:efi', 'system', 'BRL', -amount] as const, [account, 'available', 'BRL', amount] as const],
    };
    const request = { kind: 'credit-deposit', depositId: `dep_${sequence}`, amount };
    const requestHash = requestHashOf(canonicalRequest(request));
    previous = linkHash(previous, { ...shard, ...content, requestHash, balances: [], entries: [entryOf(sequence)] });
    return { ...content, request, balances: [], hash: previous, commandRequestHash: requestHash };
  };
  const query = (text: string, [, , from, through, limit]: readonly unknown[]): object[] => {
    const [first, last] = [Number(from), Math.min(links, Number(through))];
    if (!text.includes('from result')) return range(first, last).map((sequence) => columnsOf(entryOf(sequence)));
    return range(first + 1, Math.min(last, first + Number(limit))).map(decide);
  };
  return { query: (text, params) => Promise.resolve(query(text, params) as never[]) };
}

const range = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

function entryOf(sequence: number) {
  const number = Math.ceil(sequence / accounts);
  const entry = [`led_${sequence}`, `acc_${sequence % accounts}`, 'BRL', number, 'DEPOSIT_NET', 100] as const;
  return [...entry, 'deposit', `dep_${sequence}`, number * 100] as const;
}

function columnsOf([id, account_id, currency, number, type, amount, ref_type, ref_id, balance_after]: ReturnType<
  typeof entryOf
>) {
  const sequence = Number(id.slice('led_'.length));
  return { sequence, id, account_id, currency, number, type, amount, ref_type, ref_id, balance_after };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes that are still in use at each ten-thousandth link of a verification, at most. */
async function heldMb(links: number): Promise<number> {
  const [sums, tree] = [new LedgerSums(), GrowingRoot.empty()];
  let bytes = 0;
  const { end, firstBreak } = await verifyLinks(
    chainOf(links),
    shard,
    (link) => {
      sums.add(link);
      tree.append(Buffer.from(link.hash, 'hex'));
      if (link.sequence % 10_000 !== 0) return;
      collect();
      bytes = Math.max(bytes, process.memoryUsage().heapUsed);
    },
    genesis,
  );
  expect([end.sequence, firstBreak, sums.entryCount]).toEqual([links, null, links]);
  return bytes / 1_000_000;
}

test('a history four times as long is verified in the same memory', async () => {
  const short = await heldMb(10_000);
  expect(await heldMb(40_000)).toBeLessThan(short + 5);
}, 120_000);
