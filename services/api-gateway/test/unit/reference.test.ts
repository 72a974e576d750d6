import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deliveryErrorTable } from '@gateway/contracts/webhooks';
import { merchantApi, operatorApi } from '#src/description/apis.ts';
import { connectorApi, connectorEndpoints } from '#src/description/connector.ts';
import { describe as documentOf } from '#src/description/document.ts';
import { pictureEndpoints } from '#src/merchant/deposit-pictures.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { operatorRoutes } from '#src/operator/routes.ts';
import { inline, referencePolicy } from '#src/reference/layout.ts';
import { typeOf } from '#src/reference/operations.ts';
import { pageScripts, searchLibrary } from '#src/reference/page-scripts.ts';
import { renderIndex, renderReference } from '#src/reference/pages.ts';
import { connectorReference, merchantReference, operatorReference } from '#src/reference/references.ts';
import type { Section } from '#src/reference/sections.ts';
import { markdownOf } from '#src/reference/markdown.ts';
import { renderTexts } from '#src/reference/texts.ts';

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
        if (page?.endsWith('.json') || page?.startsWith('https:') || page === '/llms.txt') continue;
        const target = page === '' ? html : known.get(page ?? '');
        expect(target, `${path} → ${href}`).toBeDefined();
        if (anchor) expect(idsOf(target ?? ''), `${path} → ${href}`).toContain(anchor);
      }
    }
  });

  test('load two scripts of their own, have nothing inline but a style, and fit a phone', () => {
    for (const html of pages.values()) {
      const scripts = [...html.matchAll(/<script type="module" src="(\/docs\/\w+-[0-9a-f]{16}\.js)"><\/script>/g)];
      expect(scripts.map(([, path]) => path)).toEqual(pageScripts.map(({ path }) => path));
      const rest = scripts.reduce((text, [script]) => text.replace(script, ''), html);
      expect(rest).not.toMatch(/<script|<img|<link|\son\w+=|style="/i);
      expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1" />');
      expect(html).toContain('<html lang="en">');
    }
  });

  test('begin with a page that is small', () => {
    expect(pages.get(reference.base)?.length).toBeLessThan(60_000);
  });
});

describe('what the search of the pages finds', () => {
  const indexOf = (reference: (typeof references)['connector']) => {
    const [path, text] = renderIndex(reference);
    return { path, sections: JSON.parse(text) as Section[] };
  };

  test.each(Object.entries(references))(
    'of %s is every heading and every operation of its pages, once',
    (name, each) => {
      const { path, sections } = indexOf(each);
      expect(path).toBe(`${each.base}/search.json`);
      const pages = new Map([...(name === 'operators' ? [] : publicPages), ...renderReference(each)]);
      const anchors = sections.map(({ href }) => href);
      expect(new Set(anchors).size).toBe(anchors.length);
      for (const href of anchors) {
        const [page = '', id] = href.split('#');
        expect(pages.get(page), href).toBeDefined();
        if (id !== undefined) expect(pages.get(page), href).toContain(` id="${id}"`);
      }
      for (const methods of Object.values(each.document.paths))
        for (const { operationId, summary, tags } of Object.values(methods)) {
          const href = `${each.base}/${tags[0]?.replaceAll(' ', '-')}#${operationId}`;
          const found = sections.find((section) => section.href === href);
          expect([found?.title, found?.operation], href).toEqual([summary, operationId]);
        }
    },
  );

  test('has the guides, in words as they are read, and what code of theirs names', () => {
    for (const name of ['contract 0.1', 'contract 1.0', 'connector'] as const) {
      const { sections } = indexOf(references[name]);
      const callbacks = sections.find(({ href }) => href === '/docs/guide/webhooks#callback-urls');
      expect(callbacks, name).toMatchObject({ title: 'Callback URLs', page: 'Webhooks' });
      expect(callbacks?.text).toContain('"callback_url":"http://127.0.0.1:4001/orders/2405"');
      expect(
        sections
          .filter(({ text }) => /<\/?(?:code|pre|p|a|dt|dd|li|strong|span)\b|&lt;|&quot;/.test(text))
          .map(({ href }) => href),
      ).toEqual([]);
    }
  });
});

