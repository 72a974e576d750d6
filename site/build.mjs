// Writes the pages of the repository as Starlight reads them, and builds the site into dist/.
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { build } from 'astro';
import { groups, leftOut, translated } from './pages.mjs';
import { policyOf } from './policy.mjs';

const here = import.meta.dirname;
const repository = join(here, '..');
const content = join(here, 'src/content/docs');
const dist = join(here, 'dist');
/** Copies code and shows it in one language, on the gateway's own pages and here. */
const script = join(repository, 'services/api-gateway/src/reference/assets/reading.js');
/** What pages show, under the same names on the site. */
const pictures = 'docs/pictures';

/** Addresses by the path of their page in the repository. */
const addresses = new Map(
  groups.flatMap(({ pages = {}, folder, at }) =>
    folder
      ? readdirSync(join(repository, folder))
          .filter((name) => name.endsWith('.md'))
          .map((name) => [`${folder}/${name}`, name === 'README.md' ? at : `${at}/${name.slice(0, -3)}`])
      : Object.entries(pages).map(([address, path]) => [path, address]),
  ),
);

const placed = [...addresses.keys(), ...leftOut, ...Object.values(translated)];
const pages = globSync(['docs/{*,generated/*,pt-br/*}.md', '{sdks,plugins}/*/*.md'], { cwd: repository });
const orphans = pages.filter((path) => !placed.includes(path));
if (orphans.length > 0) throw new Error(`no group of site/pages.mjs has ${orphans.join(', ')}`);

// The descriptions of the interfaces, and what tools import to call them.
const files = join(here, 'public/api');
rmSync(files, { recursive: true, force: true });
mkdirSync(files, { recursive: true });
for (const name of globSync('{openapi,connector,postman}*.json', { cwd: join(repository, 'docs/api') }))
  cpSync(join(repository, 'docs/api', name), join(files, name));

rmSync(content, { recursive: true, force: true });
for (const [path, address] of addresses) write(path, address, '');
for (const [address, path] of Object.entries(translated)) write(path, address, 'pt-br/');
await build({ root: here, logLevel: 'warn' });
cpSync(join(repository, pictures), join(dist, basename(pictures)), { recursive: true });
writeFileSync(join(dist, 'policy.txt'), `${policyOf(dist, writeScript())}\n`);

/** Under a name that changes with it, so that a browser keeps no older one. */
function writeScript() {
  const text = readFileSync(script);
  const name = `reading-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.js`;
  writeFileSync(join(dist, name), text);
  return `/${name}`;
}

function write(path, address, prefix) {
  const page = readFileSync(join(repository, path), 'utf8');
  const [, title = path] = /^# (.+)$/m.exec(page) ?? [];
  const body = withLinks(page.replace(/^# .+$/m, '').replaceAll(/<!--[\s\S]*?-->/g, ''), path, prefix);
  const head = ['---', `title: ${JSON.stringify(title.replaceAll('`', ''))}`, '---', ''].join('\n');
  const file = join(content, `${prefix}${address}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${head}${body}`);
}

/** Links between pages of the repository, as links between pages of the site, or to its files; those to code become words. */
function withLinks(text, path, prefix) {
  return text.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, image, label, target) => {
    if (/^[a-z]+:/.test(target) || target.startsWith('#')) return whole;
    if (image) return `![${label}](/${basename(pictures)}/${basename(target)})`;
    const [file = '', anchor] = target.split('#');
    const found = relative(repository, normalize(join(repository, dirname(path), file)));
    if (found.startsWith('docs/api/')) return `[${label}](/api/${found.slice('docs/api/'.length)})`;
    const address =
      addresses.get(found) ??
      addresses.get(`${found}/README.md`) ??
      Object.entries(translated).find(([, own]) => own === found)?.[0];
    if (address === undefined) return label;
    const isTranslated = prefix !== '' && address in translated;
    const place = address === 'index' ? '/' : `/${isTranslated ? prefix : ''}${address}/`;
    return `[${label}](${place}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}
