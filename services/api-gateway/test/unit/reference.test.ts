import { describe, expect, test } from 'vitest';
import { merchantApi, operatorApi } from '#src/description/apis.ts';
import { connectorApi, connectorEndpoints } from '#src/description/connector.ts';
import { describe as documentOf } from '#src/description/document.ts';
import { pictureEndpoints } from '#src/merchant/deposit-pictures.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { operatorRoutes } from '#src/operator/routes.ts';
import { inline, referencePolicy } from '#src/reference/layout.ts';
import { renderReference } from '#src/reference/pages.ts';
import { connectorReference, merchantReference, operatorReference } from '#src/reference/references.ts';

const urls = ['https://pay.example'];
const endpoints = [...merchantRoutes, ...pictureEndpoints];
const references = {
  'contract 0.1': merchantReference('0.1', documentOf({ api: merchantApi('0.1'), endpoints, urls })),
  'contract 1.0': merchantReference('1.0', documentOf({ api: merchantApi('1.0'), endpoints, urls })),
  connector: connectorReference(documentOf({ api: connectorApi, endpoints: connectorEndpoints, urls })),
  operators: operatorReference(documentOf({ api: operatorApi, endpoints: operatorRoutes, urls })),
};
const publicPages = [references['contract 0.1'], references['contract 1.0'], references.connector]
  .map(renderReference)
  .flatMap((pages) => [...pages]);

describe.each(Object.entries(references))('the pages of %s', (name, reference) => {
  const pages = renderReference(reference);
  const known = new Map([...(name === 'operators' ? [] : publicPages), ...pages]);
  const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

  test('have each operation once', () => {
    const text = [...pages.values()].join('');
    for (const methods of Object.values(reference.document.paths)) {
      for (const { operationId } of Object.values(methods)) {
        expect(text.split(`<article id="${operationId}">`), operationId).toHaveLength(2);
      }
    }
  });

  test('lead nowhere that is not there', () => {
    for (const [path, html] of pages) {
      for (const [, href = ''] of html.matchAll(/href="([^"]+)"/g)) {
        const [page, anchor] = href.split('#');
        if (page?.endsWith('.json') || page?.startsWith('https:')) continue;
        const target = page === '' ? html : known.get(page ?? '');
        expect(target, `${path} → ${href}`).toBeDefined();
        if (anchor) expect(idsOf(target ?? ''), `${path} → ${href}`).toContain(anchor);
      }
    }
  });

  test('need no script, load nothing, and fit a phone', () => {
    for (const html of pages.values()) {
      expect(html).not.toMatch(/<script|<img|<link|\son\w+=|style="/i);
      expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1" />');
      expect(html).toContain('<html lang="en">');
    }
  });

  test('begin with a page that is small', () => {
    expect(pages.get(reference.base)?.length).toBeLessThan(60_000);
  });
});

test('merchants read of deposits first, and of how to begin', () => {
  const index = renderReference(references['contract 0.1']).get('/docs') ?? '';
  expect(index).toContain('Begin here');
  expect(index.indexOf('<h2>deposits</h2>')).toBeLessThan(index.indexOf('<h2>payouts</h2>'));
  expect(index).not.toContain('Fastify');
});

test('the guides come before the operations, in the order in which they are read, and are the pages of the repository', () => {
  const pages = renderReference(references['contract 0.1']);
  const index = pages.get('/docs') ?? '';
  const guides = [...pages.keys()].filter((path) => path.startsWith('/docs/guide/'));
  const places = [...guides.map((path) => index.indexOf(`<li><a href="${path}">`)), index.indexOf('Begin here')];
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  for (const [path, sentence] of [
    ['/docs/guide/merchant', 'From the first deposit to an integration that is ready for live money'],
    ['/docs/guide/connector', 'Moving over from another gateway'],
    ['/docs/guide/test-mode', 'timeout@sandbox.test'],
    ['/docs/guide/finance', 'The accounting statement'],
    ['/docs/guide/verifying-a-webhook', 'def is_from_gateway'],
    ['/docs/guide/simulator', '7000.01'],
  ] as const) {
    expect(pages.get(path), path).toContain(sentence);
  }
  const ofConnector = renderReference(references.connector).get('/compat/docs') ?? '';
  expect(ofConnector).toMatch(/<h2>Guides<\/h2><ul><li><a href="\/docs\/guide\/connector">/);
});

test('what a description holds is text, never markup', () => {
  expect(inline('a <b> `<i>` & "c"').text).toBe('a &lt;b&gt; <code>&lt;i&gt;</code> &amp; &quot;c&quot;');
  expect(referencePolicy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/);
});
