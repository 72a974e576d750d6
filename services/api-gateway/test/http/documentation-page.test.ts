import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describeApi } from '#src/http/api-description.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { merchantApi } from '#src/http/described-apis.ts';
import { startGateway, type GatewayUnderTest } from '../harness/start-gateway.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => gateway[Symbol.asyncDispose]());

test.each(['/docs', '/docs/'])('%s shows the description with assets of this server alone', async (path) => {
  const page = await gateway.call('GET', path);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toContain('text/html');
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, url]) => new URL(url!, gateway.baseUrl + path),
  );
  expect(assets.length).toBeGreaterThan(3);
  for (const asset of assets) {
    expect(asset.origin).toBe(gateway.baseUrl);
    expect((await gateway.call('GET', asset.pathname)).status).toBe(200);
  }
});

test('the page may run its own scripts and no others, and be framed by nobody', async () => {
  const policy = (await gateway.call('GET', '/docs')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  const elsewhere = (await gateway.call('GET', '/openapi.json')).headers.get('content-security-policy');
  expect(elsewhere).toBe("default-src 'none'; frame-ancestors 'none'");
});

test('the description is written once: whoever has it already is not sent it again', async () => {
  const app = fastify();
  describeApi(app, { api: merchantApi, endpoints: merchantRoutes, url: 'https://pay.example' });
  await app.ready();
  const written = vi.spyOn(app, 'swagger');
  const first = await app.inject({ url: '/openapi.json' });
  const again = await app.inject({ url: '/openapi.json' });
  const unchanged = await app.inject({
    url: '/openapi.json',
    headers: { 'if-none-match': String(first.headers.etag) },
  });
  expect([first.statusCode, again.body, unchanged.statusCode]).toEqual([200, first.body, 304]);
  expect(unchanged.body).toBe('');
  expect(written).toHaveBeenCalledTimes(1);
  await app.close();
});

test('the page reads the same description as /openapi.json', async () => {
  const [shown, described] = [await gateway.call('GET', '/docs/json'), await gateway.call('GET', '/openapi.json')];
  expect(shown.status).toBe(200);
  expect(shown.body).toEqual(described.body);
});
