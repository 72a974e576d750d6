import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { messageLanguages } from '@gateway/contracts/values';
import { type Language, localeOf, nameOf, texts } from '#src/pages/payment-texts.ts';

/** HTML that is safe as it stands. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** HTML from a template: every value is escaped, unless it is HTML already. */
export function markup(parts: TemplateStringsArray, ...values: readonly (string | number | Html | readonly Html[])[]) {
  const written = values.map((value) => {
    if (value instanceof Html) return value.text;
    if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
    return value.map(({ text }) => text).join('');
  });
  return new Html(parts.map((part, at) => part + (written[at] ?? '')).join(''));
}

export const nothing = new Html('');

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const style = assetOf('payment-page.css');
const script = assetOf('payment-page.js');
const styleHash = hashOf(style);
const scriptHash = hashOf(script);

/** No-JavaScript readers see the state change by this. */
const refreshSec = 15;

/** What a page shows of the merchant beside the name. */
export interface PageBranding {
  /** Of the buttons, as #rrggbb. */
  readonly color: string | null;
  /** Where the logo is read; null without one. */
  readonly logoPath: string | null;
}

const unbranded: PageBranding = { color: null, logoPath: null };

/** The page's own styles and script by their hashes, its own address for the status and the logo, and nothing else at all. */
export function pagePolicyOf({ color, logoPath }: PageBranding): string {
  const styles = [styleHash, ...(color === null ? [] : [hashOf(brandStyle(color))])].map((hash) => `'${hash}'`);
  return [
    "default-src 'none'",
    `style-src ${styles.join(' ')}`,
    `script-src '${scriptHash}'`,
    ...(logoPath === null ? [] : ["img-src 'self'"]),
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const pagePolicy = pagePolicyOf(unbranded);

function brandStyle(color: string): string {
  return `:root{--brand:${color};--brand-dark:${color}}`;
}

/** How the end of something is coloured: done, over, or a fault. */
export type Tone = 'good' | 'neutral' | 'bad';

export interface Page {
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  /** Watched for changes, by script or by refreshing. */
  readonly isLive: boolean;
  /** True when the page has something for the script to do. */
  readonly hasScript: boolean;
  readonly branding?: PageBranding;
}

/** A whole document; the script alone may touch it afterwards. */
export function documentOf({ language, title, body, isLive, hasScript, branding = unbranded }: Page): string {
  const refresh = markup`<noscript><meta http-equiv="refresh" content="${refreshSec}" /></noscript>`;
  return markup`<!doctype html>
<html lang="${localeOf[language]}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex" />
<meta name="color-scheme" content="light dark" />
${branding.logoPath === null ? nothing : markup`<link rel="icon" href="${branding.logoPath}" />`}
<title>${title}</title>
${isLive ? refresh : nothing}
${new Html(`<style>${style}</style>`)}
${branding.color === null ? nothing : new Html(`<style>${brandStyle(branding.color)}</style>`)}
</head>
<body>
<main>${body}</main>
<p id="news" class="for-ears" role="status" aria-live="polite"></p>
<footer><p>${lock}<span>${texts[language].secure}</span></p>${languageLinks(language)}</footer>
${hasScript ? new Html(`<script>${script}</script>`) : nothing}
</body>
</html>
`.text;
}

/** The same page in the other languages; a choice that is made stays in the address. */
function languageLinks(shown: Language): Html {
  const links = messageLanguages.map((language) =>
    language === shown
      ? markup`<span aria-current="true" lang="${localeOf[language]}">${nameOf[language]}</span>`
      : markup`<a href="?lang=${language}" hreflang="${localeOf[language]}" lang="${localeOf[language]}">${nameOf[language]}</a>`,
  );
  return markup`<nav aria-label="${texts[shown].chooseLanguage}">${links}</nav>`;
}

const lock = markup`<svg aria-hidden="true" viewBox="0 0 16 16" width="14" height="14"><path fill="currentColor" d="M8 1a3.5 3.5 0 0 0-3.5 3.5V7H4a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V8a1 1 0 0 0-1-1h-.5V4.5A3.5 3.5 0 0 0 8 1Zm2 6H6V4.5a2 2 0 1 1 4 0Z"/></svg>`;

function assetOf(name: string): string {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
}

function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}

/** The page of a link that opens nothing (any more). It says nothing about what might have been there. */
export function renderNotFound(language: Language): string {
  const { notFound, notFoundNote } = texts[language];
  return notice(language, notFound, notFoundNote);
}

export function renderUnavailable(language: Language): string {
  const { unavailable, unavailableNote } = texts[language];
  return notice(language, unavailable, unavailableNote);
}

function notice(language: Language, title: string, note: string): string {
  const body = markup`<section class="ended bad"><p class="sign" aria-hidden="true">!</p><h1>${title}</h1><p>${note}</p></section>`;
  return documentOf({ language, title, body, isLive: false, hasScript: false });
}
