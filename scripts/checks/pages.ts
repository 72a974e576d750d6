import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { repositoryRoot, trackedFiles } from './repository.ts';
import { avoidedWords } from '../lint/word-list.ts';

/** Generated pages, and the parts of a page that a tool writes, follow their sources. */
const generatedFolder = 'docs/generated/';
const generatedParts =
  /<!-- figures: written by npm run bench -->[\s\S]*|<!-- [\w ]+: begin -->[\s\S]*?<!-- [\w ]+: end -->/g;

const link = /\]\(([^)\s]+)\)/g;
const quoted = /`([^`\n]+)`/g;
/** `services/ledger/src/rates`, `tokens/signing-key.ts`: a path of ours, without placeholders, arguments and patterns. */
const ourPath =
  /^(?:(?:bench|deploy|docs|examples|packages|scripts|services|test)\/[\w./-]+|(?:[\w.-]+\/)+[\w.-]+\.ts)$/;
/** `public-events.ts`: a file that a sentence names without its folder. */
const fileName = /^[\w-][\w.-]*\.ts$/;
/** `some.test.ts`: "a test of it", "another": the tests that a page names as proof. */
const namedTests = /`([\w./-]+\.ts)`: ((?:"[^"]+"(?:, )?)+)/g;
const words = avoidedWords
  .filter(({ in: place }) => place === undefined || place === 'comments')
  .map(({ pattern, instead }) => ({ expression: new RegExp(`\\b(?:${pattern})\\b`, 'i'), instead }));

const planted: Readonly<Record<string, string>> = {
  'planted/link.md': 'See [the guide](no-such-page.md).',
  'planted/heading.md': 'See [the commands](../CONTRIBUTING.md#no-such-heading).',
  'planted/path.md': 'The rule is in `services/ledger/src/no-such-rule.ts`.',
  'planted/file.md': 'It is decided in `no-such-rule.ts`.',
  'planted/word.md': 'The service surely answers.',
  'planted/test.md': 'It is shown by `test/faults/faults.test.ts`: "PostgreSQL: no such test".',
};

/**
 * Every file, folder and heading that a page names or links to is there, and its sentences use the words of
 * docs/glossary.md. Complaints are what is not, and planted faults that were not found.
 */
export async function checkPages(): Promise<string[]> {
  const files = await trackedFiles();
  const fileNames = new Set(files.map((file) => basename(file)));
  const names = files.filter((name) => name.endsWith('.md') && !name.startsWith(generatedFolder));
  const complaints: string[] = [];
  for (const name of names) {
    const text = await readFile(join(repositoryRoot, name), 'utf8').catch(() => '');
    complaints.push(...(await complaintsOf(name, text.replace(generatedParts, withoutText), fileNames)));
  }
  for (const [name, text] of Object.entries(planted)) {
    if ((await complaintsOf(name, text, fileNames)).length !== 1)
      complaints.push(`planted, but not reported once: ${name}`);
  }
  return complaints;
}

async function complaintsOf(page: string, text: string, fileNames: ReadonlySet<string>): Promise<string[]> {
  const complaints: string[] = [];
  for (const [index, line] of withoutBlocks(text).split('\n').entries()) {
    const at = `${page}:${index + 1}: `;
    const named = [...line.matchAll(quoted)].map(([, name = '']) => name);
    const missing = named
      .filter((name) => (fileName.test(name) ? !fileNames.has(name) : ourPath.test(name) && !isThere(page, name)))
      .map((name) => `${name} is not in the repository`);
    const dangling: string[] = [];
    for (const [, target = ''] of line.matchAll(link)) {
      if (!(await leadsSomewhere(page, text, target))) dangling.push(`${target} leads nowhere`);
    }
    const unproven = await missingTests(line);
    complaints.push(...[...missing, ...dangling, ...unproven, ...avoidedIn(line)].map((complaint) => at + complaint));
  }
  return complaints;
}

async function missingTests(line: string): Promise<string[]> {
  const missing: string[] = [];
  for (const [, file = '', names = ''] of line.matchAll(namedTests)) {
    const source = await readFile(join(repositoryRoot, file), 'utf8').catch(() => '');
    const tests = source.replaceAll("\\'", "'");
    for (const [, name = ''] of names.matchAll(/"([^"]+)"/g)) {
      if (!tests.includes(name)) missing.push(`${file} has no test "${name}"`);
    }
  }
  return missing;
}

/** The sentences alone: blocks of code keep their lines, so that the others keep their numbers. */
function withoutBlocks(text: string): string {
  return text.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, withoutText);
}

function withoutText(block: string): string {
  return block.replace(/[^\n]/g, '');
}

function isThere(page: string, path: string): boolean {
  return [dirname(page), '.'].some((place) => existsSync(join(repositoryRoot, place, path)));
}

async function leadsSomewhere(page: string, text: string, target: string): Promise<boolean> {
  if (/^[a-z]+:/.test(target)) return true;
  const [path = '', heading] = target.split('#');
  if (path !== '' && !existsSync(join(repositoryRoot, dirname(page), path))) return false;
  if (heading === undefined) return true;
  const linked = path === '' ? text : await readFile(join(repositoryRoot, dirname(page), path), 'utf8');
  return [...linked.matchAll(/^#+ (.+)$/gm)].some(([, title = '']) => anchorOf(title) === heading);
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function avoidedIn(line: string): string[] {
  const sentence = line.replace(namedTests, '').replace(quoted, '').replace(link, ']');
  return words.flatMap(({ expression, instead }) => {
    const [found] = expression.exec(sentence) ?? [];
    return found === undefined ? [] : [`"${found}" is not a word of docs/glossary.md: ${instead}`];
  });
}