test('a script is at another address as soon as it is another, and brings no other file', () => {
  for (const { path, text } of [...pageScripts, searchLibrary]) {
    const hash = createHash('sha256').update(text).digest('hex');
    expect(path).toMatch(new RegExp(`^/docs/[a-z]+-${hash.slice(0, 16)}\\.js$`));
    expect(text).not.toMatch(/^import |sourceMappingURL|innerHTML|insertAdjacentHTML|document\.write|\beval\(/m);
  }
  expect(searchLibrary.text).toContain('export { MiniSearch as default }');
});

test('every page leads to the description that it shows, and to its calls for Postman', () => {
  for (const [contract, ending] of [
    ['contract 0.1', ''],
    ['contract 1.0', '-1.0'],
  ] as const) {
    for (const [path, html] of renderReference(references[contract])) {
      expect(html, path).toContain(`<a href="/openapi${ending}.json">OpenAPI document</a>`);
      expect(html, path).toContain(`<a href="/postman${ending}.json">Postman collection</a>`);
    }
  }
  const versions = renderReference(references['contract 0.1']).get('/docs/guide/versions');
  for (const href of ['/postman.json', '/postman-1.0.json']) expect(versions).toContain(`<a href="${href}">`);
  expect([...renderReference(references.connector).values()].join('')).not.toContain('Postman collection');
});

test('the page of errors explains each word for a delivery that has not arrived', () => {
  const page = renderReference(references['contract 0.1']).get('/docs/errors') ?? '';
  for (const [error, { action }] of Object.entries(deliveryErrorTable)) {
    expect(page).toContain(`<dt><code>${error}</code></dt>`);
    expect(page).toContain(action.split('`')[0]);
  }
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
    ['/docs/guide/start', 'Five minutes from nothing to a paid deposit'],
    ['/docs/guide/webhooks', 'nodeWebhookListener'],
    ['/docs/guide/events', 'payout.returned'],
    ['/docs/guide/contract-changes', 'amount_received'],
    ['/docs/guide/connector', 'Moving over from another gateway'],
    ['/docs/guide/test-mode', 'timeout@sandbox.test'],
    ['/docs/guide/finance', 'The accounting statement'],
    ['/docs/guide/verifying-a-webhook', 'def is_from_gateway'],
    ['/docs/guide/simulator', '7000.01'],
    ['/docs/guide/sdk-typescript', 'verifyWebhook'],
    ['/docs/guide/sdk-python', 'AsyncWebhookHandler'],
    ['/docs/guide/cli', '--forward-to'],
    ['/docs/guide/cli-commands', 'gateway deposits cancel &lt;id&gt;'],
    ['/docs/guide/mcp', 'create_test_deposit'],
    ['/docs/guide/medusa', 'Medusa'],
    ['/docs/guide/console', 'Home in test mode'],
    ['/docs/guide/proof', 'checkpoint'],
  ] as const) {
    expect(pages.get(path), path).toContain(sentence);
  }
  const ofConnector = renderReference(references.connector).get('/compat/docs') ?? '';
  expect(ofConnector).toMatch(/<h2>Guides<\/h2><ul><li><a href="\/docs\/guide\/connector">/);
});

test('an operation is shown as a call by curl and by both SDKs, curl first', () => {
  for (const contract of ['contract 0.1', 'contract 1.0'] as const) {
    const pages = [...renderReference(references[contract]).values()].join('');
    for (const methods of Object.values(references[contract].document.paths)) {
      for (const { operationId } of Object.values(methods)) {
        const article = pages.split(`<article id="${operationId}">`)[1]?.split('</article>')[0] ?? '';
        const languages = [...article.matchAll(/<details(?: open)?><summary>(curl|TypeScript|Python)</g)];
        expect(
          languages.map(([, language]) => language),
          operationId,
        ).toEqual(['curl', 'TypeScript', 'Python']);
      }
    }
  }
});

