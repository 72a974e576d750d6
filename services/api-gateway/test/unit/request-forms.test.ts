import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ValidationError } from '@gateway/contracts/errors';
import type { ApiVersion } from '@gateway/contracts/values';
import { isVersioned, type VersionedBody } from '@gateway/public-api';
import { operatorApi } from '#src/description/apis.ts';
import { describe as documentOf } from '#src/description/document.ts';
import type { JsonSchema } from '#src/description/schemas.ts';
import { checkForm, validate } from '#src/http/validate.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { operatorRoutes } from '#src/operator/routes.ts';

type Members = Readonly<Record<string, unknown>>;
type Body = z.ZodType | VersionedBody;
type Definitions = Readonly<Record<string, JsonSchema>>;

/** What a body is read as, or what is wrong with it. */
function read(body: Body, version: ApiVersion, value: unknown): unknown {
  if (isVersioned(body)) return complaintsOf(() => checkForm(body, value, version).value);
  const check = validate({ schema: body, httpPart: 'body', method: 'POST', url: '/' }) as (data: unknown) => {
    readonly value?: unknown;
    readonly error?: Error;
  };
  const { error, value: parsed } = check(value);
  return complaintsOf(() => {
    if (error) throw error;
    return parsed;
  });
}

function complaintsOf(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ValidationError) return error.details;
    throw error;
  }
}

/** The optional members of a body, and of the objects within it, with their paths. */
function optionalIn(schema: JsonSchema, definitions: Definitions, path: readonly string[] = []): string[][] {
  const name = schema.$ref?.split('/').at(-1);
  const { properties = {}, required = [], anyOf = [] } = definitions[name ?? ''] ?? schema;
  const here = Object.entries(properties).flatMap(([member, within]) => [
    ...(required.includes(member) ? [] : [[...path, member]]),
    ...optionalIn(within, definitions, [...path, member]),
  ]);
  return [...here, ...anyOf.flatMap((form) => optionalIn(form, definitions, path))];
}

/** The body with that member and all it is within, or without the member. */
function withMember(body: Members, [name = '', ...within]: readonly string[], value: unknown): Members {
  const { [name]: given, ...others } = body;
  if (within.length === 0) return value === undefined ? others : { ...others, [name]: value };
  return { ...others, [name]: withMember((given ?? {}) as Members, within, value) };
}

const bodies = [...merchantRoutes, ...operatorRoutes].flatMap(({ method, path, body, example }) => {
  if (!body) return [];
  const forms = isVersioned(body) ? (['0.1', '1.0'] as const) : (['0.1'] as const);
  return forms.map((version) => [`${method} ${path} (${version})`, { body, version, example }] as const);
});

/** Null says more than nothing: it takes away what there is. */
const withMeaning = [
  'document',
  'per_payout_cents',
  'per_day_cents',
  'team_approval_over_cents',
  'MXN',
  'rate_limit_per_second',
];

/** Has a default where it is left out; its handler has the same one for null. */
const readByHandler = ['timezone'];

describe('null for an optional member says what leaving it out says:', () => {
  test.each(bodies)('%s', (_what, { body, version, example = {} }) => {
    const schema = isVersioned(body) ? body[version] : body;
    const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    for (const path of optionalIn(described, (described['$defs'] ?? {}) as Definitions)) {
      const without = read(body, version, withMember(example as Members, path, undefined));
      const withNull = read(body, version, withMember(example as Members, path, null));
      if (Array.isArray(without)) expect(withNull, path.join('.')).toEqual(without);
      else expect(withNull, path.join('.')).not.toBeInstanceOf(Array);
      if ([...withMeaning, ...readByHandler].includes(path.at(-1) ?? '') || Array.isArray(without)) continue;
      expect(shown(withNull), path.join('.')).toEqual(shown(without));
    }
  });
});

test.each(bodies)('a list is no body, also where every member may be left out: %s', (_what, { body, version }) => {
  expect(read(body, version, [])).toMatchObject([{ path: 'body' }]);
});

/** A handler reads null and nothing alike where a schema lets null through to it. */
function shown(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_name, member: unknown) => (member === null ? undefined : member)) ?? 'null',
  );
}

test('every optional member of a body is described as one that may be null', () => {
  const { paths, components } = documentOf({
    api: operatorApi,
    endpoints: operatorRoutes,
    urls: ['https://pay.example'],
  });
  const asked = [...JSON.stringify(paths).matchAll(/"requestBody":.*?"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(asked.length).toBeGreaterThan(30);
  for (const [, name = ''] of asked) {
    const { properties = {}, required = [] } = components.schemas[name] ?? {};
    for (const [member, schema] of Object.entries(properties)) {
      if (required.includes(member)) continue;
      expect([name, member, JSON.stringify(schema).includes('"null"')]).toEqual([name, member, true]);
    }
  }
});

test('every list of operators has the `next_cursor` of a page, also where it comes in one', () => {
  const { paths, components } = documentOf({
    api: operatorApi,
    endpoints: operatorRoutes,
    urls: ['https://pay.example'],
  });
  const lists = Object.values(paths).flatMap(({ get }) => (get?.operationId.startsWith('list') ? [get] : []));
  expect(lists.length).toBeGreaterThan(30);
  for (const { operationId, responses } of lists) {
    const name = responses['200']?.content?.['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
    const { properties = {}, required } = components.schemas[name] ?? {};
    if (!('data' in properties)) continue;
    expect([operationId, required?.includes('data'), required?.includes('next_cursor')]).toEqual([
      operationId,
      true,
      true,
    ]);
  }
});

/** Between sizes of a ledger, which are no times. */
const ofSizes = ['getConsistency', 'getProofConsistency'];

test('every period of a query takes a time or a date, and the zone of the latter', () => {
  for (const { operation, query } of [...merchantRoutes, ...operatorRoutes]) {
    if (!(query instanceof z.ZodObject) || !('from' in query.shape) || ofSizes.includes(operation)) continue;
    const given = { from: '2026-01-02', to: '2026-01-03T10:00:00-03:00', zone: 'UTC' };
    const { error } = query.safeParse(given);
    const paths = error?.issues.map(({ path }) => path.join('.')) ?? [];
    expect([operation, paths.filter((path) => path in given)]).toEqual([operation, []]);
  }
});
