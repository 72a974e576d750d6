import type { Deposit } from '@gateway/contracts/deposits';
import { currencies, type Currency, decimalText, rails } from '@gateway/money';
import { documentOf, Html, markup, nothing } from '#src/pages/html.ts';
import { type Language, localeOf, type RailTexts, texts, type Texts } from '#src/pages/payment-texts.ts';

/** What a payer has to know of a deposit. */
export type PageState = 'waiting' | 'partial' | 'paid' | 'refunded' | 'expired' | 'canceled';

export function pageStateOf({ status, received }: Pick<Deposit, 'status' | 'received'>): PageState {
  switch (status) {
    case 'PENDING':
      return received > 0 ? 'partial' : 'waiting';
    case 'PAID':
      return 'paid';
    case 'REFUNDED':
      return 'refunded';
    case 'EXPIRED':
      return 'expired';
    case 'FAILED':
      return 'canceled';
  }
}

/** True while the page has something to wait for. */
export function isOpen(state: PageState): boolean {
  return state === 'waiting' || state === 'partial';
}

export interface DepositPage {
  readonly deposit: Deposit;
  readonly merchantName: string;
  readonly language: Language;
  readonly now: Date;
  /** SVG of the PIX code; null on a rail without codes. */
  readonly qr: string | null;
  /** Where the status is read, relative to the page. */
  readonly statusPath: string;
  /** Test mode only. */
  readonly simulation: { readonly path: string; readonly token: string } | null;
}

/** The page of one deposit in the state it is in. */
export function renderDeposit(page: DepositPage): string {
  const { deposit, merchantName, language } = page;
  const text = texts[language];
  const state = pageStateOf(deposit);
  const head = markup`<header><p class="payee">${text.payTo(merchantName)}</p></header>`;
  const test =
    deposit.environment === 'test'
      ? markup`<p class="test"><strong>${text.testMode}.</strong> ${text.testNote}</p>`
      : nothing;
  const body = markup`${test}${head}${isOpen(state) ? openBody(page, state, text) : endedBody(page, state, text)}`;
  const title = `${titleOf(state, text)} · ${merchantName}`;
  return documentOf({ language, title, body, isLive: isOpen(state) || state === 'expired' });
}

function openBody(page: DepositPage, state: PageState, text: Texts): Html {
  const { deposit } = page;
  const left = deposit.amount - deposit.received;
  return markup`<section ${watchedBy(page, state)}>
<h1 class="state waiting"><span class="dot" aria-hidden="true"></span>${text.waiting}</h1>
${state === 'partial' ? markup`<p class="notice">${text.partial(money(deposit.received, page), money(deposit.amount, page))}</p>` : nothing}
<p class="label" id="amount-label">${state === 'partial' ? text.amountLeft : text.amount}</p>
<p class="amount" aria-labelledby="amount-label">${money(left, page)}</p>
${countdown(page, text)}
${deposit.emv === null ? nothing : codeOf(page, deposit.emv, text.rails[deposit.paymentMethod], text)}
${deposit.clabe === null ? nothing : clabeOf(deposit.clabe, text.rails[deposit.paymentMethod], text)}
<ol class="steps">${text.rails[deposit.paymentMethod].steps.map((step) => markup`<li>${step}</li>`)}</ol>
<noscript><p class="small">${text.refreshes}</p></noscript>
${simulation(page, text)}
</section>`;
}

function countdown({ deposit, language, now }: DepositPage, text: Texts): Html {
  const leftSec = Math.max(0, deposit.expiresAt - Math.floor(now.getTime() / 1_000));
  const until = new Date(deposit.expiresAt * 1_000);
  const time = new Intl.DateTimeFormat(localeOf[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: rails[deposit.paymentMethod].timeZone,
  }).format(until);
  return markup`<p class="time"><span>${text.timeLeft}</span>
<time id="countdown" role="timer" aria-live="off" datetime="PT${leftSec}S" data-left="${leftSec}">${clock(leftSec)}</time></p>
<p class="small">${text.payUntil(time)}</p>`;
}