test.each([
  [{ type: 'integer', exclusiveMinimum: 0, maximum: 1_000 }, 'integer, 1 to 1,000'],
  [{ type: 'integer', minimum: 0, maximum: 600 }, 'integer, at most 600'],
  [{ type: 'integer', minimum: 1 }, 'integer, at least 1'],
  [{ type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, 'integer'],
  [{ type: 'string', minLength: 1, maxLength: 120 }, 'string, 1 to 120 characters'],
  [{ type: 'string', maxLength: 64, default: 'UTC' }, 'string, at most 64 characters, &quot;UTC&quot; when left out'],
  [{ enum: ['asc', 'desc'], default: 'desc' }, '<code>asc</code> or <code>desc</code>, &quot;desc&quot; when left out'],
  [
    { type: 'array', items: { type: 'string', format: 'uri' }, maxItems: 10 },
    'list of string, uri, at most 10 of them',
  ],
  [{ anyOf: [{ type: 'integer', minimum: 60, maximum: 3_600 }, { type: 'null' }] }, 'integer, 60 to 3,600 or null'],
])('the type of %j is shown with its bounds, and with what stands for it when it is left out', (schema, shown) => {
  expect(typeOf(schema, { base: '/docs', schemas: {}, credentials: [], examples: {} }).text).toBe(shown);
});

test('the body of an operation is shown with the bounds of its members', () => {
  const page = renderReference(references['contract 0.1']).get('/docs/deposits') ?? '';
  for (const [member, type] of [
    ['amount_cents', 'integer, 1 to 100,000,000,000'],
    ['external_id', 'string, 1 to 120 characters'],
    ['expires_in_sec', 'integer, 60 to 2,592,000 or null, optional'],
  ])
    expect(page).toContain(`<dt><code>${member}</code> <span class="type">${type}</span></dt>`);
});

describe('the pages as Markdown', () => {
  const all = [references['contract 0.1'], references['contract 1.0'], references.connector];
  const texts = renderTexts(all);

  test('are all in llms.txt and, whole, in llms-full.txt', () => {
    const pages = all.flatMap((reference) => [...renderReference(reference).keys()]);
    expect(pages.length).toBeGreaterThan(60);
    for (const path of pages) {
      const text = texts.get(`${path}.md`) ?? '';
      expect(text, path).toMatch(/^# .+\n\n[\s\S]{20}/);
      expect(texts.get('/llms.txt'), path).toContain(`](${path}.md)`);
      expect(texts.get('/llms-full.txt'), path).toContain(text);
    }
    expect([...texts.keys()].sort()).toEqual(
      [...pages.map((path) => `${path}.md`), '/llms-full.txt', '/llms.txt'].sort(),
    );
  });

  test('lead to Markdown, keep code and tables, and hold no markup', () => {
    const start = texts.get('/docs/guide/start.md') ?? '';
    expect(start).toContain('](/docs/guide/payments.md)');
    expect(start).toContain("import { Gateway } from '@gateway/sdk';");
    expect(texts.get('/docs/guide/payouts.md')).toContain('| PAID | the recipient has the money | debited |');
    const page =
      '<p>a &lt;b&gt; <code>c</code></p><pre tabindex="0">&lt;p&gt;</pre><ul><li><a href="/x#y">z</a></li></ul>';
    expect(markdownOf(page, (href) => `!${href}`)).toBe('a <b> `c`\n\n```\n<p>\n```\n\n- [z](!/x#y)\n');
    expect(() => markdownOf('<video></video>', String)).toThrow('<video>');
  });
});

test('what a description holds is text, never markup', () => {
  expect(inline('a <b> `<i>` & "c"').text).toBe('a &lt;b&gt; <code>&lt;i&gt;</code> &amp; &quot;c&quot;');
  expect(referencePolicy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'self'; connect-src 'self'; base-uri 'none'/,
  );
  expect(referencePolicy).toMatch(/; require-trusted-types-for 'script'; trusted-types 'none'$/);
});
