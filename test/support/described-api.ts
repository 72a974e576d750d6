import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** As much of a JSON schema as the requests of this product are described with. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** `/v1/deposits/{id}` */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
}

export interface GivenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

interface DescribedResponse {
  readonly $ref?: string;
  readonly content?: object;
  readonly links?: Readonly<Record<string, { readonly parameters: Readonly<Record<string, string>> }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, { readonly content?: object }>> };
}

/** An API description, and whether answers keep to it. */
export class DescribedApi {
  readonly operations: readonly Operation[];
  readonly #description: Description;
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction | undefined>();

  constructor(written: Description) {
    const description = resolved(written, written) as Description;
    this.#description = description;
    formats.default(this.#ajv);
    this.#ajv.addSchema(description, 'api');
    this.operations = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody?.content['application/json']?.schema,
      })),
    );
  }

  static async read(url: string, path = '/openapi.json'): Promise<DescribedApi> {
    const response = await fetch(`${url}${path}`);
    return new DescribedApi((await response.json()) as Description);
  }

  /** The operation a call reaches. */
  operationOf(method: string, path: string): Operation {
    const [plain = ''] = path.split('?', 1);
    const reached = this.operations.filter((operation) => {
      const pattern = operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
      return operation.method === method && new RegExp(`^${pattern}$`).test(plain);
    });
    const [operation] = reached.sort((a, b) => a.path.split('{').length - b.path.split('{').length);
    if (!operation) throw new Error(`${method} ${path} is not described`);
    return operation;
  }

  /** What an answer has that its description does not allow; nothing when it keeps to it. */
  complaints({ method, path }: Operation, { status, headers, text }: GivenAnswer): string[] {
    const responses = this.#description.paths[path]?.[method.toLowerCase()]?.responses ?? {};
    const response = responses[String(status)];
    if (!response) return [`status ${status} is not described: ${text.slice(0, 200)}`];
    const reference = response.$ref?.replace('#/components/responses/', '');
    const { content } = reference === undefined ? response : (this.#description.components.responses[reference] ?? {});
    const missing = headers.has('x-request-id') ? [] : ['no X-Request-Id'];
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    if (!content) return text === '' ? missing : [...missing, `a body nobody described: ${text.slice(0, 200)}`];
    if (!(type in content)) return [...missing, `content type "${type}" is not described`];
    if (type !== 'application/json') return missing;
    const where = reference === undefined ? this.#pointer(path, method, status) : `components/responses/${reference}`;
    const mismatches = this.#mismatches(`${where}/content/application~1json/schema`, text);
    return [...missing, ...mismatches, ...withoutTarget(response, text)];
  }

  /** What the body of a webhook has that the description of its event does not allow. */
  complaintsAboutEvent(text: string): string[] {
    const { event } = JSON.parse(text) as { readonly event: string };
    return this.#mismatches(`webhooks/${event}/post/requestBody/content/application~1json/schema`, text);
  }

  #pointer(path: string, method: string, status: number): string {
    const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    return `paths/${escaped}/${method.toLowerCase()}/responses/${status}`;
  }

  #mismatches(pointer: string, text: string): string[] {
    if (!this.#validators.has(pointer)) this.#validators.set(pointer, this.#ajv.getSchema(`api#/${pointer}`));
    const validate = this.#validators.get(pointer);
    if (!validate) return [`no schema at ${pointer}`];
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  }
}

/** Links whose place in the answer holds no id. */
function withoutTarget({ links = {} }: DescribedResponse, text: string): string[] {
  return Object.entries(links).flatMap(([name, { parameters }]) => {
    const [, pointer = ''] = (parameters['id'] ?? '').split('#/');
    const target = memberAt(JSON.parse(text), pointer);
    return typeof target === 'string' ? [] : [`the link to ${name} finds no id at ${pointer}`];
  });
}

function memberAt(value: unknown, pointer: string): unknown {
  return pointer.split('/').reduce((each, name) => (each as Readonly<Record<string, unknown>>)[name], value);
}

/**
 * A description with its schemas in the places that refer to them. Answers may have members that are not described, for
 * clients are to ignore them; here they may not, so that none is forgotten.
 */
function resolved(value: unknown, whole: object): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, whole));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...others } = value as Readonly<Record<string, unknown>>;
  if (typeof $ref === 'string' && $ref.startsWith('#/components/schemas/')) {
    return resolved({ ...(memberAt(whole, $ref.slice('#/'.length)) as object), ...others }, whole);
  }
  const members = Object.entries(value)
    .filter(([name]) => name !== 'examples')
    .map(([name, member]) => [name, resolved(member, whole)] as const);
  const object = Object.fromEntries(members);
  return 'properties' in object && !('additionalProperties' in object)
    ? { ...object, additionalProperties: false }
    : object;
}
