import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { anchorOf } from '../checks/pages.ts';
import { repositoryRoot } from '../checks/repository.ts';

const folder = 'services/api-gateway/src/reference/assets/guide';

/** A page of the repository, or one section of it, that the gateway serves below `/docs/guide`. */
interface GuideSource {
  readonly name: string;
  readonly source: string;
  readonly section?: string;
}

const guides: readonly GuideSource[] = [
  { name: 'merchant', source: 'docs/merchant-guide.md' },
  { name: 'start', source: 'docs/start.md' },
  { name: 'payments', source: 'docs/payments.md' },
  { name: 'refunds', source: 'docs/refunds.md' },
  { name: 'disputes', source: 'docs/disputes.md' },
  { name: 'payouts', source: 'docs/payouts.md' },
  { name: 'webhooks', source: 'docs/webhooks.md' },
  { name: 'verifying-a-webhook', source: 'README.md', section: 'Verifying a webhook' },
  { name: 'events', source: 'docs/generated/events.md' },
  { name: 'retries', source: 'docs/retries.md' },
  { name: 'test-mode', source: 'docs/test-mode.md' },
  { name: 'statement', source: 'docs/statement.md' },
  { name: 'finance', source: 'docs/finance.md' },
  { name: 'contract-1.0', source: 'docs/contract-1.0.md' },
  { name: 'contract-changes', source: 'docs/generated/contract-changes.md' },
  { name: 'connector', source: 'docs/connector-guide.md' },
  { name: 'going-live', source: 'docs/going-live.md' },
  { name: 'limits', source: 'docs/limits.md' },
  { name: 'versions', source: 'docs/versions.md' },
  { name: 'changelog', source: 'docs/changelog.md' },
  { name: 'sdk-typescript', source: 'sdks/typescript/README.md' },
  { name: 'sdk-python', source: 'sdks/python/README.md' },
  { name: 'cli', source: 'docs/cli.md' },
  { name: 'cli-commands', source: 'docs/generated/cli.md' },
  { name: 'mcp', source: 'docs/mcp.md' },
  { name: 'medusa', source: 'plugins/medusa/README.md' },
  { name: 'console', source: 'docs/console.md' },
  { name: 'proof', source: 'docs/proof.md' },
  { name: 'simulator', source: 'services/psp-simulator/README.md' },
];

/** Pages that are served in another form. */
const servedElsewhere: Readonly<Record<string, string>> = {
  'docs/generated/errors.md': '/docs/errors',
  'docs/api/openapi-0.1.json': '/openapi.json',
  'docs/api/openapi-1.0.json': '/openapi-1.0.json',
  'docs/api/connector.json': '/compat/openapi.json',
  'docs/api/postman-0.1.json': '/postman.json',
  'docs/api/postman-1.0.json': '/postman-1.0.json',
};

/** The contents of the guides as HTML, by their files; the gateway puts them into its frame. */
export const guidePages: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  guides.map((guide) => [`${folder}/${guide.name}.html`, () => contentOf(guide)]),
);

async function contentOf({ source, section }: GuideSource): Promise<string> {
  const page = await readFile(join(repositoryRoot, source), 'utf8');
  const text = section === undefined ? page.replace(/^# .+$/m, '') : sectionOf(page, section);
  return await new Marked({ renderer: rendererFor(source) }).parse(text);
}

function sectionOf(page: string, section: string): string {
  const [, ...parts] = page.split(/^## /m);
  const text = parts.find((part) => part.startsWith(`${section}\n`));
  if (text === undefined) throw new Error(`there is no section ${section}`);
  return text.slice(section.length);
}

/** Above a block that stands beside the same in other languages. */
const labels: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  py: 'Python',
  js: 'JavaScript',
  python: 'Python',
};

/** What is wider than a phone can be moved by itself, by keyboard too. */
function rendererFor(source: string): RendererObject {
  return {
    heading({ depth, text, tokens }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text, lang = '' }) {
      const [language = ''] = lang.split(' ', 1);
      const label = labels[language];
      if (label === undefined) return `<pre tabindex="0">${escaped(text)}</pre>\n`;
      return `<p class="language">${label}</p>\n<pre tabindex="0" class="language-${language}">${escaped(text)}</pre>\n`;
    },
    table({ header, rows }) {
      const row = (cells: readonly Tokens.TableCell[]) => {
        const written = cells.map((cell) => {
          const tag = cell.header ? 'th' : 'td';
          return `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`;
        });
        return `<tr>${written.join('')}</tr>\n`;
      };
      const body = rows.map(row).join('');
      return `<div class="wide" tabindex="0"><table><thead>${row(header)}</thead><tbody>${body}</tbody></table></div>\n`;
    },
    link({ href, tokens }) {
      const label = this.parser.parseInline(tokens);
      const target = servedAt(source, href);
      return target === undefined ? label : `<a href="${escaped(target)}">${label}</a>`;
    },
    /** The policy of the pages lets no picture be loaded: its text says what it shows. */
    image({ text }) {
      return `<em>${escaped(text)}</em>`;
    },
    html({ text }) {
      if (/^<!--[^>]*-->\s*$/.test(text)) return '';
      throw new Error(`${source} holds HTML, which the guides do not: ${text}`);
    },
  };
}

/** Where a link leads once the page is served; undefined for a page that only the repository has. */
function servedAt(source: string, href: string): string | undefined {
  if (href.startsWith('https:')) return href;
  const [path = '', anchor] = href.split('#');
  if (path === '') return href;
  const target = join(dirname(source), path);
  const elsewhere = servedElsewhere[target];
  if (elsewhere !== undefined) return anchor === undefined ? elsewhere : `${elsewhere}#${anchor}`;
  const guide = guides.find(({ source: file, section }) => {
    return file === target && (section === undefined || anchorOf(section) === anchor);
  });
  if (!guide) return undefined;
  const isWhole = anchor === undefined || guide.section !== undefined;
  return `/docs/guide/${guide.name}${isWhole ? '' : `#${anchor}`}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
