import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { checkPages } from './pages.ts';
import { repositoryRoot, trackedFiles } from './repository.ts';

const rulesFolder = 'docs/rules';
/** Binary files and files written by a tool cite nothing. */
const leftOut = /(^|\/)(package-lock\.json|[^/]+\.(png|svg|ico|gz|pem))$/;

/** The numbers that can be cited of each page of rules: headings, and the numbered items below them. */
type Rules = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * `spec 6`, `api.md 2 and 3`, `design.md 3.5`, `spec 6, rule 1`. Only `spec` is cited without `.md`. The names in capitals
 * are no pages: a citation of them would lead nowhere.
 */
const citation =
  /\b(?:(spec)|([a-z]+)\.md|(DESIGN|STYLE))(?:\.md)? (\d+(?:\.\d+)*)((?:(?:,| and) \d+(?:\.\d+)*(?![\w.]))*)(?:, rule (\d+))?/g;
/** `RFC 9110`: a standard, whose source has to be on the page of standards. */
const standard = /\bRFC ?(\d{3,5})\b/g;
const standardsPage = `${rulesFolder}/standards.md`;
const pageName = /(?<![\w/.*[-])((?:[\w.-]+\/)*[\w-]+\.md)(?![\w-])/g;

const planted = {
  'planted/a.ts': '/** As promised (spec 6, rule 99). */',
  'planted/b.ts': '// api.md 1 and 77 say so.',
  'planted/c.md': 'See docs/rules/no-such-page.md.',
  'planted/d.ts': '// The page is gone (DESIGN 3).',
  'planted/e.ts': '// A reserved name (RFC 99999).',
};

/**
 * Every rule that is cited by number, and every page that is named, is in the repository, and so is what the pages name.
 * Complaints are citations that lead nowhere, and planted ones that were not found.
 */
export async function checkCitations(): Promise<string[]> {
  const rules = await readRules();
  const complaints: string[] = [];
  for (const file of (await trackedFiles()).filter((name) => !leftOut.test(name))) {
    const text = await readFile(join(repositoryRoot, file), 'utf8').catch(() => '');
    complaints.push(...danglingIn(file, text, rules));
  }
  for (const [file, text] of Object.entries(planted)) {
    if (danglingIn(file, text, rules).length === 0) complaints.push(`planted, but not reported: ${file}`);
  }
  // The plants are part of the text of these two files.
  const dangling = complaints.filter((complaint) => !/^scripts\/checks\/(citations|pages)\.ts:/.test(complaint));
  return [...dangling, ...(await checkPages())];
}

async function readRules(): Promise<Rules> {
  const pages = new Map<string, ReadonlySet<string>>();
  for await (const file of glob(`${rulesFolder}/*.md`, { cwd: repositoryRoot })) {
    const text = await readFile(join(repositoryRoot, file), 'utf8');
    pages.set(basename(file, '.md'), file === standardsPage ? standardsOf(text) : numbersOf(text));
  }
  return pages;
}

function numbersOf(page: string): ReadonlySet<string> {
  const numbers = new Set<string>();
  let section = '';
  for (const line of page.split('\n')) {
    const [, heading] = /^#{2,4} (\d+(?:\.\d+)*)\.? /.exec(line) ?? [];
    const [, rule] = /^(\d+)\. /.exec(line) ?? [];
    if (heading !== undefined) {
      section = heading;
      numbers.add(section);
    } else if (rule !== undefined) numbers.add(`${section}, rule ${rule}`);
  }
  return numbers;
}

/** The first column of the table: what is cited. */
function standardsOf(page: string): ReadonlySet<string> {
  return new Set([...page.matchAll(/^\| RFC (\d+)/gm)].map(([, number = '']) => number));
}

function danglingIn(file: string, text: string, rules: Rules): string[] {
  return text.split('\n').flatMap((line, index) => {
    const dangling = [...danglingRules(line, rules), ...unknownStandards(line, rules), ...missingPages(file, line)];
    return dangling.map((cited) => `${file}:${index + 1}: ${cited} is not in the repository`);
  });
}

function danglingRules(line: string, rules: Rules): string[] {
  return [...line.matchAll(citation)].flatMap(([, bare, named, gone, first = '', more = '', rule]) => {
    const page = bare ?? named ?? gone ?? '';
    const cited = [rule === undefined ? first : `${first}, rule ${rule}`, ...(more.match(/\d+(\.\d+)*/g) ?? [])];
    return cited.filter((number) => !rules.get(page)?.has(number)).map((number) => `${page} ${number}`);
  });
}

function unknownStandards(line: string, rules: Rules): string[] {
  const cited = [...line.matchAll(standard)].map(([, number = '']) => number);
  return cited.filter((number) => !rules.get('standards')?.has(number)).map((number) => `RFC ${number}`);
}

function missingPages(file: string, line: string): string[] {
  const names = [...line.matchAll(pageName)].map(([, name = '']) => name);
  const places = [dirname(file), '.', 'docs', rulesFolder];
  return names.filter((name) => !places.some((place) => existsSync(join(repositoryRoot, place, name))));
}
