import { expect, test } from 'vitest';
import { Gateway } from '@gateway/sdk';
import { recipes } from '#src/triggers/recipes.ts';
import { newHome, runCli } from '../support/run-cli.ts';

/** What the gateway answers, by the end of the path. */
const answers: Readonly<Record<string, object>> = {
  '/v1/deposits': { id: 'dep_1', status: 'PENDING' },
  '/pay': { id: 'dep_1', status: 'PAID' },
  '/release': { released: 1 },
  '/v1/payouts': { payout: { id: 'pyt_1', status: 'PROCESSING' } },
  '/settle': { id: 'pyt_1', status: 'PAID' },
  '/cancel': { payout: { id: 'pyt_1', status: 'REJECTED' } },
};

const fetch = async (url: string) => {
  const found = Object.entries(answers).find(([end]) => new URL(url).pathname.endsWith(end));
  return Response.json(found?.[1] ?? {}, { status: found === undefined ? 404 : 201 });
};

test.each([
  'payout.pending',
  'payout.processing',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  'payout.returned',
] as const)('%s names the payout and the deposit that paid for it among what was made', async (event) => {
  const options = { baseUrl: 'http://gateway.test', publicKey: 'pk_test_1', secretKey: 'sk_1', fetch } as const;
  const stage = {
    gateway: new Gateway(options),
    beta: new Gateway({ ...options, apiVersion: '1.0' }),
    overrides: {},
  };
  expect(await recipes[event](stage)).toEqual({ about: 'pyt_1', ids: { payout: 'pyt_1', deposit: 'dep_1' } });
});

test('an amount is typed in one way alone, as its help says', async () => {
  using home = newHome();
  const { stdout, stderr } = await runCli(['help', 'deposits', 'list'], home);
  const [line = ''] = /--min-amount.*(?:\n {10,}.*)*/.exec(stdout + stderr) ?? [];
  expect(line).toContain('Typed as 100.50.');
  expect(line).not.toContain('smallest unit');
});
