import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RequestOf } from '@gateway/contracts/messages';
import {
  appendStatementFile,
  beginStatementFile,
  importStatementFile,
  type StatementFile,
} from '@gateway/contracts/reconciler';
import { answering } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { operatorTokens, startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

const bytesMax = 50 * 1_024 * 1_024;
const file: StatementFile = {
  ...{
    id: newId('statementFile'),
    provider: 'efi',
    currency: 'BRL',
    format: 'cnab240',
    mappingVersion: null,
    bytes: 1,
  },
  ...{ state: 'IMPORTED', sha256: '0'.repeat(64), summary: null, refusal: null, uploadedBy: 'ana' },
  receivedAt: '2026-01-02T10:04:37.250Z',
};

let gateway: GatewayUnderTest;
let begun: RequestOf<typeof beginStatementFile>[];
let received: { number: number; bytes: Buffer }[];
let imported: RequestOf<typeof importStatementFile>[];

beforeAll(async () => {
  gateway = await startGateway([
    answering(beginStatementFile, async (request) => {
      begun.push(request);
      return { id: file.id };
    }),
    answering(appendStatementFile, async ({ number, bytes }) => {
      received.push({ number, bytes: Buffer.from(bytes, 'base64') });
      return {};
    }),
    answering(importStatementFile, async (request) => {
      imported.push(request);
      return { file, created: true, dryRun: null };
    }),
  ]);
});
afterAll(async () => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  [begun, received, imported] = [[], [], []];
});

const send = async (bytes: Buffer) =>
  await fetch(`${gateway.opsUrl}/ops/statement-files?provider=efi&format=cnab240`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorTokens.ana}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  });

test('a file of 50 MiB reaches the reconciler byte for byte, in its order, under the digest of what was sent', async () => {
  const bytes = randomBytes(bytesMax);
  expect((await send(bytes)).status).toBe(201);
  expect(begun).toMatchObject([
    { provider: 'efi', format: 'cnab240', currency: 'BRL', operator: 'ana', dryRun: false },
  ]);
  expect(received.map(({ number }) => number)).toEqual(received.map((_, at) => at));
  expect(Buffer.concat(received.map((chunk) => chunk.bytes)).equals(bytes)).toBe(true);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(imported).toEqual([{ id: file.id, chunks: received.length, sha256 }]);
});

test('a file of one byte more is refused, and nothing of it is imported', async () => {
  const answer = await send(Buffer.alloc(bytesMax + 1, '0'));
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({ error: { code: 'PAYLOAD_TOO_LARGE' } });
  expect(imported).toEqual([]);
});
