import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DescribedApi } from '../support/described-api.ts';

/** What is asked of a description here; of a schema, what says what it is. */
interface Described {
  readonly description?: string;
  readonly $ref?: string;
}
interface Answer {
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, { value: unknown }>> }>>;
}
interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, Described & { readonly responses: Readonly<Record<string, Answer>> }>>>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Described & { properties?: Readonly<Record<string, Described>> }>>;
  };
}

/** Fewer characters say nothing. */
const shortest = 12;

describe.each(['openapi-0.1', 'openapi-1.0', 'connector', 'operators'])('the description %s', (name) => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/api', `${name}.json`), 'utf8');
  const description = JSON.parse(text) as Description;
  const { schemas } = description.components;
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const says = ({ description: own, $ref }: Described) => {
    const named = schemas[$ref?.split('/').at(-1) ?? ''];
    return (own ?? named?.description ?? '').length >= shortest;
  };

  test('says of every member and every operation what it is', () => {
    const members = Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties).map(([member, value]) => [`${schema}.${member}`, value] as const),
    );
    const silent = members.filter(([, value]) => !says(value)).map(([member]) => member);
    const silentOperations = operations.filter(({ operation }) => !says(operation)).map(({ path }) => path);
    const [described, acting] = [members.length - silent.length, operations.length - silentOperations.length];
    console.log(`${name}: ${described} of ${members.length} members are described`);
    console.log(`${name}: ${acting} of ${operations.length} operations are described`);
    expect([...silent, ...silentOperations]).toEqual([]);
  });

  test('shows of every success what is answered, in examples that its schema takes', () => {
    const api = new DescribedApi(JSON.parse(text));
    const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': 'req_1' });
    const successes = operations.flatMap(({ method, path, operation }) =>
      Object.entries(operation.responses)
        .filter(([status, { content }]) => status.startsWith('2') && content?.['application/json'])
        .map(([status, { content }]) => {
          const examples = Object.values(content?.['application/json']?.examples ?? {});
          const complaints = examples.flatMap(({ value }) => {
            const answer = { status: Number(status), headers, text: JSON.stringify(value) };
            return api.complaints(api.operationOf(method, path), answer);
          });
          return { what: `${method} ${path} ${status}`, shown: examples.length, complaints };
        }),
    );
    const right = successes.filter(({ shown, complaints }) => shown > 0 && complaints.length === 0);
    console.log(`${name}: ${right.length} of ${successes.length} successes have examples, all of which fit`);
    expect(successes.filter((each) => !right.includes(each))).toEqual([]);
    expect(right.length).toBeGreaterThan(0);
  });
});
