import type { ApiVersion } from '@gateway/contracts/values';
import type { Parameter } from '#src/description/apis.ts';
import type { ApiDocument } from '#src/description/document.ts';
import type { DescribedOperation } from '#src/description/operation.ts';
import type { JsonSchema } from '#src/description/schemas.ts';

/** The first folder, in which each call needs what the one before it made, and the status that it is answered with. */
const journey = [
  ['createDeposit', 201],
  ['simulateDepositPayment', 200],
  ['getDeposit', 200],
  ['createRefund', 201],
  ['getRefund', 200],
  ['listRefunds', 200],
] as const;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly described: DescribedOperation;
}

/** Every call of a contract as a collection (schema 2.1.0) for Postman, and for what reads its collections. */
export function collectionOf(contract: ApiVersion, document: ApiDocument): object {
  const operations = operationsOf(document);
  const ids = new Set(operations.flatMap(({ path }) => variablesOf(path)).map(([, name]) => name));
  const keys = ['base_url', 'public_key', 'secret_key'];
  return {
    info: {
      name: `Payment gateway, contract ${contract}`,
      description: `${document.info.description}\n\nSet \`base_url\`, \`public_key\` and \`secret_key\`. The id of each record that a call answers with is kept for the calls that name one.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'basic',
      basic: [
        { key: 'username', value: '{{public_key}}', type: 'string' },
        { key: 'password', value: '{{secret_key}}', type: 'string' },
      ],
    },
    event: [scriptOf(afterEachCall)],
    variable: [
      ...keys.map((key) => ({ key, value: key === 'base_url' ? document.servers[0]?.url : '' })),
      ...[...ids].sort().map((key) => ({ key, value: '' })),
    ],
    item: [
      { name: 'From deposit to refund', item: journey.map((step) => stepOf(contract, operations, step)) },
      ...document.tags.map(({ name, description }) => ({
        ...{ name, description },
        item: operations
          .filter((operation) => operation.described.tags.includes(name))
          // What is taken away is taken away last.
          .sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
          .map((operation) => requestOf(contract, operation)),
      })),
    ].filter(({ item }) => item.length > 0),
  };
}

/** The answer's record may be a member of it. `deposit_id` is that of the deposit that was answered with last. */
const afterEachCall = [
  "pm.test('is authenticated', () => pm.expect(pm.response.code).to.not.equal(401));",
  "const isJson = (pm.response.headers.get('content-type') ?? '').startsWith('application/json');",
  'if (isJson && pm.response.code < 300) {',
  '  const answer = pm.response.json();',
  "  const record = [answer, ...Object.values(answer)].find((each) => typeof each?.id === 'string' && each.object);",
  '  if (record) pm.collectionVariables.set(`${record.object.replace(/^.*_/, "")}_id`, record.id);',
  '}',
];

function stepOf(
  contract: ApiVersion,
  operations: readonly Operation[],
  [id, status]: (typeof journey)[number],
): object {
  const operation = operations.find(({ described }) => described.operationId === id);
  if (!operation) throw new Error(`contract ${contract} has no operation ${id}`);
  const check = `pm.test('is answered with ${status}', () => pm.response.to.have.status(${status}));`;
  return { ...requestOf(contract, operation), event: [scriptOf([check])] };
}

function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  );
}

function requestOf(contract: ApiVersion, { method, path, described }: Operation): object {
  const segments = path.split('/').slice(1);
  const body = bodyOf(described);
  return {
    name: described.summary,
    request: {
      method,
      header: [
        { key: 'X-Api-Version', value: contract },
        ...(body?.mode === 'raw' ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ],
      url: {
        raw: `{{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{base_url}}'],
        path: segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1')),
        query: described.parameters.filter(({ in: place }) => place === 'query').map(queryOf),
        variable: variablesOf(path).map(([key, name]) => ({ key, value: `{{${name}}}` })),
      },
      ...(body && { body }),
      description: described.description,
    },
  };
}

/** A stream ends where it has caught up, as a request in Postman does; everything else is left out until it is chosen. */
function queryOf({ name, schema, description }: Parameter): object {
  if (name === 'follow') return { key: name, value: 'false', description };
  const { examples = [], default: usual = '' } = schema as JsonSchema;
  const given = examples[0] ?? usual;
  const value = typeof given === 'string' ? given : JSON.stringify(given);
  return { key: name, value, description, disabled: true };
}

/** Each variable of a path and the id that it is: `{id}` of `/v1/deposits/{id}` is `deposit_id`. */
function variablesOf(path: string): readonly (readonly [key: string, name: string])[] {
  return [...path.matchAll(/([^/]+)\/\{(\w+)\}/g)].map(([, noun = '', key = '']) => {
    const one = noun === 'deliveries' ? 'delivery' : noun.replace(/s$/, '');
    return [key, `${one.replaceAll('-', '_')}_id`] as const;
  });
}

/** The example of the description; ids of records and of repetition are those of this run. */
function bodyOf({ operationId, requestBody }: DescribedOperation) {
  if (!requestBody) return undefined;
  const { 'multipart/form-data': form, 'application/json': json } = requestBody.content;
  if (form) return { mode: 'formdata', formdata: [{ key: 'file', type: 'file', src: [] }] };
  const [example] = Object.values(json?.examples ?? {});
  if (!example) throw new Error(`the description has no example of the body of ${operationId}`);
  const value = Object.fromEntries(
    Object.entries(example.value as Readonly<Record<string, unknown>>).map(([name, given]) => {
      if (name === 'external_id') return [name, '{{$guid}}'];
      return [name, typeof given === 'string' && /^[a-z]{3}_[0-9a-z]{26}$/.test(given) ? `{{${name}}}` : given];
    }),
  );
  const raw = JSON.stringify(value, null, 2);
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

function scriptOf(exec: readonly string[]): object {
  return { listen: 'test', script: { type: 'text/javascript', exec } };
}
