import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../checks/repository.ts';
import { methodOf } from './python-sdk/methods.ts';
import { pythonName } from './python-sdk/text.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly required?: boolean }[];
  readonly responses: Readonly<Record<string, object>>;
  readonly requestBody?: {
    readonly content: {
      readonly 'multipart/form-data'?: object;
      readonly 'application/json'?: { readonly examples?: Readonly<Record<string, { readonly value: Json }>> };
    };
  };
}

/** A call of an operation in the languages of the SDKs; `gateway` is the client. */
interface Example {
  readonly ts: string;
  readonly py: string;
}

const contracts = ['0.1', '1.0'];
const widthMax = 80;

/** Prefixes of ids by the part of a path that names their records. */
const prefixes: Readonly<Record<string, string>> = {
  deposits: 'dep',
  refunds: 'rfd',
  payouts: 'pyt',
  disputes: 'med',
  transactions: 'led',
  adjustments: 'adj',
  quotes: 'qte',
  conversions: 'cnv',
  exports: 'exp',
  webhooks: 'whk',
  deliveries: 'dlv',
  events: 'evt',
  files: 'fil',
  requests: 'req',
};
const restOfId = '01m7xz7fck08jkpx4yq3yk6r6a';

/** Values of parameters that have to be given. */
const asked: Readonly<Record<string, Json>> = { from: 1, data_id: `dep_${restOfId}` };

/** What the gateway's reference shows beside each operation, by contract and `operationId`. */
export const operationExamples: Readonly<Record<string, () => Promise<string>>> = {
  'services/api-gateway/src/reference/assets/examples.json': async () => {
    const all = await Promise.all(contracts.map(async (contract) => [contract, await examplesOf(contract)] as const));
    return `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`;
  },
};

async function examplesOf(contract: string): Promise<Readonly<Record<string, Example>>> {
  const text = await readFile(join(repositoryRoot, `docs/api/openapi-${contract}.json`), 'utf8');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => [operation.operationId, exampleOf(path, operation)] as const),
  );
  return Object.fromEntries(operations);
}

function exampleOf(path: string, { operationId, parameters = [], requestBody, responses }: Operation): Example {
  const { at, hasPages } = methodOf(operationId);
  if (requestBody?.content['multipart/form-data']) return formExample(at);
  const ids = idsOf(path);
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
  const query = Object.fromEntries(required.map(({ name = '' }) => [name, asked[name] ?? '']));
  const [sent] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const given = { ...query, ...((sent?.value ?? {}) as Readonly<Record<string, Json>>) };
  const call = at.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const args = [...ids.map(typescriptOf), ...(Object.keys(given).length === 0 ? [] : [typescriptOf(given)])];
  const answer = '204' in responses ? '' : 'answer = ';
  const isList = /[.](?:list|stream)$/.test(at) || hasPages === true;
  return {
    ts: isList
      ? `for await (const each of gateway.${call}(${args.join(', ')})) console.log(each.${idOf(operationId)});`
      : `${answer && `const ${answer}`}await gateway.${call}(${args.join(', ')});`,
    py: isList
      ? `for each in gateway.${at}(${argumentsOf(ids, given)}):\n    print(each.${idOf(operationId)})`
      : `${answer}gateway.${at}(${argumentsOf(ids, given)})`,
  };
}

/** Of a form with one file, whose content the reader has. */
function formExample(at: string): Example {
  return {
    ts: [
      "import { readFile } from 'node:fs/promises';",
      '',
      `const answer = await gateway.${at}({ file: await readFile('receipt.pdf'), name: 'receipt.pdf' });`,
    ].join('\n'),
    py: `answer = gateway.${at}(file=open("receipt.pdf", "rb").read(), name="receipt.pdf")`,
  };
}

/** What a record of the list is known by. */
function idOf(operationId: string): string {
  return operationId === 'listProofKeys' ? 'key' : 'id';
}

/** An id for each that the path has. */
function idsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.flatMap((part, index) =>
    part.startsWith('{') ? [`${prefixes[parts[index - 1] ?? ''] ?? ''}_${restOfId}`] : [],
  );
}

function typescriptOf(value: Json): string {
  const short = writtenInTypeScript(value, ' ', ' ');
  return short.length <= widthMax ? short : writtenInTypeScript(value, '\n  ', ',\n');
}

function writtenInTypeScript(value: Json, indent: string, end: string): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((each: Json) => writtenInTypeScript(each, ' ', ' ')).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]: [string, Json]) => {
    return `${/^\w+$/.test(name) ? name : `'${name}'`}: ${writtenInTypeScript(member, ' ', ' ')}`;
  });
  return members.length === 0 ? '{}' : `{${indent}${members.join(`,${indent}`)}${end}}`;
}

/** Ids by their place, everything else by name. */
function argumentsOf(ids: readonly string[], given: Readonly<Record<string, Json>>): string {
  const named = Object.entries(given).map(([name, value]) => `${pythonName(name)}=${pythonOf(value)}`);
  const args = [...ids.map((id) => pythonOf(id)), ...named];
  const short = args.join(', ');
  return short.length <= widthMax ? short : `\n    ${args.join(',\n    ')},\n`;
}

function pythonOf(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]: [string, Json]) => `"${name}": ${pythonOf(member)}`);
  return `{${members.join(', ')}}`;
}
