import type { ReferencePage } from '#src/reference/layout.ts';
import { unescaped } from '#src/reference/markdown.ts';

/** A part of a page that a search leads to: its beginning, what stands under one of its headings, or an operation. */
export interface Section {
  readonly href: string;
  readonly title: string;
  /** The title of its page. */
  readonly page: string;
  /** The name by which programs know it; undefined of what is no operation. */
  readonly operation?: string;
  readonly text: string;
}

/** The sections of pages in their order; a browser finds them by their words. */
export function sectionsOf(pages: readonly ReferencePage[]): Section[] {
  return pages.flatMap(({ path, title, body }) => {
    const [start = '', ...parts] = body.text.split(/(?=<(?:article|h[23]) id=")/);
    const whole: Section = { href: path, title, page: title, text: wordsOf(start) };
    return [whole, ...parts.map((part) => sectionOf({ path, title }, part))];
  });
}

function sectionOf({ path, title }: Pick<ReferencePage, 'path' | 'title'>, part: string): Section {
  const [, id = ''] = / id="([^"]*)"/.exec(part) ?? [];
  const [heading = '', name = ''] = /<h[23][^>]*>([\s\S]*?)<\/h[23]>/.exec(part) ?? [];
  const section: Section = {
    href: `${path}#${id}`,
    title: wordsOf(name),
    page: title,
    text: wordsOf(part.replace(heading, '')),
  };
  if (!part.startsWith('<article')) return section;
  // Of an operation the samples repeat its members.
  const text = wordsOf(part.replace(heading, '').replaceAll(/<pre[^>]*>[\s\S]*?<\/pre>/g, ''));
  // Names of operations begin in lower case, those of schemas do not.
  return /^[a-z]/.test(id) ? { ...section, operation: id, text } : { ...section, text };
}

function wordsOf(html: string): string {
  return unescaped(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
}
