import { errorBodySchema } from '@gateway/contracts/errors';
import { headerComponents, Refusals } from '#src/description/answers.ts';
import type { DescribedApi } from '#src/description/apis.ts';
import {
  type DescribedAnswer,
  type DescribedEndpoint,
  type DescribedOperation,
  describeOperation,
  tagOf,
} from '#src/description/operation.ts';
import { DocumentSchemas, type JsonSchema } from '#src/description/schemas.ts';
import { deliveryHeaders, describeWebhooks } from '#src/description/webhook-events.ts';

export interface DocumentOptions {
  readonly api: DescribedApi;
  readonly endpoints: readonly DescribedEndpoint[];
  /** The addresses of the server. */
  readonly urls: readonly string[];
}

export interface ApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: object;
    readonly license: object;
  };
  readonly externalDocs: object;
  readonly servers: readonly { readonly url: string; readonly variables?: object }[];
  readonly security: DescribedApi['security'];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: DescribedOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, DescribedAnswer>>;
    readonly headers: object;
    readonly parameters?: object;
    readonly securitySchemes: object;
  };
}

/** The OpenAPI description of one contract: what the rows of its tables say, and nothing besides (spec 9.1). */
export function describe({ api, endpoints, urls }: DocumentOptions): ApiDocument {
  const schemas = new DocumentSchemas();
  const refusals = new Refusals(api.error?.example);
  const paths: Record<string, Record<string, DescribedOperation>> = {};
  for (const endpoint of inOrderOfTags(api, endpoints)) {
    const path = (paths[endpoint.path.replace(/:(\w+)/g, '{$1}')] ??= {});
    path[endpoint.method.toLowerCase()] = describeOperation(endpoint, { api, schemas, refusals });
  }
  schemas.write(api.error?.schema ?? errorBodySchema, 'output');
  const webhooks = api.hasWebhooks ? { webhooks: describeWebhooks(api.contract, schemas) } : {};
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: api.version,
      description: api.description,
      contact: { name: 'The operator of this gateway' },
      // No licence has been granted yet.
      license: { name: 'Unlicensed', identifier: 'LicenseRef-Unlicensed' },
    },
    externalDocs: pagesOf(urls),
    servers: serversOf(urls),
    security: api.security,
    tags: api.tags.map(({ name, about }) => ({ name, description: about })),
    'x-tagGroups': tagGroupsOf(api),
    paths,
    ...webhooks,
    components: {
      schemas: withEventBodies(schemas.all()),
      responses: refusals.components(),
      headers: headerComponents(api.rateLimited),
      ...(api.hasWebhooks ? { parameters: Object.fromEntries(deliveryHeaders.map((each) => [each.name, each])) } : {}),
      securitySchemes: api.securitySchemes,
    },
  };
}

/** The addresses of this installation, and any other of the same product. */
function serversOf(urls: readonly string[]) {
  const base_url = { default: absolute(urls), description: 'The address of a gateway, without a slash at its end.' };
  return [
    ...urls.map((url) => ({ url })),
    { url: '{base_url}', description: 'Another gateway', variables: { base_url } },
  ];
}

/** An address without a host is that of the operators' listener, which is reached from inside alone. */
function absolute([url = '']: readonly string[]): string {
  return url.startsWith('http') ? url : 'http://127.0.0.1:9080';
}

/** The same as pages to read. */
function pagesOf(urls: readonly string[]) {
  return { description: 'The same as pages to read', url: new URL('/docs', absolute(urls)).href };
}

/** Operations in the order of the tags; within one, what makes a record, reads it, lists it, and what acts on it. */
function inOrderOfTags(api: DescribedApi, endpoints: readonly DescribedEndpoint[]): DescribedEndpoint[] {
  const tagNames = api.tags.map(({ name }) => name);
  const rank = (endpoint: DescribedEndpoint) => {
    const tag = tagNames.indexOf(tagOf(endpoint));
    const verb = ['create', 'get', 'list'].findIndex((each) => endpoint.operation.startsWith(each));
    const isPicture = endpoint.path.includes('/qr.');
    return tag * 100 + (isPicture ? 50 : verb === -1 ? 10 : verb);
  };
  return endpoints.toSorted((one, other) => rank(one) - rank(other));
}

function tagGroupsOf({ tags }: DescribedApi) {
  const headings = [...new Set(tags.map(({ heading }) => heading))];
  return headings.map((name) => {
    return { name, tags: tags.filter(({ heading }) => heading === name).map((tag) => tag.name) };
  });
}

/** The log of deliveries shows the bodies of events. */
function withEventBodies(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const body = schemas['DeliveryDetail']?.properties?.['request_body']?.anyOf?.find(({ type }) => type === 'string');
  if (body && schemas['WebhookEvent']) {
    body['contentMediaType'] = 'application/json';
    body['contentSchema'] = { $ref: '#/components/schemas/WebhookEvent' };
  }
  return schemas;
}
