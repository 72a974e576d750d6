import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../checks/repository.ts';

const changelog = 'docs/changelog.md';
const file = 'docs/api/changes.json';
const descriptions = ['openapi-0.1', 'openapi-1.0', 'connector', 'operators'];

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What an operation, an event or a record was when it was last written down, and how many lines named it then. */
interface Noted {
  readonly digest: string;
  readonly lines: number;
}
type Changes = Readonly<Record<string, Readonly<Record<string, Noted>>>>;

/** What a description has that a client can rely on: sentences and examples are not of it. */
const words: ReadonlySet<string> = new Set(['description', 'summary', 'example', 'examples', 'title', 'tags', 'links']);

/**
 * docs/api/changes.json: a digest of each operation, event and record of the descriptions. One that has changed, come or gone
 * needs a new line in docs/changelog.md that names it.
 */
export const apiChanges: Readonly<Record<string, () => Promise<string>>> = {
  [file]: async () => {
    checkPlanted();
    const read = (path: string) => readFile(join(repositoryRoot, path), 'utf8');
    const page = await read(changelog);
    const parts = await Promise.all(
      descriptions.map(
        async (name) => [name, partsOf(JSON.parse(await read(`docs/api/${name}.json`)) as Described)] as const,
      ),
    );
    const before = await read(file).then(
      (text) => JSON.parse(text) as Changes,
      () => undefined,
    );
    const { now, missing } = compared(Object.fromEntries(parts), page, before);
    if (missing.length > 0) throw new Error([`${changelog} has no line about`, ...missing].join('\n  '));
    return `${JSON.stringify(now, null, 1)}\n`;
  },
};

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly webhooks?: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Digests by name. */
function partsOf({ paths, webhooks = {}, components }: Described): Readonly<Record<string, string>> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      return [operation.operationId, digestOf({ path, method, ...operation })] as const;
    }),
  );
  const others = [...Object.entries(webhooks), ...Object.entries(components.schemas)].map(
    ([name, part]) => [name, digestOf(part as Json)] as const,
  );
  return Object.fromEntries([...operations, ...others]);
}

function digestOf(part: Json): string {
  return createHash('sha256')
    .update(JSON.stringify(relied(part)))
    .digest('hex')
    .slice(0, 16);
}

function relied(value: Json): Json {
  if (Array.isArray(value)) return value.map(relied);
  if (typeof value !== 'object' || value === null) return value;
  // A member of a record may be called as one of the words: then it is a schema.
  const kept = Object.entries(value).filter(([name, member]: [string, Json]) => !words.has(name) || isSchema(member));
  return Object.fromEntries(kept.map(([name, member]: [string, Json]) => [name, relied(member)]));
}

function isSchema(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return ['type', '$ref', 'anyOf', 'oneOf', 'enum', 'const'].some((name) => name in value);
}

/** @param before undefined when nothing was written down yet, so that nothing can have changed */
function compared(
  parts: Readonly<Record<string, Readonly<Record<string, string>>>>,
  page: string,
  before: Changes | undefined,
): { readonly now: Changes; readonly missing: readonly string[] } {
  const items = page.split('\n').filter((line) => /^\s*(?:- |\S)/.test(line));
  const linesOf = (name: string) => items.filter((line) => line.includes(`\`${name}\``)).length;
  const now = Object.fromEntries(
    Object.entries(parts).map(([description, digests]) => [
      description,
      Object.fromEntries(
        Object.entries(digests).map(([name, digest]) => [name, { digest, lines: linesOf(name) } satisfies Noted]),
      ),
    ]),
  );
  const missing = Object.keys(before === undefined ? {} : { ...before, ...now }).flatMap((description) => {
    const [was, is] = [before?.[description] ?? {}, now[description] ?? {}];
    return Object.keys({ ...was, ...is })
      .filter((name) => was[name]?.digest !== is[name]?.digest && linesOf(name) <= (was[name]?.lines ?? 0))
      .map((name) => `${name} of ${description}, which has ${is[name] ? (was[name] ? 'changed' : 'come') : 'gone'}`);
  });
  return { now, missing };
}

/** @throws Error when a change without a line is not found, or one with a line is complained about */
function checkPlanted(): void {
  const before = { api: { same: noted('1', 1), changed: noted('1', 1), told: noted('1', 0), gone: noted('1', 0) } };
  const parts = { api: { same: '1', changed: '2', told: '2', come: '1' } };
  const { missing } = compared(parts, '- `changed`, once.\n- `told` is new.', before);
  const found = missing.map((line) => line.split(',')[0]).join();
  if (found !== 'changed of api,gone of api,come of api') throw new Error(`planted, but found otherwise: ${found}`);
}

function noted(digest: string, lines: number): Noted {
  return { digest, lines };
}
