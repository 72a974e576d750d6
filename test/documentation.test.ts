import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..');
const manifestPatterns = ['package.json', '{apps,sdks,packages,services}/*/package.json', '{test,bench}/package.json'];

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
}

interface DocumentedDependency {
  readonly name: string;
  readonly version: string;
  readonly section: string;
  readonly reason: string;
}

/** One line per difference between what is declared and what docs/dependencies.md says of it. */
function differences(manifests: readonly Manifest[], page: string): string[] {
  const declared = declaredDependencies(manifests);
  const documented = documentedDependencies(page);
  const missing = [...declared]
    .filter(([name]) => !documented.some((entry) => entry.name === name))
    .map(([name, { version, section }]) => `${name} ${version} is missing under ${section}`);
  const wrong = documented.flatMap((entry) => {
    const known = declared.get(entry.name);
    if (!known) return [`${entry.name} is gone from every package.json`];
    const twice = documented.find(({ name }) => name === entry.name) !== entry;
    return [
      ...(twice ? [`${entry.name} is listed twice`] : []),
      ...(entry.version === known.version ? [] : [`${entry.name} is ${known.version}, not ${entry.version}`]),
      ...(entry.section === known.section ? [] : [`${entry.name} belongs under ${known.section}`]),
      ...(entry.reason.length >= 10 ? [] : [`${entry.name} has no reason`]),
    ];
  });
  return [...missing, ...wrong];
}

/** Our own packages have no reason to give; what runs anywhere in production is not a development dependency. */
function declaredDependencies(manifests: readonly Manifest[]): Map<string, { version: string; section: string }> {
  const found = new Map<string, { version: string; section: string }>();
  const add = (section: string, versions: Versions = {}) => {
    for (const [name, version] of Object.entries(versions)) {
      if (!name.startsWith('@gateway/') && !found.has(name)) found.set(name, { version, section });
    }
  };
  for (const { dependencies, optionalDependencies } of manifests) {
    add('Runtime', dependencies);
    add('Runtime', optionalDependencies);
  }
  for (const { devDependencies } of manifests) add('Development', devDependencies);
  return found;
}

function documentedDependencies(page: string): DocumentedDependency[] {
  return page.split(/^## /m).flatMap((part) => {
    const [section = '', ...lines] = part.split('\n');
    return lines.flatMap((line) => {
      const [, name = '', version = '', reason = ''] = /^\| `([^`]+)` +\| (\S+) +\| +(.*?) *\|$/.exec(line) ?? [];
      return name === '' ? [] : [{ name, version, section: section.trim(), reason: reason.trim() }];
    });
  });
}

describe('docs/dependencies.md', () => {
  test('lists every dependency with its version and a reason, and none that is gone', async () => {
    const manifests: Manifest[] = [];
    for await (const file of glob(manifestPatterns, { cwd: repository })) {
      manifests.push(JSON.parse(await readFile(join(repository, file), 'utf8')) as Manifest);
    }
    expect(manifests.length).toBeGreaterThan(10);
    const page = await readFile(join(repository, 'docs/dependencies.md'), 'utf8');
    expect(differences(manifests, page)).toEqual([]);
  });

  test('is compared for real: each kind of difference is found', () => {
    const manifests = [
      { dependencies: { '@gateway/pix': '0.1.0', added: '1.0.0', moved: '1.0.0', newer: '2.0.0', bare: '1.0.0' } },
      { devDependencies: { moved: '1.0.0', tool: '1.0.0' } },
    ];
    const rows = ['moved` | 1.0.0 | a good reason', 'gone` | 1.0.0 | a good reason', 'tool` | 1.0.0 | a good reason'];
    const page = [
      ...['## Runtime', '| `newer` | 1.0.0 | a good reason |', '| `bare` | 1.0.0 |  |'],
      ...['## Development', ...rows.map((row) => `| \`${row} |`), '| `tool` | 1.0.0 | another reason |'],
    ].join('\n');
    expect(differences(manifests, page)).toEqual([
      'added 1.0.0 is missing under Runtime',
      'newer is 2.0.0, not 1.0.0',
      'bare has no reason',
      'moved belongs under Runtime',
      'gone is gone from every package.json',
      'tool is listed twice',
    ]);
  });
});

test('whatever has a changelog of its own is on the pages of versions and of changes', async () => {
  const changelogs: string[] = [];
  for await (const path of glob('{sdks,plugins}/*/CHANGELOG.md', { cwd: repository })) changelogs.push(path);
  expect(changelogs.length).toBeGreaterThanOrEqual(5);
  for (const page of ['docs/versions.md', 'docs/changelog.md']) {
    const text = await readFile(join(repository, page), 'utf8');
    expect(changelogs.filter((path) => !text.includes(`(../${path})`))).toEqual([]);
  }
});

test('docs/security.md names the proof of every threat; that its files are there is part of npm run check', async () => {
  const page = await readFile(join(repository, 'docs/security.md'), 'utf8');
  const [, ...threats] = (page.split(/^## /m).find((part) => part.startsWith('Threats\n')) ?? '').split(/^### /m);
  expect(threats.length).toBeGreaterThan(30);
  const unproven = threats.filter(
    (threat) => !/^Proof: `(packages|scripts|services|test)\/[\w./-]+\.ts`/m.test(threat),
  );
  expect(unproven.map((threat) => threat.split('\n')[0])).toEqual([]);
});

test('the messages of the log that docs/operations/alerts.md quotes are logged', async () => {
  const page = await readFile(join(repository, 'docs/operations/alerts.md'), 'utf8');
  const quoted = [...page.replaceAll(/\s+/g, ' ').matchAll(/`((?!docker )[a-z]+(?: [a-z]+){3,})`/g)].map(
    ([, text = '']) => text,
  );
  expect(quoted.length).toBeGreaterThan(8);
  let source = '';
  for await (const file of glob('{packages,services}/*/src/**/*.ts', { cwd: repository })) {
    source += await readFile(join(repository, file), 'utf8');
  }
  expect(quoted.filter((text) => !source.includes(text))).toEqual([]);
});
