import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '@gateway/runtime';
import { makeTimeStampAuthority, type TimeStampAuthority } from '@gateway/test-kit';
import { auditorTarget, bucketTarget } from '#src/anchors/bucket.ts';
import { readAnchor } from '#src/anchors/read-anchors.ts';
import { anchorWorkers, keepOutside, type AnchorOptions } from '#src/anchors/run-anchors.ts';
import { timeStampTarget } from '#src/anchors/time-stamp.ts';
import { trustedCertificates } from '#src/anchors/time-stamp-token.ts';
import { startDirectLedger, type DirectLedger } from './support/direct-ledger.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const intervalSec = 3_600;
const startMs = 1_795_176_000_000;
const secretAccessKey = 'secret-of-the-bucket';

let ledger: DirectLedger;
let server: Server;
let base: string;
let directory: string;
let authority: TimeStampAuthority;
let received: Received[] = [];
/** What the other side answers instead of what it should. */
let instead: ((request: Received) => { status: number; body: Uint8Array } | undefined) | undefined;
let nowMs = startMs;

beforeEach(async () => {
  ledger = await startDirectLedger();
  directory = mkdtempSync(join(tmpdir(), 'anchors-'));
  authority = makeTimeStampAuthority(directory);
  [received, instead, nowMs] = [[], undefined, startMs];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(chunks) };
      received.push(one);
      const ordinary = () => ({ status: 200, body: path === '/tsa' ? authority.answer(one.body) : '' });
      const { status, body } = instead?.(one) ?? ordinary();
      response.writeHead(status).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
  await ledger[Symbol.asyncDispose]();
});

const settings = { region: 'sa-east-1', accessKeyId: 'key-of-the-bucket', secretAccessKey, retentionDays: 10 };
const now = () => nowMs;
const options = (): AnchorOptions => ({
  database: ledger.database,
  logger: createLogger('ledger', 'silent'),
  targets: [
    timeStampTarget(`${base}/tsa`, trustedCertificates(readFileSync(authority.ca, 'utf8')), () => Date.now()),
    bucketTarget({ ...settings, url: `${base}/anchors` }, now),
    auditorTarget(`${base}/auditor`),
  ],
  intervalSec,
  now,
});

/** A checkpoint as the ledger stores one. */
async function sign(size: number, environment = 'live'): Promise<string> {
  const root = Buffer.alloc(32, size);
  const note = `pay.example.com/ledger/${environment}.0\n${size}\n${root.toString('base64')}\n\n— signature\n`;
  await ledger.database.query(
    `with c as (
       insert into checkpoint (environment, shard, size, root, chain_hash, at) values ($1, 0, $2, $3, $3, $4) returning 1
     ) select 1`,
    [environment, size, root, new Date(nowMs)],
  );
  await ledger.database.query(
    `insert into checkpoint_note (environment, shard, size, key_number, note, signed_at) values ($1, 0, $2, 1, $3, $4)`,
    [environment, size, note, new Date(nowMs)],
  );
  return note;
}

interface AnchorRow {
  readonly size: number;
  readonly target: string;
  readonly attempts: number;
  readonly done: boolean;
  readonly failure: string | null;
  readonly request: Buffer | null;
  readonly answer: Buffer | null;
}

const anchors = () =>
  ledger.database.query<AnchorRow>(
    `select size, target, attempts, done_at is not null as done, failure, request, answer from anchor
     order by size, target`,
  );
const sentTo = (path: string) => received.filter((one) => one.path.startsWith(path));

/** Whether openssl, with the authority's certificate alone, finds the token to be of these bytes. */
function isTokenOf(token: Buffer, note: string): boolean {
  writeFileSync(join(directory, 'note.txt'), note);
  writeFileSync(join(directory, 'token.tsr'), token);
  const args = ['ts', '-verify', '-data', 'note.txt', '-in', 'token.tsr', '-CAfile', authority.ca];
  try {
    execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** Signature version 4 of Amazon's interface, by hand: what a bucket calculates of a request. */
function signatureOf({ method, path, headers }: Received): string {
  const [, credential = '', names = ''] =
    /Credential=([^,]+), SignedHeaders=([^,]+), /.exec(headers.authorization ?? '') ?? [];
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, path, '', lines.join(''), names, headers['x-amz-content-sha256']].join('\n');
  const [, ...scope] = credential.split('/');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), digest].join('\n');
  const key = scope.reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  return createHmac('sha256', key).update(text).digest('hex');
}

