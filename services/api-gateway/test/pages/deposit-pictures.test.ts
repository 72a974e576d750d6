import { inflateSync } from 'node:zlib';
import decodeQr from 'qr/decode.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeposit, depositQrResource, getDeposit, type Deposit } from '@gateway/contracts/deposits';
import { NotFoundError } from '@gateway/contracts/errors';
import { answering } from '@gateway/messaging';
import { LinkTokens } from '@gateway/runtime';
import { depositOf } from '../harness/records.ts';
import { secretsKey, startGateway, type GatewayUnderTest, type KeyPair } from '../harness/start-gateway.ts';

const emv =
  '00020101021226800014br.gov.bcb.pix2558pix.sandbox.invalid/qr/v2/9d36b84fc70b478fb95c12729b90ca255204000053039865405' +
  '10.005802BR5919TEST MODE NAO PAGAR6007SANDBOX62070503***63045D3D';
const made: Deposit[] = [];
let asked = 0;
let gateway: GatewayUnderTest;
let account: { id: string; test: KeyPair; live: KeyPair };
let id: string;

beforeAll(async () => {
  gateway = await startGateway([
    answering(createDeposit, async (request) => {
      const deposit = { ...depositOf(request), emv: request.externalId === 'no code' ? null : emv };
      made.push(deposit);
      return { created: true, deposit };
    }),
    answering(getDeposit, async ({ id: wanted, environment, accountId }) => {
      asked += 1;
      const deposit = made.find((each) => each.id === wanted);
      if (deposit?.environment !== environment || deposit.accountId !== accountId) throw new NotFoundError('deposit');
      return { deposit };
    }),
  ]);
  account = await gateway.newAccount();
  id = await create('order-1');
});
afterAll(async () => gateway[Symbol.asyncDispose]());

