import { expect, test } from 'vitest';
import { parseDocument } from '@gateway/pix';
import { operatorApi } from '#src/description/apis.ts';
import { describe as describeApi } from '#src/description/document.ts';
import { operatorRoutes } from '#src/operator/routes.ts';
import { masked } from '#src/sessions/masked.ts';

interface Described {
  readonly properties?: Readonly<Record<string, { readonly examples?: readonly unknown[] }>>;
}

/** Every member of an object anywhere in the description of the operator API, with its first example. */
function* membersIn(node: unknown): Generator<readonly [string, unknown]> {
  if (typeof node !== 'object' || node === null) return;
  const { properties = {} } = node as Described;
  for (const [name, { examples }] of Object.entries(properties)) yield [name, examples?.[0]];
  for (const child of Object.values(node)) yield* membersIn(child);
}

test('no member of an answer whose example is a document is shown whole', () => {
  const { components } = describeApi({ api: operatorApi, endpoints: operatorRoutes, urls: ['/'] });
  const documents = [...membersIn(components)].filter(
    (member): member is readonly [string, string] => typeof member[1] === 'string' && parseDocument(member[1]).ok,
  );
  expect(documents.map(([name]) => name)).toContain('counterparty');
  const shown = documents.filter(([name, example]) => JSON.stringify(masked({ [name]: example })).includes(example));
  expect([...new Set(shown.map(([name]) => name))]).toEqual([]);
});

test('what was searched for is not shown whole by the trail of reads', () => {
  const search = { action: 'search', filter: { q: '52998224725', reveal: 'a payer asks' } };
  expect(masked(search)).toEqual({ action: 'search', filter: { q: '***25', reveal: 'a payer asks' } });
});