test('a signed checkpoint is kept once an interval: in the bucket, at the auditor, and with a token of its time', async () => {
  const note = await sign(3);
  for (let round = 0; round < 3; round += 1) await keepOutside(options());
  await sign(5);
  await keepOutside(options());
  expect((await anchors()).map(({ size, target, done, attempts }) => [size, target, done, attempts])).toEqual([
    [3, 'auditor', true, 1],
    [3, 'bucket', true, 1],
    [3, 'timestamp', true, 1],
  ]);
  expect(sentTo('/auditor').map(({ body }) => body.toString())).toEqual([note]);
  const [stamped] = (await anchors()).filter(({ target }) => target === 'timestamp');
  expect(isTokenOf(stamped?.answer ?? Buffer.of(), note)).toBe(true);
  expect(isTokenOf(stamped?.answer ?? Buffer.of(), `${note} `)).toBe(false);
  expect(sentTo('/tsa').map(({ body }) => body)).toEqual([stamped?.request]);
  expect(sentTo('/tsa')[0]?.body.includes(note)).toBe(false);
  nowMs += intervalSec * 1_000;
  await keepOutside(options());
  expect((await anchors()).filter(({ done }) => done).map(({ size }) => size)).toEqual([3, 3, 3, 5, 5, 5]);
});

test('the evidence of a time stamp has the very note that was stamped, also when a later key has signed the same checkpoint', async () => {
  const note = await sign(3);
  await keepOutside(options());
  await ledger.database.query(
    `insert into checkpoint_note (environment, shard, size, key_number, note, signed_at)
     select environment, shard, size, 2, replace(note, 'signature', 'another'), signed_at from checkpoint_note`,
  );
  const place = { environment: 'live', shard: 0, size: 3, target: 'timestamp' } as const;
  const { checkpoint, answer } = await readAnchor(ledger.database, place);
  expect(checkpoint).toBe(note);
  expect(isTokenOf(Buffer.from(answer!, 'base64'), checkpoint)).toBe(true);
});

test('a file in the bucket is signed, locked against everyone for its time, and named by the size of the ledger', async () => {
  const note = await sign(7);
  await keepOutside(options());
  const [put, ...others] = sentTo('/anchors');
  expect([put?.method, put?.path, others]).toEqual(['PUT', '/anchors/live.0/0000000000000007.txt', []]);
  expect(put?.body.toString()).toBe(note);
  const signed = put?.headers.authorization ?? '';
  expect(signed).toContain(`Signature=${put ? signatureOf(put) : ''}`);
  for (const name of ['x-amz-object-lock-mode', 'x-amz-object-lock-retain-until-date', 'x-amz-checksum-sha256']) {
    expect(signed).toContain(name);
  }
  expect(put?.headers['x-amz-object-lock-mode']).toBe('COMPLIANCE');
  const until = new Date(startMs + 10 * 86_400_000).toISOString();
  expect(put?.headers['x-amz-object-lock-retain-until-date']).toBe(until);
  expect(put?.headers['x-amz-checksum-sha256']).toBe(createHash('sha256').update(note).digest('base64'));
});

test('time stamping that is away for a day has a token for each hour of it afterwards; the others are not held up', async () => {
  instead = ({ path }) => (path === '/tsa' ? { status: 503, body: Buffer.of() } : undefined);
  const notes = new Map<number, string>();
  for (let hour = 1; hour <= 24; hour += 1) {
    notes.set(hour, await sign(hour));
    await keepOutside(options());
    nowMs += intervalSec * 1_000;
  }
  const missing = (await anchors()).filter(({ done }) => !done);
  expect(missing.map(({ target }) => target)).toEqual(Array.from({ length: 24 }, () => 'timestamp'));
  expect(missing[0]?.failure).toBe('answered 503');
  expect(sentTo('/auditor')).toHaveLength(24);
  instead = undefined;
  while (await keepOutside(options()));
  const stamped = (await anchors()).filter(({ target }) => target === 'timestamp');
  expect(stamped.every(({ done, failure }) => done && failure === null)).toBe(true);
  for (const { size, answer } of [stamped[0], stamped[23]].filter((row) => row !== undefined)) {
    expect(isTokenOf(answer ?? Buffer.of(), notes.get(size) ?? '')).toBe(true);
  }
});

