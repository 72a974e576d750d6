import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './repository.ts';

interface LockedPackage {
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}
type Packages = Readonly<Record<string, LockedPackage>>;
type AllowedScripts = Readonly<Record<string, boolean>>;

/** They ask for nothing but their notice, or (MPL) for changes to their own files. CC-BY and CC0 are those of data. */
const licences: ReadonlySet<string> = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'CC-BY-4.0',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MPL-2.0',
  ],
  ...['PSF-2.0', 'Python-2.0', 'Unlicense', 'WTFPL', '(MIT OR Apache-2.0)', '(MIT OR CC0-1.0)'],
  // Of two, the one that is meant asks for its notice.
  ...['(AFL-2.1 OR BSD-3-Clause)', '(BSD-3-Clause OR GPL-2.0)'],
]);

/** MIT by the file or page they bring; their package.json says it in a form npm no longer reads, or not at all. */
const licencedByFile: ReadonlySet<string> = new Set([
  ...['buildcheck', 'cpu-features', 'httpntlm', 'reserved', 'ssh2', 'stack-trace'],
  ...['busboy', 'connect-dynamodb', 'limiter', 'parent-require', 'streamsearch'],
  ...['compute-gcd', 'compute-lcm', 'validate.io-function', 'validate.io-integer', 'validate.io-integer-array'],
  'validate.io-number',
]);

/**
 * MIT but for its Enterprise Edition, which needs a contract. The shop that the provider is tested in switches nothing of that
 * on, and nothing of Medusa is shipped with us.
 */
const medusa = '@medusajs/';

/**
 * libvips, which reads pictures for Astro, is under the LGPL: a library of its own beside sharp, of which nothing is in the
 * pages that the site consists of.
 */
const libraryOfPictures = '@img/sharp-';

/** MIT, and Apache 2.0 for what was added since, as its LICENSE has it. */
const mcpInspector = '@modelcontextprotocol/inspector';

/** Packages of these names, whatever their licence. */
const agreed = [medusa, libraryOfPictures, mcpInspector];

/** Generators of clients, runtimes of the SDK, a shop, and the documentation site: projects of their own. */
const ownProjects = ['test/generators', 'test/sdk/runtimes', 'test/medusa/shop', 'site'];

const plantedPackages: Packages = {
  'node_modules/copyleft': { license: 'AGPL-3.0-only' },
  'node_modules/a/node_modules/unlicensed': {},
  'node_modules/runs-code': { license: 'MIT', hasInstallScript: true },
  'node_modules/fine': { license: 'MIT' },
};
const plantedComplaints = [
  'package-lock.json: copyleft is under AGPL-3.0-only, which nobody has agreed to',
  'package-lock.json: unlicensed is under no licence, which nobody has agreed to',
  'package.json: allowScripts does not say whether runs-code may run its install script',
];

/** What is installed is under a licence we have agreed to, and runs code while it is installed only where we say so. */
export async function checkSupplyChain(): Promise<string[]> {
  const { packages } = await readJson<{ readonly packages: Packages }>('package-lock.json');
  const own = await Promise.all(
    ownProjects.map(async (project) => {
      const { packages: locked } = await readJson<{ readonly packages: Packages }>(`${project}/package-lock.json`);
      return complaintsAbout(withoutScripts(locked), {}).map((complaint) => `${project}/${complaint}`);
    }),
  );
  const { allowScripts } = await readJson<{ readonly allowScripts: AllowedScripts }>('package.json');
  const planted = complaintsAbout(plantedPackages, {});
  const missed = plantedComplaints.filter((complaint) => !planted.includes(complaint));
  return [
    ...complaintsAbout(packages, allowScripts),
    ...own.flat(),
    ...missed.map((complaint) => `planted, but missed: ${complaint}`),
  ];
}

/** Their install scripts do not run: the `.npmrc` of their project turns them off. */
function withoutScripts(packages: Packages): Packages {
  return Object.fromEntries(
    Object.entries(packages).map(([path, entry]) => [path, { ...entry, hasInstallScript: false }]),
  );
}

function complaintsAbout(packages: Packages, allowScripts: AllowedScripts): string[] {
  return Object.entries(packages).flatMap(([path, { license, hasInstallScript, link }]) => {
    const name = path.split('node_modules/').at(-1) ?? '';
    if (link === true || name === path) return [];
    const complaints: string[] = [];
    if (!licences.has(license ?? '') && !licencedByFile.has(name) && !agreed.some((start) => name.startsWith(start))) {
      complaints.push(`package-lock.json: ${name} is under ${license ?? 'no licence'}, which nobody has agreed to`);
    }
    if (hasInstallScript === true && !(name in allowScripts)) {
      complaints.push(`package.json: allowScripts does not say whether ${name} may run its install script`);
    }
    return complaints;
  });
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(repositoryRoot, file), 'utf8')) as T;
}
