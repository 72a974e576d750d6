import { markup } from '#src/pages/markup.ts';
import { documentOf } from '#src/pages/document.ts';
import { texts, type Language } from '#src/pages/payment-texts.ts';

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
  return documentOf({ language, title, body, isLive: false });
}