test('what is no token for the query is not taken for one, and the query is made again', async () => {
  await sign(3);
  const earlier: Buffer[] = [];
  const answers: [RegExp, (query: Buffer) => Uint8Array][] = [
    [/not a token/, () => Buffer.from('<html>')],
    [/not a token/, () => Buffer.of()],
    [/refused with status 2/, () => Buffer.from('30053003020102', 'hex')],
    [/another query/, () => earlier[0] ?? Buffer.of()],
    [/not trusted/, (query) => makeTimeStampAuthority(directory).answer(query)],
    [/more than 65536 bytes/, () => Buffer.alloc(70_000)],
  ];
  instead = ({ path, body }) => {
    if (path === '/tsa') earlier.push(authority.answer(body));
    return undefined;
  };
  const targets = options().targets.filter(({ name }) => name === 'timestamp');
  await targets[0]?.keep({ environment: 'live', shard: 0, size: 3, note: (await noteOf(3)) ?? '' });
  for (const [failure, body] of answers) {
    instead = ({ path, body: query }) => (path === '/tsa' ? { status: 200, body: body(query) } : undefined);
    await keepOutside({ ...options(), targets });
    const [row] = await anchors();
    expect([row?.done, row?.answer, row?.failure]).toEqual([false, null, expect.stringMatching(failure)]);
    nowMs += 900_000;
  }
  instead = undefined;
  nowMs += 900_000;
  await keepOutside({ ...options(), targets });
  expect((await anchors())[0]).toMatchObject({ done: true, failure: null, size: 3 });
});

const noteOf = async (size: number) =>
  (await ledger.database.query<{ note: string }>('select note from checkpoint_note where size = $1', [size]))[0]?.note;

test('a place that never answers delays no other, and what it has not taken is sent again later', async () => {
  const { signal } = new AbortController();
  const unanswered = { name: 'bucket', keep: () => new Promise<never>(() => undefined) } as const;
  const targets = [unanswered, ...options().targets.filter(({ name }) => name === 'auditor')];
  const [hanging, auditor] = anchorWorkers({ ...options(), targets });
  await sign(3);
  void hanging!.work(signal);
  await expect.poll(async () => (await anchors()).length).toBe(1);
  for (const size of [3, 5]) {
    if (size > 3) await sign(size);
    await auditor!.work(signal);
    nowMs += intervalSec * 1_000;
  }
  expect(sentTo('/auditor')).toHaveLength(2);
  await keepOutside({ ...options(), targets: [unanswered], deadlineMs: 5 });
  const [late] = (await anchors()).filter(({ target }) => target === 'bucket');
  expect(late).toMatchObject({ done: false, failure: 'no answer within 5 ms' });
});

test('a process that ends while it sends leaves it to the next one, once its lease is over', async () => {
  await sign(3);
  const unanswered = { name: 'auditor', keep: () => new Promise<never>(() => undefined) } as const;
  void keepOutside({ ...options(), targets: [unanswered] });
  await expect.poll(async () => (await anchors())[0]?.attempts).toBe(1);
  const targets = options().targets.filter(({ name }) => name === 'auditor');
  await keepOutside({ ...options(), targets });
  expect(sentTo('/auditor')).toHaveLength(0);
  nowMs += 61_000;
  await keepOutside({ ...options(), targets });
  expect((await anchors()).map(({ done, attempts }) => [done, attempts])).toEqual([[true, 2]]);
});

test('checkpoints of test money stay inside', async () => {
  await sign(3, 'test');
  await keepOutside(options());
  expect([await anchors(), received]).toEqual([[], []]);
});
