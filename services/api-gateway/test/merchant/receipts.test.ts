import { createHash, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NotFoundError } from '@gateway/contracts/errors';
import { getCheckpoint, getConsistency, getReceipt, listCheckpointKeys } from '@gateway/contracts/ledger';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import {
  isIncluded,
  leafHash,
  noteSigner,
  openCheckpoint,
  parseTlogProof,
  readVerifier,
  signCheckpoint,
} from '@gateway/proof';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const signer = noteSigner('pay.example.com/ledger/test.0', generateKeyPairSync('ed25519').privateKey);
const retired = noteSigner('pay.example.com/ledger/test.0', generateKeyPairSync('ed25519').privateKey);
const [booked, waiting, shared] = [newId('ledgerEntry'), newId('ledgerEntry'), newId('ledgerEntry')];

let gateway: GatewayUnderTest;
let account: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;

/** The text of a link with the entry of an account, and a posting of another one. */
function linkOf(entryId: string, accountId: string, poster = accountId): string {
  const command = ['credit-deposit:dep_1', 'ab'.repeat(32), 'applied', null, [], [['BRL', 98, 0, 0]]];
  const postings = [
    [poster, 'available', 'BRL', 98],
    ['provider:efi', 'system', 'BRL', -100],
    ['fees', 'system', 'BRL', 2],
  ];
  const entries = [[entryId, accountId, 'BRL', 1, 'DEPOSIT_NET', 98, 'deposit', 'dep_1', 98]];
  return JSON.stringify(['0'.repeat(64), 'test', 0, 1, 1_767_000_000_000, ...command, postings, entries]);
}

const leafOf = (link: string) => leafHash(createHash('sha256').update(link).digest());
const checkpointOf = (link: string) => {
  return signCheckpoint({ origin: signer.name, size: 1, root: leafOf(link), extensions: [] }, [signer]);
};

beforeAll(async () => {
  gateway = await startGateway([
    answering(getReceipt, async ({ accountId, entryId }) => {
      if (accountId !== account.id) throw new NotFoundError('transaction');
      if (entryId === waiting) return { receipt: null };
      const link = linkOf(entryId, accountId, entryId === shared ? newId('account') : accountId);
      return { receipt: { link, index: 0, hashes: [], checkpoint: checkpointOf(link) } };
    }),
    answering(listCheckpointKeys, async () => {
      const key = { environment: 'test' as const, shard: 0, createdAt: 1, retiredAt: null, endorsement: 'a note' };
      const second = { text: 'the one beside it', createdAt: 3, endorsement: 'a note of it' };
      const first = { ...key, number: 1, text: retired.text, retiredAt: 2, endorsement: null, second: null };
      const live = { ...key, environment: 'live' as const, number: 1, text: 'of another environment', second };
      return { keys: [first, { ...key, number: 2, text: signer.text, second }, live] };
    }),
    answering(getCheckpoint, async () => ({ checkpoint: checkpointOf(linkOf(booked, account.id)) })),
    answering(getConsistency, async () => ({ hashes: [Buffer.alloc(32, 7).toString('base64')] })),
  ]);
  account = await gateway.newAccount();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

const read = (path: string) => gateway.asMerchant(account.test, 'GET', path);

test('a receipt is a file of text that is verified with the key, without a question to anyone', async () => {
  const answer = await read(`/v1/transactions/${booked}/receipt`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${booked}.tlog-proof"`);
  const { extra, index, hashes, checkpoint } = parseTlogProof(answer.text);
  const tree = openCheckpoint(checkpoint, [readVerifier(signer.text)]);
  const link = Buffer.from(extra ?? []).toString();
  expect(isIncluded({ leaf: leafOf(link), index, tree, hashes })).toBe(true);
  expect(link).toBe(linkOf(booked, account.id));
});

test('an entry that no checkpoint has yet is answered with 202 and when to ask again', async () => {
  const answer = await read(`/v1/transactions/${waiting}/receipt`);
  expect([answer.status, answer.body]).toEqual([202, { id: waiting, status: 'PROCESSING' }]);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('an entry of another merchant, and one that is not there, have no receipt', async () => {
  const other = await gateway.newAccount();
  const foreign = await gateway.asMerchant(other.test, 'GET', `/v1/transactions/${booked}/receipt`);
  expect([foreign.status, foreign.body.error.code]).toEqual([404, 'NOT_FOUND']);
  expect((await read('/v1/transactions/led_1/receipt')).status).toBe(404);
});

test('a link that moves the money of two merchants is shown to neither', async () => {
  const answer = await read(`/v1/transactions/${shared}/receipt`);
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain('tlog-proof');
});

test('the keys of the environment are listed, the oldest first, each endorsed by the one before', async () => {
  const { status, body } = await read('/v1/proof/keys');
  expect([status, body.data]).toEqual([
    200,
    [
      { key: retired.text, created_at: 1, retired_at: 2, endorsement: null, second_key: null },
      {
        ...{ key: signer.text, created_at: 1, retired_at: null, endorsement: 'a note' },
        second_key: { key: 'the one beside it', created_at: 3, endorsement: 'a note of it' },
      },
    ],
  ]);
});

test('the proof of consistency is a file of text with the newest checkpoint', async () => {
  const { status, text } = await read('/v1/proof/consistency?from=1');
  const hash = Buffer.alloc(32, 7).toString('base64');
  expect([status, text]).toEqual([200, `old 1\n${hash}\n\n${checkpointOf(linkOf(booked, account.id))}`]);
  for (const from of ['0', '-1', 'x', '', '1.5']) {
    expect((await read(`/v1/proof/consistency?from=${from}`)).status, from).toBe(400);
  }
});

test('operators read the receipt of an entry of an account', async () => {
  const path = `/ops/accounts/${account.id}/transactions/${booked}/receipt?environment=test`;
  const answer = await gateway.asOperator('GET', path);
  expect([answer.status, answer.text]).toEqual([200, (await read(`/v1/transactions/${booked}/receipt`)).text]);
});
