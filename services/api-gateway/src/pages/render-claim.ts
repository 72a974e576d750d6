import type { KeyPair } from '#src/keys/key-pair.ts';
import { claimTexts } from '#src/pages/claim-texts.ts';
import { markup, type Html } from '#src/pages/markup.ts';
import { documentOf } from '#src/pages/document.ts';
import type { Language } from '#src/pages/payment-texts.ts';

/** Before it is opened. Looking at a link must not open it: mail scanners and chats look at links. */
export function renderClosed(language: Language, publicKey: string): string {
  const { title, once, ready, open, publicKey: label } = claimTexts[language];
  return page(
    language,
    markup`<h1>${title}</h1><p>${label}</p><p><code>${publicKey}</code></p><p>${once}</p><p>${ready}</p>
<form method="post"><button type="submit">${open}</button></form>`,
  );
}

export function renderOpened(language: Language, { publicKey, secretKey }: KeyPair): string {
  const { title, publicKey: publicLabel, secretKey: secretLabel, opened } = claimTexts[language];
  return page(
    language,
    markup`<h1>${title}</h1><p>${publicLabel}</p><p><code>${publicKey}</code></p>
<p>${secretLabel}</p><p><code>${secretKey}</code></p><p>${opened}</p>`,
  );
}

export function renderGone(language: Language): string {
  const { gone, goneNote } = claimTexts[language];
  return page(language, markup`<p class="sign" aria-hidden="true">!</p><h1>${gone}</h1><p>${goneNote}</p>`);
}

function page(language: Language, body: Html): string {
  const { title } = claimTexts[language];
  return documentOf({ language, title, body: markup`<section class="ended">${body}</section>`, isLive: false });
}
