import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer, securityHeaders } from '@gateway/runtime/http';
import { silentLogger } from '@gateway/test-kit';
import { readConsoleFiles } from '#src/console/read-console-files.ts';
import { serveConsole } from '#src/console/serve-console.ts';

const page = '<!doctype html><script type="module" src="/assets/main-1a2b.js"></script>';
const script = 'start("/assets/look-3c4d.css");';
const browser = { accept: 'text/html,*/*;q=0.8', host: 'localhost:9080' };
const directory = mkdtempSync(join(tmpdir(), 'console-'));
let app: ReturnType<typeof createHttpServer>;

beforeAll(async () => {
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'operators.html'), page);
  writeFileSync(join(directory, 'secret.txt'), 'not built');
  writeFileSync(join(directory, 'merchants.html'), '<!doctype html><script src="/assets/shop-5e6f.js"></script>');
  writeFileSync(join(directory, 'assets/shop-5e6f.js'), 'import "./parts-7a8b.js";');
  writeFileSync(join(directory, 'assets/parts-7a8b.js'), 'part();');
  writeFileSync(join(directory, 'assets/main-1a2b.js'), script);
  writeFileSync(join(directory, 'assets/main-1a2b.js.gz'), gzipSync(script));
  writeFileSync(join(directory, 'assets/look-3c4d.css'), 'a{}');
  app = createHttpServer({ logger: silentLogger });
  app.addHook('onRequest', async (_request, reply) => void reply.headers(securityHeaders));
  serveConsole(app, { files: await readConsoleFiles(directory, 'operators.html'), origin: 'http://localhost:9080' });
  app.post('/ops/freeze', () => ({}));
  app.get('/session', () => ({ session: null }));
  app.get('/approvals/:id', () => ({ approval: null }));
  await app.ready();
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = browser) => app.inject({ method: 'GET', url, headers });

test.each(['/', '/payouts', '/payouts/pyt_01?from=mail', '/welcome', '/approvals/apr_01'])(
  'a browser that opens %s gets the page, whose policy allows nothing inline and nothing of anybody else',
  async (url) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.body]).toEqual([200, page]);
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  },
);

test.each([
  ['an operation that is not there', '/ops/nothing', browser],
  ['a file that is not there', '/assets/main-0000.js', browser],
  ['a file beside the built ones', '/secret.txt', browser],
  ['a file outside the folder', '/assets/..%2Fsecret.txt', browser],
  ['an address that a program asks for', '/payouts', { accept: 'application/json', host: 'localhost:9080' }],
])('%s is 404 in the one error shape, and no page', async (_what, url, headers) => {
  const answer = await get(url, headers);
  const { error } = answer.json<{ readonly error: { readonly code: string } }>();
  expect([answer.statusCode, error.code]).toEqual([404, 'NOT_FOUND']);
});

test('what another route answers, and what it answers to other methods, stays', async () => {
  expect((await get('/session')).json()).toEqual({ session: null });
  const program = { accept: 'application/json', host: 'localhost:9080' };
  expect((await get('/approvals/apr_01', program)).json()).toEqual({ approval: null });
  expect((await get('/ops/freeze')).statusCode).toBe(405);
  expect((await app.inject({ method: 'POST', url: '/payouts', headers: browser })).statusCode).toBe(404);
});

test('a file is kept for ever by its name, compressed for those who take that', async () => {
  const whole = await get('/assets/main-1a2b.js', {});
  expect([whole.body, whole.headers['content-encoding']]).toEqual([script, undefined]);
  expect(whole.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  });
  const compressed = await get('/assets/main-1a2b.js', { 'accept-encoding': 'gzip;q=0.9, br' });
  expect([compressed.headers['content-encoding'], compressed.rawPayload]).toEqual(['gzip', gzipSync(script)]);
  expect((await get('/assets/look-3c4d.css', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined();
});

test('who opens the address 127.0.0.1 is led to the name that passkeys belong to, and no other host is', async () => {
  const led = await get('/payouts?status=PENDING', { ...browser, host: '127.0.0.1:9080' });
  expect([led.statusCode, led.headers.location]).toEqual([302, 'http://localhost:9080/payouts?status=PENDING']);
  for (const host of ['127.0.0.1:8080', 'ops.example', 'localhost:9080'])
    expect((await get('/', { ...browser, host })).statusCode).toBe(200);
});

test('a console serves what its own page loads, by whatever file, and nothing of another console', async () => {
  const { assets } = await readConsoleFiles(directory, 'merchants.html');
  expect([...assets.keys()].sort()).toEqual(['parts-7a8b.js', 'shop-5e6f.js']);
  expect((await get('/assets/shop-5e6f.js')).statusCode).toBe(404);
});

test('a directory without a built console, or with a file that is not served, is refused at the start', async () => {
  await expect(readConsoleFiles(join(directory, 'assets'), 'operators.html')).rejects.toThrow('holds no built console');
  writeFileSync(join(directory, 'assets/photo.png'), '');
  await expect(readConsoleFiles(directory, 'operators.html')).rejects.toThrow(
    'is of a kind that the console does not serve',
  );
});