/** `23:59:59`, with days in front of it where there are any. */
function clock(totalSec: number): string {
  const parts = [Math.floor(totalSec / 3_600) % 24, Math.floor(totalSec / 60) % 60, totalSec % 60];
  const days = Math.floor(totalSec / 86_400);
  return `${days > 0 ? `${days}d ` : ''}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

function clabeOf(clabe: string, rail: RailTexts, text: Texts): Html {
  // Groups are set apart by the style, so that what is selected and copied are the digits alone.
  const groups = [clabe.slice(0, 3), clabe.slice(3, 6), clabe.slice(6, 10), clabe.slice(10, 14), clabe.slice(14)];
  return markup`<p class="label" id="code-label">${rail.destination}</p>
<div class="copyable"><code id="code" class="clabe" aria-labelledby="code-label">${groups.map((group) => markup`<span>${group}</span>`)}</code>
${copyButton(clabe, text)}</div>`;
}

function codeOf({ qr }: DepositPage, emv: string, rail: RailTexts, text: Texts): Html {
  const picture =
    qr === null
      ? nothing
      : markup`<div class="qr" role="img" aria-label="${rail.qr ?? rail.destination}">${new Html(qr)}</div>`;
  return markup`${picture}<p class="label" id="code-label">${rail.destination}</p>
<div class="copyable"><code id="code" class="emv" aria-labelledby="code-label">${emv}</code>
${copyButton(emv, text)}</div>`;
}

/** Without scripts there is nothing to press: the code is selected as a whole instead. */
function copyButton(value: string, text: Texts): Html {
  return markup`<button type="button" id="copy" hidden aria-describedby="code-label" data-copy="${value}" data-copied="${text.copied}">${text.copy}</button>`;
}

function simulation({ simulation: offered }: DepositPage, text: Texts): Html {
  if (!offered) return nothing;
  return markup`<form class="simulate" method="post" action="${offered.path}">
<input type="hidden" name="token" value="${offered.token}" /><button type="submit">${text.simulate}</button></form>`;
}

const signs = { good: '✓', bad: '!' } as const;

function endedBody(page: DepositPage, state: PageState, text: Texts): Html {
  const { deposit } = page;
  const isGood = state === 'paid';
  const note = noteOf(page, state, text);
  const reference =
    deposit.e2eId === null
      ? nothing
      : markup`<dl><dt>${text.reference}</dt><dd><code>${deposit.e2eId}</code></dd></dl>`;
  return markup`<section ${watchedBy(page, state)} class="ended ${isGood ? 'good' : 'bad'}">
<p class="sign" aria-hidden="true">${isGood ? signs.good : signs.bad}</p>
<h1 tabindex="-1">${titleOf(state, text)}</h1>
<p class="amount">${money(deposit.amount, page)}</p>
<p>${note}</p>${reference}</section>`;
}

/** What the script compares with the status, and says when it changes. */
function watchedBy({ deposit, statusPath }: DepositPage, state: PageState): Html {
  return markup`id="deposit" data-status="${statusPath}" data-state="${state}" data-received="${deposit.received}"`;
}

function titleOf(state: PageState, text: Texts): string {
  return isOpen(state) ? text.waiting : text[state as Exclude<PageState, 'waiting' | 'partial'>];
}

function noteOf(page: DepositPage, state: PageState, text: Texts): string {
  switch (state) {
    case 'refunded':
      return text.refundedNote;
    case 'expired':
      return text.expiredNote;
    case 'canceled':
      return text.canceledNote;
    case 'paid':
    case 'waiting':
    case 'partial':
      return text.paidNote(money(page.deposit.amount, page));
  }
}

function money(amount: number, { deposit: { currency }, language }: DepositPage): string {
  return moneyText(amount, currency, language);
}

/** An amount as people write it; from the digits, never by way of a float. */
function moneyText(amount: number, currency: Currency, language: Language): string {
  const digits = decimalText(amount, currencies[currency]) as `${number}`;
  const format = new Intl.NumberFormat(localeOf[language], {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  return `${format.format(digits)} ${currency}`;
}
