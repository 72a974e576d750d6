import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Gateway } from '@gateway/sdk';
import { readPages } from '#src/tools/pages.ts';
import { searchDocs } from '#src/tools/search-docs.ts';

const root = join(import.meta.dirname, '../../../..');
const baseUrl = 'https://gateway.example';

/** The pages of the repository, as the gateway serves them. */
async function served(address: string): Promise<Response> {
  const { pathname } = new URL(address);
  const file =
    pathname === '/openapi.json'
      ? 'docs/api/openapi-0.1.json'
      : `services/api-gateway/src/reference/assets${pathname.replace('/docs/', '/')}.html`;
  return new Response(await readFile(join(root, file)));
}

beforeAll(() => void vi.stubGlobal('fetch', served));
afterAll(() => void vi.unstubAllGlobals());

interface Found {
  readonly title: string;
  readonly address: string;
}

async function search(query: string): Promise<readonly Found[]> {
  const gateway = new Gateway({ baseUrl, publicKey: 'pk_test_shop', secretKey: 'sk_test_x' });
  const answer = await searchDocs.run({ gateway, pages: async () => readPages(baseUrl) }, { query });
  return (answer as { readonly ownWords: { readonly found: readonly Found[] } }).ownWords.found;
}

describe('a search of the documentation', () => {
  test.each([
    ['refund a deposit', '/docs/guide/refunds'],
    ['listen forward webhooks', '/docs/guide/cli#'],
    ['magic values payout failure', '/docs/guide/test-mode#'],
    ['external_id limit length', '/docs/guide/limits'],
    ['verify signature of a webhook', '/docs/guide/verifying-a-webhook'],
  ])('for %j finds its page first', async (query, page) => {
    const [first] = await search(query);
    expect(first?.address.startsWith(`${baseUrl}${page}`), first?.address).toBe(true);
  });

  test('names the address at which the reference has an operation', async () => {
    const addresses = (await search('createRefund')).map(({ address }) => address);
    expect(addresses[0]).toBe(`${baseUrl}/docs/deposits#createRefund`);
    const [first] = await search('simulateDepositPayment');
    expect(first?.address).toBe(`${baseUrl}/docs/test-mode#simulateDepositPayment`);
  });
});
