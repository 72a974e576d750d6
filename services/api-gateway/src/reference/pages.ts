import { errorTable, type ErrorCode } from '@gateway/contracts/errors';
import { deliveryErrorTable } from '@gateway/contracts/webhooks';
import type { ApiDocument } from '#src/description/document.ts';
import { type Html, markup, nothing } from '#src/pages/html.ts';
import type { GuideLink } from '#src/reference/guides.ts';
import {
  inline,
  type Link,
  prose,
  type ReferenceFrame,
  referenceDocument,
  type ReferencePage,
} from '#src/reference/layout.ts';
import {
  code,
  errorList,
  membersOf,
  operationArticle,
  type ReferenceContext,
  type SdkExamples,
  typeOf,
} from '#src/reference/operations.ts';
import { sectionsOf } from '#src/reference/sections.ts';

export interface Reference {
  /** Where its pages are: `/docs`. */
  readonly base: string;
  readonly document: ApiDocument;
  /** Where the document is for tools: `/openapi.json`. */
  readonly source: string;
  /** The same calls as a collection for Postman: `/postman.json`; undefined where there is none. */
  readonly collection?: string | undefined;
  /** The other descriptions of the same listener. */
  readonly others: readonly Link[];
  readonly credentials: readonly string[];
  /** The calls by the SDKs. */
  readonly examples: SdkExamples;
  /** What to read before the operations. */
  readonly guides: readonly GuideLink[];
  /** Pages that are not about operations, which this reference serves. */
  readonly pages: readonly ReferencePage[];
  /** Pages of another reference that its search finds too. */
  readonly foundElsewhere: readonly ReferencePage[];
  /** The first calls to make, in order: `operationId` and what it is for. */
  readonly steps: readonly (readonly [operation: string, why: string])[];
}

/** The pages of a description by their paths, each a whole document. */
export function renderReference(reference: Reference): Map<string, string> {
  const { base, document, source, collection, others } = reference;
  const forms: readonly Link[] = [
    { href: source, label: 'OpenAPI document' },
    ...(collection === undefined ? [] : [{ href: collection, label: 'Postman collection' }]),
    { href: '/llms.txt', label: 'Markdown' },
  ];
  const frame: ReferenceFrame = {
    product: { href: base, label: document.info.title },
    others: [...others, ...forms],
    index: indexPathOf(base),
    groups: [
      ...(reference.guides.length === 0 ? [] : [{ heading: 'Guides', links: reference.guides }]),
      ...document['x-tagGroups'].map(({ name, tags }) => {
        return { heading: name, links: tags.map((tag) => ({ href: pathOf(base, tag), label: tag })) };
      }),
      {
        heading: 'Reference',
        links: [
          { href: `${base}/errors`, label: 'Errors' },
          { href: `${base}/schemas`, label: 'Schemas' },
        ],
      },
    ],
  };
  return new Map(pagesOf(reference).map((page) => [page.path, referenceDocument(frame, page)]));
}

/** The pages of a description in the order in which they are read, without the frame around them. */
export function pagesOf(reference: Reference): ReferencePage[] {
  const { base, document, credentials, examples } = reference;
  const context: ReferenceContext = { base, schemas: document.components.schemas, credentials, examples };
  return [
    indexPage(reference),
    ...reference.pages,
    ...document.tags.map((tag) => tagPage(reference, tag, context)),
    errorsPage(base),
    schemasPage(reference, context),
  ];
}

/** Where the sections are that the search finds, and they themselves. */
export function renderIndex(reference: Reference): readonly [path: string, text: string] {
  const sections = sectionsOf([...pagesOf(reference), ...reference.foundElsewhere]);
  return [indexPathOf(reference.base), JSON.stringify(sections)];
}

function indexPathOf(base: string): string {
  return `${base}/search.json`;
}

/** `/docs/webhook-events` */
function pathOf(base: string, tag: string): string {
  return `${base}/${tag.replaceAll(' ', '-')}`;
}

