import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html, markup } from '#src/pages/html.ts';
import { pageScripts, searchLibrary } from '#src/reference/page-scripts.ts';

const style = readFileSync(new URL('./assets/reference.css', import.meta.url), 'utf8');

/** The page's own style, its scripts and what they search, and nothing else at all: no text becomes markup or script. */
export const referencePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export interface Link {
  readonly href: string;
  readonly label: string;
}

/** Links under a heading. */
export interface LinkGroup {
  readonly heading: string;
  readonly links: readonly Link[];
}

export interface ReferencePage {
  /** Where it is. */
  readonly path: string;
  readonly title: string;
  readonly body: Html;
}

export interface ReferenceFrame {
  readonly product: Link;
  /** The other descriptions, and this one in other forms. */
  readonly others: readonly Link[];
  readonly groups: readonly LinkGroup[];
  /** Where the sections are that its search finds. */
  readonly index: string;
}

/** A whole document, which needs no script: those that it has copy code, choose its language, and search. */
export function referenceDocument({ product, others, groups, index }: ReferenceFrame, page: ReferencePage): string {
  const linkTo = ({ href, label }: Link) =>
    href === page.path
      ? markup`<li><a href="${href}" aria-current="page">${label}</a></li>`
      : markup`<li><a href="${href}">${label}</a></li>`;
  const sections = groups.map(({ heading, links }) => markup`<h2>${heading}</h2><ul>${links.map(linkTo)}</ul>`);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${page.title} · ${product.label}</title>
${new Html(`<style>${style}</style>`)}
${pageScripts.map(({ path }) => markup`<script type="module" src="${path}"></script>`)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><p><a href="${product.href}">${product.label}</a></p><nav aria-label="Descriptions"><ul>${others.map(linkTo)}</ul></nav><div id="search" data-index="${index}" data-library="${searchLibrary.path}"></div></header>
<div class="layout">
<main id="content"><h1>${page.title}</h1>${page.body}</main>
<nav class="sections" aria-label="Sections">${sections}</nav>
</div>
</body>
</html>
`.text;
}

/** Text of a description: paragraphs, and words of the interface between backticks. */
export function prose(text: string): Html {
  const paragraphs = text.split('\n\n').map((paragraph) => markup`<p>${inline(paragraph)}</p>`);
  return markup`${paragraphs}`;
}

export function inline(text: string): Html {
  const parts = text.split('`').map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`));
  return markup`${parts}`;
}
