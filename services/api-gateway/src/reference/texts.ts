import type { ReferencePage } from '#src/reference/layout.ts';
import { markdownOf } from '#src/reference/markdown.ts';
import { pagesOf, type Reference } from '#src/reference/pages.ts';

export const indexOfTexts = '/llms.txt';
export const allTexts = '/llms-full.txt';

/**
 * The same pages as Markdown, each at its address with `.md` behind it, and of all of them `/llms.txt`, a list, and
 * `/llms-full.txt`, their whole text: for assistants and for programs that search.
 */
export function renderTexts(references: readonly Reference[]): Map<string, string> {
  const known = new Set(references.flatMap(pagesOf).map(({ path }) => path));
  const texts = references.flatMap((reference) => pagesOf(reference).map((page) => textOf(page, known)));
  return new Map([
    ...texts.map(({ path, text }) => [path, text] as const),
    [indexOfTexts, listOf(references)],
    [allTexts, texts.map(({ text }) => text).join('\n')],
  ]);
}

function textOf({ path, title, body }: ReferencePage, known: ReadonlySet<string>) {
  const linkTo = (href: string) => {
    const [page = '', anchor] = href.split('#');
    return known.has(page) ? `${page}.md${anchor === undefined ? '' : `#${anchor}`}` : href;
  };
  return { path: `${path}.md`, text: `# ${title}\n\n${markdownOf(body.text, linkTo)}` };
}

function listOf(references: readonly Reference[]): string {
  const abouts = new Map(references.flatMap(({ guides }) => guides).map(({ href, about }) => [href, about]));
  const sections = references.flatMap((reference) => {
    const lines = pagesOf(reference).map(({ path, title }) => {
      const about = abouts.get(path);
      return `- [${title}](${path}.md)${about === undefined ? '' : `: ${about}`}`;
    });
    return ['', `## ${reference.document.info.title}, ${reference.base}`, '', ...lines];
  });
  const [first] = references;
  const title = first?.document.info.title ?? '';
  return [`# ${title}`, '', `> ${allTexts} has the text of all pages that are listed here.`, ...sections, ''].join(
    '\n',
  );
}