interface Call {
  readonly method: string;
  readonly path: string;
}

function operationsOf({ paths, webhooks = {} }: ApiDocument, tag: string) {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const call: Call = { method: method.toUpperCase(), path };
      return { call, operation };
    }),
  );
  const events = Object.entries(webhooks).map(([event, { post }]) => {
    const call: Call = { method: 'EVENT', path: event };
    return { call, operation: post };
  });
  return [...calls, ...events].filter(({ operation }) => operation.tags.includes(tag));
}

function indexPage({ base, document, guides, steps }: Reference): ReferencePage {
  const places = document.tags.flatMap((tag) =>
    operationsOf(document, tag.name).map(({ operation: { operationId, summary } }) => {
      return [operationId, { href: `${pathOf(base, tag.name)}#${operationId}`, summary }] as const;
    }),
  );
  const placeOf = new Map(places);
  const first = steps.map(([operation, why]) => {
    const { href = base, summary = operation } = placeOf.get(operation) ?? {};
    return markup`<li><a href="${href}">${summary}</a>: ${inline(why)}</li>`;
  });
  const groups = document.tags.map(({ name, description }) => {
    const operations = operationsOf(document, name).map(({ call, operation }) => {
      const href = `${pathOf(base, name)}#${operation.operationId}`;
      return markup`<li><a href="${href}">${operation.summary}</a> <code>${call.method} ${call.path}</code></li>`;
    });
    return markup`<section><h2>${name}</h2><p>${inline(description)}</p><ul>${operations}</ul></section>`;
  });
  const read = guides.map(({ href, label, about }) => markup`<li><a href="${href}">${label}</a>: ${about}</li>`);
  const reading = read.length === 0 ? nothing : markup`<h2>Guides</h2><ul>${read}</ul>`;
  const begin = first.length === 0 ? nothing : markup`<h2>Begin here</h2><ol>${first}</ol>`;
  return {
    path: base,
    title: document.info.title,
    body: markup`${prose(document.info.description)}${reading}${begin}${groups}`,
  };
}

function tagPage(
  { base, document }: Reference,
  { name, description }: ApiDocument['tags'][number],
  context: ReferenceContext,
): ReferencePage {
  const operations = operationsOf(document, name);
  const contents = operations.map(
    ({ operation }) => markup`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
  );
  const articles = operations.map(({ call, operation }) => operationArticle(call, operation, context));
  return {
    path: pathOf(base, name),
    title: name,
    body: markup`<p>${inline(description)}</p><ul>${contents}</ul>${articles}`,
  };
}

function errorsPage(base: string): ReferencePage {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const deliveries = Object.entries(deliveryErrorTable).map(
    ([error, { meaning, action }]) => markup`<dt><code>${error}</code></dt><dd>${inline(`${meaning} ${action}`)}</dd>`,
  );
  const example = { error: { code: 'VALIDATION_ERROR', message: '…', details: [], request_id: 'req_…' } };
  return {
    path: `${base}/errors`,
    title: 'Errors',
    body: markup`<p>Every answer that is not 2xx has this body. Act upon <code>code</code>; the words of <code>message</code> may change.</p>
${code(JSON.stringify(example, null, 2))}${errorList(codes)}
<h2 id="deliveries">Deliveries</h2><p>The <code>error</code> of a delivery, of one of its calls, or of a test of a webhook says why it has not arrived.</p>
<dl>${deliveries}</dl>`,
  };
}

function schemasPage({ base, document }: Reference, context: ReferenceContext): ReferencePage {
  const articles = Object.entries(document.components.schemas).map(([name, schema]): Html => {
    const { properties, description = '' } = schema;
    const type = properties ? markup`` : markup`<p>${typeOf(schema, context)}</p>`;
    return markup`<article id="${name}"><h2>${name}</h2>${prose(description)}${type}${membersOf(schema, context)}</article>`;
  });
  return { path: `${base}/schemas`, title: 'Schemas', body: markup`${articles}` };
}
