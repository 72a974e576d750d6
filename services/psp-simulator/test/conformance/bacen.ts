import published from './bacen-pix-api-2.9.0.json' with { type: 'json' };
import type { Description, JsonSchema, Operation, Repair } from './description.ts';

/** A repair of a schema, made in place; what it was has to be there still, or the repair is no longer needed. */
interface SchemaRepair extends Repair {
  readonly at: readonly string[];
  readonly is: unknown;
  readonly becomes: unknown;
}

const cpf = String.raw`/^\d{11}$/`;
const plainCpf = String.raw`^\d{11}$`;

export const schemaRepairs: readonly SchemaRepair[] = [
  {
    where: 'PixConsultados',
    fault: 'requires `cobs`, which it does not have, so that no list of payments could be right',
    repaired: 'not required',
    at: ['PixConsultados', 'required'],
    is: ['parametros', 'cobs'],
    becomes: ['parametros'],
  },
  {
    where: 'WebhookCompleto',
    fault: 'requires `cnpj` and has no `chave`; its example is the other way round',
    repaired: 'as in the example',
    at: ['WebhookCompleto'],
    is: published.schemas.WebhookCompleto,
    becomes: {
      type: 'object',
      required: ['webhookUrl', 'chave', 'criacao'],
      properties: {
        webhookUrl: { type: 'string', format: 'uri' },
        chave: { type: 'string', maxLength: 77 },
        criacao: { type: 'string', format: 'date-time' },
      },
    },
  },
  {
    where: 'CobGerada.loc',
    fault: 'requires `txid`, which a location does not have',
    repaired: 'not required',
    at: ['CobGerada', 'allOf', '2', 'properties', 'loc', 'required'],
    is: ['id', 'txid', 'tipoCob', 'criacao'],
    becomes: ['id', 'tipoCob', 'criacao'],
  },
  ...['PessoaFisica', 'ParametrosConsultaPix'].map((name) => ({
    where: `${name}.cpf`,
    fault: 'the pattern is written between slashes, which no digits match',
    repaired: 'without them',
    at: [name, 'properties', 'cpf', 'pattern'],
    is: cpf,
    becomes: plainCpf,
  })),
  {
    where: 'CobGerada.location, PayloadLocation.location',
    fault: 'a URI; in every example an address without its scheme',
    repaired: 'a text',
    at: ['PayloadLocation', 'properties', 'location', 'format'],
    is: 'uri',
    becomes: undefined,
  },
  {
    where: 'CobGerada.location',
    fault: 'a URI; in every example an address without its scheme',
    repaired: 'a text',
    at: ['CobGerada', 'allOf', '3', 'properties', 'location', 'format'],
    is: 'uri',
    becomes: undefined,
  },
];

/** The examples go through the adapters as they are; these do not keep to the schemas beside them. */
const exampleRepairs: readonly Repair[] = [
  {
    where: 'examples of callbacks',
    fault: '`devolucoes` is an object in one, and the items stand in an `allOf`',
    repaired: 'an object is read as a list of one; the `allOf` is taken away',
  },
  {
    where: 'examples of payments',
    fault: 'end-to-end ids of 31 and 34 characters, where 32 are described',
    repaired: 'nothing: ids are opaque to the adapter',
  },
];

/** What a schema has besides where an institution adds to the standard. */
export interface Additions {
  readonly name: string;
  readonly members: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

/** The Pix API of Banco Central; with additions as an institution serves it. */
export function bacenDescription(additions?: Additions): Description {
  const schemas = structuredClone(published.schemas) as unknown as Record<string, JsonSchema>;
  for (const { at, becomes } of schemaRepairs) put(schemas, at, becomes);
  for (const [name, members] of Object.entries(additions?.members ?? {})) {
    const schema = schemas[name] ?? {};
    schemas[name] = { ...schema, properties: { ...(schema['properties'] as object), ...members } };
  }
  return {
    name: additions ? `${published.source}, as ${additions.name} serves it` : published.source,
    base: '/v2',
    operations: published.operations as unknown as Operation[],
    notifications: published.notifications,
    schemas,
    repairs: [...schemaRepairs, ...exampleRepairs],
  };
}

/** What stands at a place of the published schemas. */
export function publishedAt(at: readonly string[]): unknown {
  return at.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], published.schemas);
}

/** The published examples of a body: `GET /pix 200`, `notification pix`. */
export function publishedExamples(of: keyof typeof published.examples): readonly unknown[] {
  return published.examples[of];
}

function put(schemas: object, at: readonly string[], value: unknown): void {
  const last = at.at(-1) ?? '';
  const parent = at
    .slice(0, -1)
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], schemas) as Record<string, unknown>;
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
}
