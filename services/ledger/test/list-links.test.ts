import { hash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chainLinkContentSchema, chainLinksMax, type HashedLink } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';
import { readLinks } from '#src/chain/list-links.ts';
import { genesisHash } from '#src/chain/link.ts';
import { adjust, creditDeposit, debitPayout } from './support/commands.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';

let ledger: DirectLedger;
beforeEach(async () => {
  ledger = await startDirectLedger();
  const [one, other] = [newId('account'), newId('account')];
  await ledger.write(creditDeposit(one), creditDeposit(other), debitPayout(newId('account')));
  await ledger.write(adjust(other, -100), creditDeposit(one, { releaseAt: 2_000_000_000 }), debitPayout(one));
});
afterEach(async () => await ledger[Symbol.asyncDispose]());

const sha256 = (text: string) => hash('sha256', text, 'hex');
const contentOf = (link: HashedLink) => chainLinkContentSchema.parse(JSON.parse(link.text));

async function read(after = 0, afterMs = 0, limit = chainLinksMax) {
  const { links } = await readLinks(ledger.database, { environment: 'test', shard: 0, after, afterMs, limit });
  return links;
}

test('all that it takes to check a chain is in its links: their texts, requests and hashes', async () => {
  const links = await read();
  expect(links.map((link) => contentOf(link)[3])).toEqual([1, 2, 3, 4, 5, 6]);
  let previous = genesisHash;
  for (const link of links) {
    const [before, , , , , , requestHash] = contentOf(link);
    expect([before, requestHash, link.hash]).toEqual([previous, sha256(link.request), sha256(link.text)]);
    previous = link.hash;
  }
  expect(contentOf(links[2]!)[7]).toBe('refused');
  expect(JSON.parse(links[0]!.request)).toMatchObject({ kind: 'credit-deposit', amount: 10_000 });
});

test('page by page the links are the same as at once, and after the last there is none', async () => {
  const all = await read();
  const paged: HashedLink[] = [];
  for (let [after, afterMs] = [0, 0]; ;) {
    const page = await read(after, afterMs, 2);
    if (page.length === 0) break;
    paged.push(...page);
    [, , , after, afterMs] = contentOf(page.at(-1)!);
  }
  expect(paged).toEqual(all);
});

test('the hash where a reader goes on is said, and that there is none after the end of a restored chain', async () => {
  const [first] = await read();
  const beforeOf = async (after: number) =>
    (await readLinks(ledger.database, { environment: 'test', shard: 0, after, afterMs: 0, limit: 1 })).before;
  expect([await beforeOf(0), await beforeOf(1), await beforeOf(7)]).toEqual([null, first?.hash, null]);
});

test.each([
  ['a result', `update result set refusal = 'invalid_state' where sequence = 3`, 3],
  ['an entry', `update entry set amount = amount + 1 where sequence = 2`, 2],
  ['a request', `update result set request = jsonb_set(request::jsonb, '{fee}', '1')::json where sequence = 5`, 5],
])('%s that was changed no longer has the hash of its link', async (_what, sql, sequence) => {
  await ledger.database.query(sql);
  const wrong = (await read()).filter((link) => sha256(link.text) !== link.hash);
  expect(wrong.map((link) => contentOf(link)[3])).toEqual([sequence]);
});

test('links that would not fit into a message are left for the next page', async () => {
  await ledger.database.query(
    `update result set amounts = json_build_object('blocked', 1, repeat('x', 300000), 1) where sequence in (2, 3)`,
  );
  expect((await read()).map((link) => contentOf(link)[3])).toEqual([1, 2]);
  expect((await read(2)).map((link) => contentOf(link)[3])).toEqual([3, 4, 5, 6]);
});