async function create(externalId: string): Promise<string> {
  const body = { amount_cents: 1_000, external_id: externalId };
  return (await gateway.asMerchant(account.test, 'POST', '/v1/deposits', { body })).body.id;
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

function token(depositId: string, expiresAt: number, key = secretsKey): string {
  const grant = { environment: 'test', accountId: account.id, expiresAt };
  return new LinkTokens([key]).issue(depositQrResource(depositId), grant);
}

const fetchPicture = (format: string, query: string) =>
  fetch(`${gateway.baseUrl}/v1/deposits/${id}/qr.${format}${query}`);

describe('the QR picture of a deposit', () => {
  test('is an SVG without scripts for whoever has its token, and may be kept until the token ends', async () => {
    const response = await fetchPicture('svg', `?token=${token(id, inSeconds(100))}`);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(text).not.toMatch(/<script|<foreignObject|\son\w+=|href/i);
    const [, maxAge] = /^private, max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '') ?? [];
    expect(Number(maxAge)).toBeGreaterThan(90);
    expect(Number(maxAge)).toBeLessThanOrEqual(100);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  test('is a PNG at the other address', async () => {
    const response = await fetchPicture('png', `?token=${token(id, inSeconds(100_000))}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(response.headers.get('cache-control')).toBe('private, max-age=3600');
  });

  test('is read by a scanner as the code of the deposit', async () => {
    const svg = await (await fetchPicture('svg', `?token=${token(id, inSeconds(100))}`)).text();
    const png = await (await fetchPicture('png', `?token=${token(id, inSeconds(100))}`)).arrayBuffer();
    expect(decodeQr(pixelsOfPng(Buffer.from(png)))).toBe(emv);
    expect(decodeQr(pixelsOfSvg(svg))).toBe(emv);
  });

  test.each(['svg', 'png'] as const)(
    'as %s asks nobody the second time, and is not sent again to whoever has it',
    async (format) => {
      const depositId = await create(`twice as ${format}`);
      const path = `/v1/deposits/${depositId}/qr.${format}`;
      const withToken = `${path}?token=${token(depositId, inSeconds(100))}`;
      const first = await gateway.call('GET', withToken);
      const askedBefore = asked;
      const again = await gateway.asMerchant(account.test, 'GET', path);
      const entityTag = first.headers.get('etag') ?? '';
      const unchanged = await gateway.call('GET', withToken, { headers: { 'if-none-match': entityTag } });
      expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
      expect(entityTag).toMatch(/^"[\w-]{22}"$/);
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
      expect(unchanged.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
      expect(asked).toBe(askedBefore);
      // What is kept opens nothing.
      expect((await gateway.call('GET', `${path}?token=${token(depositId, inSeconds(-1))}`)).status).toBe(401);
      expect((await gateway.asMerchant(account.live, 'GET', path)).status).toBe(404);
    },
  );

  test("is shown with the key headers too, to the deposit's own account alone", async () => {
    const other = await gateway.newAccount();
    const path = `/v1/deposits/${id}/qr.svg`;
    expect((await gateway.asMerchant(account.test, 'GET', path)).status).toBe(200);
    expect((await gateway.asMerchant(account.live, 'GET', path)).status).toBe(404);
    expect((await gateway.asMerchant(other.test, 'GET', path)).status).toBe(404);
    expect((await gateway.asMerchant(account.test, 'GET', '/v1/deposits/nonsense/qr.svg')).status).toBe(404);
  });

  test('that has no code is not found', async () => {
    const without = await create('no code');
    const path = `/v1/deposits/${without}/qr.png`;
    expect((await gateway.asMerchant(account.test, 'GET', path)).body.error.code).toBe('NOT_FOUND');
  });

  test.each<[string, () => string, string]>([
    ['nothing', () => '', 'AUTH_REQUIRED'],
    ['an empty token', () => '?token=', 'AUTH_INVALID'],
    ['a token whose time is up', () => `?token=${token(id, inSeconds(-1))}`, 'AUTH_INVALID'],
    [
      'the token of another deposit',
      () => `?token=${token('dep_01k9z3m4v6t8x0a2c4e6g8jk99', inSeconds(9))}`,
      'AUTH_INVALID',
    ],
    ['a token of another key', () => `?token=${token(id, inSeconds(9), Buffer.alloc(32, 8))}`, 'AUTH_INVALID'],
    [
      'a token with another expiry',
      () => `?token=${token(id, inSeconds(9)).replace(/\.\d+\./, '.9999999999.')}`,
      'AUTH_INVALID',
    ],
    ['two tokens', () => `?token=${token(id, inSeconds(9))}&token=x`, 'AUTH_REQUIRED'],
  ])('is not shown to whoever has %s', async (_case, query, code) => {
    const response = await fetchPicture('svg', query());
    const body = (await response.json()) as { error: { code: string } };
    expect([response.status, body.error.code]).toEqual([401, code]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('with a token that is no token at all is a 400 that names it', async () => {
    const response = await fetchPicture('svg', `?token=${'x'.repeat(257)}`);
    const body = (await response.json()) as { error: { details: { path: string }[] } };
    expect([response.status, body.error.details[0]?.path]).toEqual([400, 'token']);
  });
});

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

function pixelsOf(edge: number, isBlack: (x: number, y: number) => boolean): Pixels {
  const data = new Uint8Array(edge * edge * 4).fill(255);
  for (let pixel = 0; pixel < edge * edge; pixel += 1) {
    if (isBlack(pixel % edge, Math.floor(pixel / edge))) data.fill(0, pixel * 4, pixel * 4 + 3);
  }
  return { width: edge, height: edge, data };
}

/** One bit per pixel, in one block of data. */
function pixelsOfPng(png: Buffer): Pixels {
  const edge = png.readUInt32BE(16);
  const at = png.indexOf('IDAT', 0, 'latin1');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const rowBytes = 1 + Math.ceil(edge / 8);
  return pixelsOf(edge, (x, y) => ((rows[y * rowBytes + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0);
}

function pixelsOfSvg(svg: string): Pixels {
  const scale = 4;
  const edge = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const black = new Set<string>();
  const runs = /fill="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? '';
  for (const [, x, y, length] of runs.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let step = 0; step < Number(length); step += 1) black.add(`${Number(x) + step},${y}`);
  }
  return pixelsOf(edge * scale, (x, y) => black.has(`${Math.floor(x / scale)},${Math.floor(y / scale)}`));
}
