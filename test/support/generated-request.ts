import fc from 'fast-check';
import type { JsonSchema, Operation, Parameter } from './described-api.ts';

/** What is sent for one operation; the text of the body is sent as it is. */
export interface GeneratedRequest {
  readonly operation: Operation;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Values that exist, so that some requests meet records: ids by the prefix of their kind, and texts by member name. */
export interface KnownValues {
  readonly ids: readonly string[];
  readonly members: Readonly<Record<string, readonly unknown[]>>;
}

/** What breaks careless code: no character, half of one, names every object has, numbers at and over the edge. */
const oddValues = [
  ...['', '\0', '\ud800', 'a\0b', '__proto__', 'constructor', '💸'.repeat(60), 'x'.repeat(3_000), "' or 1=1 --"],
  ...[0, -1, 1.5, 1e21, -0, Number.MAX_SAFE_INTEGER, 2 ** 31, 100_000_000_001, true, null, [], {}, [[]]],
  ...[{ toString: 1 }, { length: -1 }, '../../etc/passwd', '%00', '${7*7}', '2026-01-01T00:00:00Z'],
] as const;
const odd = fc.oneof(fc.constantFrom<unknown>(...oddValues), fc.jsonValue({ maxDepth: 3 }));

const unknownId = (prefix: string) => `${prefix}_01k9zzzzzzzzzzzzzzzzzzzzzz`;
const prefixes = ['dep', 'pyt', 'med', 'whk', 'dlv', 'led', 'acc', 'adj', 'dlq', 'rec'];

/** Requests for an operation: about half of the bodies as described, the others with something wrong. */
export function requestsFor(operation: Operation, known: KnownValues): fc.Arbitrary<GeneratedRequest> {
  const path = pathOf(operation, known);
  const headers = fc.oneof(
    { arbitrary: fc.constant({}), weight: 12 },
    { arbitrary: fc.constantFrom(...oddHeaders), weight: 1 },
  );
  const { body: schema } = operation;
  const body = schema ? bodyOf(schema, known) : fc.constant(undefined);
  return fc.record({ operation: fc.constant(operation), path, body, headers });
}

const oddHeaders: Readonly<Record<string, string>>[] = [
  { 'x-api-version': '0.1' },
  { 'x-api-version': '7' },
  { 'x-request-id': 'x'.repeat(300) },
  { accept: 'text/csv' },
  { accept: 'application/xml' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' },
  { 'accept-encoding': 'gzip, br' },
];

function bodyOf(schema: JsonSchema, known: KnownValues): fc.Arbitrary<string | undefined> {
  const valid = valueOf(schema, known);
  const spoilt = fc.tuple(valid, fc.nat(), odd).map(([value, place, wrong]) => spoil(value, place, wrong));
  const texts = ['', '{', 'null', '[]', '"text"', '{"a":1}}', '{"__proto__":{"a":1}}', '['.repeat(5_000), '1e999'];
  return fc.oneof(
    { arbitrary: valid.map((value) => JSON.stringify(value)), weight: 6 },
    { arbitrary: spoilt.map((value) => JSON.stringify(value)), weight: 5 },
    { arbitrary: fc.constantFrom(...texts, undefined), weight: 1 },
  );
}

/** Puts something wrong in the place of one member, or takes the member away. */
function spoil(value: unknown, place: number, wrong: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
  const names = Object.keys(value);
  const name = names[place % names.length];
  if (name === undefined) return wrong;
  const member = (value as Record<string, unknown>)[name];
  if (typeof member === 'object' && member !== null && place % 3 === 0) {
    return { ...value, [name]: spoil(member, Math.floor(place / 3), wrong) };
  }
  const others = Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
  return place % 4 === 0 ? others : { ...others, [name]: wrong };
}

function pathOf({ path, parameters }: Operation, known: KnownValues): fc.Arbitrary<string> {
  const ids = fc.oneof(
    { arbitrary: fc.constantFrom(...known.ids), weight: 6 },
    { arbitrary: fc.constantFrom(...prefixes.map(unknownId)), weight: 1 },
    { arbitrary: fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }).map(encoded), weight: 1 },
  );
  const places = path.match(/\{\w+\}/g) ?? [];
  const query = fc.record(
    Object.fromEntries(
      parameters.filter((each) => each.in === 'query').map((each) => [each.name, queryValue(each, known)]),
    ),
    { requiredKeys: [] },
  );
  return fc
    .tuple(fc.array(ids, { minLength: places.length, maxLength: places.length }), query)
    .map(([values, pairs]) => {
      const filled = places.reduce((text, place, nth) => text.replace(place, values[nth] ?? 'x'), path);
      const written = Object.entries(pairs).map(([name, value]) => `${name}=${encoded(String(value))}`);
      return written.length === 0 ? filled : `${filled}?${written.join('&')}`;
    });
}

function queryValue({ name, schema }: Parameter, known: KnownValues): fc.Arbitrary<unknown> {
  const strange = fc.constantFrom('', '0', '-1', '1.5', '201', '99999999999', '\0', 'x'.repeat(200), '1&limit=2', 'ç');
  const found = name === 'cursor' ? fc.constantFrom(...known.ids) : valueOf(schema, known, name);
  return fc.oneof({ arbitrary: found, weight: 4 }, { arbitrary: strange, weight: 1 });
}

/** Half a surrogate pair has no percent encoding; it is left out. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, '')) || 'x';
}

/** Values a schema allows, as far as these schemas go: a pattern is met by known values alone. */
function valueOf(schema: JsonSchema, known: KnownValues, name = ''): fc.Arbitrary<unknown> {
  const given = known.members[name];
  if (given && !schema.properties) {
    return fc.oneof(
      { arbitrary: fc.constantFrom(...given), weight: 4 },
      { arbitrary: plainValueOf(schema, known), weight: 1 },
    );
  }
  return plainValueOf(schema, known);
}

function plainValueOf(schema: JsonSchema, known: KnownValues): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map((option) => valueOf(option, known)));
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => valueOfType(type, schema, known)));
}

function valueOfType(type: string, schema: JsonSchema, known: KnownValues): fc.Arbitrary<unknown> {
  const { minimum, maximum, exclusiveMinimum, minLength = 0, maxLength = 40 } = schema;
  switch (type) {
    case 'integer':
      return fc.oneof(
        fc.integer({ min: minimum ?? (exclusiveMinimum ?? -1_001) + 1, max: Math.min(maximum ?? 5_000, 5_000) }),
        fc.constantFrom(minimum ?? 1, maximum ?? 1),
      );
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fc.string({ minLength, maxLength: Math.min(maxLength, Math.max(minLength, 60)), unit: 'grapheme' });
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, known), { maxLength: Math.min(schema.maxItems ?? 4, 4) });
    case 'object':
      return objectOf(schema, known);
    default:
      return fc.constant(null);
  }
}

function objectOf(schema: JsonSchema, known: KnownValues): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties } = schema;
  if (!properties && typeof additionalProperties === 'object') {
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), valueOf(additionalProperties, known), {
      maxKeys: 3,
    });
  }
  const members = Object.entries(properties ?? {}).map(
    ([name, member]) => [name, valueOf(member, known, name)] as const,
  );
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required] });
}
