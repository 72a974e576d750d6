import type { Deposit } from '@gateway/contracts/deposits';
import { currencies, type Currency, decimalText, rails } from '@gateway/money';
import { bankOfClabe } from '@gateway/pix';
import { documentOf, Html, markup, nothing, type PageBranding, type Tone } from '#src/pages/html.ts';
import { type Language, localeOf, type RailTexts, texts, type Texts } from '#src/pages/payment-texts.ts';

/** The time left is shown from an hour before the deadline. */
const countedDownSec = 3_600;

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

type OpenState = 'waiting' | 'partial';
type EndState = Exclude<PageState, OpenState>;

/** True while the page has something to wait for. */
export function isOpen(state: PageState): state is OpenState {
  return state === 'waiting' || state === 'partial';
}

/** An expired charge may still be paid, late. */
function isLive(state: PageState): boolean {
  return isOpen(state) || state === 'expired';
}

export interface DepositPage {
  readonly deposit: Deposit;
  readonly merchantName: string;
  readonly branding: PageBranding;
  readonly language: Language;
  readonly now: Date;
  /** SVG of the PIX code; null on a rail without codes. */
  readonly qr: string | null;
  /** The rail's id of the money that went back; null while nothing did. */
  readonly returnId: string | null;
  /** Where the status is read, relative to the page. */
  readonly statusPath: string;
  /** Test mode only. */
  readonly simulation: { readonly path: string; readonly token: string } | null;
}

/** The page of one deposit in the state it is in. */
export function renderDeposit(page: DepositPage): string {
  const { deposit, merchantName, language, branding } = page;
  const text = texts[language];
  const state = pageStateOf(deposit);
  // The name stands beside it, so that the picture says nothing more to those who cannot see it.
  const logo = branding.logoPath === null ? nothing : markup`<img class="logo" src="${branding.logoPath}" alt="" />`;
  const what = deposit.description === null ? nothing : markup`<p class="what">${deposit.description}</p>`;
  const head = markup`<header>${logo}<p class="payee">${text.payTo(merchantName)}</p>${what}</header>`;
  const test =
    deposit.environment === 'test'
      ? markup`<p class="test"><strong>${text.testMode}.</strong> ${text.testNote}</p>`
      : nothing;
  const body = markup`${test}${head}${isOpen(state) ? openBody(page, state, text) : endedBody(page, state, text)}`;
  const title = `${titleOf(state, text)} · ${merchantName}`;
  return documentOf({ language, title, body, isLive: isLive(state), hasScript: true, branding });
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
${deposit.clabe === null ? nothing : clabeOf(deposit.clabe, deposit.beneficiary, text.rails[deposit.paymentMethod], text)}
<ol class="steps">${text.rails[deposit.paymentMethod].steps.map((step) => markup`<li>${step}</li>`)}</ol>
<noscript><p class="small">${text.refreshes}</p></noscript>
${simulation(page, text)}
</section>`;
}

/** The deadline by the payer's clock. Only its last hour is counted down: a day that runs in seconds makes haste for nothing. */
function countdown(page: DepositPage, text: Texts): Html {
  const { deposit, now } = page;
  const leftSec = Math.max(0, deposit.expiresAt - Math.floor(now.getTime() / 1_000));
  const isHidden = leftSec > countedDownSec ? new Html(' hidden') : nothing;
  return markup`<p class="until">${text.payUntil(timeText(new Date(deposit.expiresAt * 1_000), page, text))}</p>
<p class="time" id="time"${isHidden}><span>${text.timeLeft}</span>
<time id="countdown" role="timer" aria-live="off" datetime="PT${leftSec}S" data-left="${leftSec}" data-shown="${countedDownSec}">${clock(leftSec)}</time></p>`;
}

/** A time by the rail's clock, and whose clock that is. */
function timeText(time: Date, { deposit, language }: DepositPage, text: Texts): string {
  const { timeZone } = rails[deposit.paymentMethod];
  const format = new Intl.DateTimeFormat(localeOf[language], { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return `${format.format(time)} (${text.rails[deposit.paymentMethod].clock})`;
}

/** `59:59`; the script writes the same. */
function clock(totalSec: number): string {
  return [Math.floor(totalSec / 60), totalSec % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The account with what a bank's app asks for beside its number: whose it is, and its bank. */
function clabeOf(clabe: string, beneficiary: string | null, rail: RailTexts, text: Texts): Html {
  // Groups are set apart by the style, so that what is selected and copied are the digits alone.
  const groups = [clabe.slice(0, 3), clabe.slice(3, 6), clabe.slice(6, 10), clabe.slice(10, 14), clabe.slice(14)];
  const bank = bankOfClabe(clabe);
  const lines: Fact[] = [];
  if (beneficiary !== null) lines.push([text.beneficiary, beneficiary]);
  if (bank !== null) lines.push([text.bank, bank]);
  return markup`<p class="label" id="code-label">${rail.destination}</p>
<div class="copyable"><code id="code" class="clabe" aria-labelledby="code-label">${groups.map((group) => markup`<span>${group}</span>`)}</code>
${copyButton(clabe, text)}</div>${lines.length === 0 ? nothing : facts(lines)}`;
}

/** The code stands before its picture: a phone cannot scan its own screen. A wide page shows both. */
function codeOf({ qr }: DepositPage, emv: string, rail: RailTexts, text: Texts): Html {
  const picture =
    qr === null
      ? nothing
      : markup`<details class="qr" id="qr" open><summary>${text.showQr}</summary>
<div role="img" aria-label="${rail.qr ?? rail.destination}">${new Html(qr)}</div></details>`;
  return markup`<div class="code"><div><p class="label" id="code-label">${rail.destination}</p>
<div class="copyable"><code id="code" class="emv" aria-labelledby="code-label">${emv}</code>
${copyButton(emv, text)}</div></div>${picture}</div>`;
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

/** What has ended, drawn: a tick, an arrow that turns back, a clock, a dash. */
const strokes: Readonly<Record<EndState, string>> = {
  paid: 'M5 12.5l4.5 4.5L19 7.5',
  refunded: 'M9 5L5 9l4 4M5 9h9a5 5 0 0 1 0 10h-3',
  expired: 'M12 7v5l3.5 2M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18z',
  canceled: 'M6 12h12',
};

function signOf(state: EndState): Html {
  return markup`<svg viewBox="0 0 24 24" width="32" height="32" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><path d="${strokes[state]}"/></svg>`;
}

function endedBody(page: DepositPage, state: EndState, text: Texts): Html {
  const { deposit } = page;
  // Money that is sent back and a charge that was not paid are no faults.
  const tone: Tone = state === 'paid' ? 'good' : 'neutral';
  return markup`<section ${watchedBy(page, state)} class="ended ${tone}">
<p class="sign" aria-hidden="true">${signOf(state)}</p>
<h1 tabindex="-1">${titleOf(state, text)}</h1>
<p class="amount">${money(deposit.amount, page)}</p>
<p>${noteOf(page, state, text)}</p>${wayBack(page, state, text)}${receiptOf(page, text)}</section>`;
}

/** The way back to the shop. A payer who has just paid is taken there by the script, unless they would rather stay. */
function wayBack({ deposit: { returnUrl } }: DepositPage, state: PageState, text: Texts): Html {
  if (returnUrl === null) return nothing;
  const { host } = new URL(returnUrl);
  const leaving =
    state === 'paid'
      ? markup`<p id="leaving" class="small" hidden>${text.goesBack} <button type="button" id="stay" class="plain">${text.stay}</button></p>`
      : nothing;
  return markup`<p><a id="back" class="button" href="${returnUrl}" rel="noreferrer">${text.goBack(host)}</a></p>${leaving}`;
}

/** What a payer keeps of a payment; nothing for a charge that was not paid. */
function receiptOf(page: DepositPage, text: Texts): Html {
  const { deposit, merchantName, returnId } = page;
  if (deposit.paidAt === null) return nothing;
  const lines: Fact[] = [
    [text.payee, merchantName],
    [text.paidOn, timeText(new Date(deposit.paidAt), page, text)],
  ];
  if (deposit.e2eId !== null) lines.push([text.paymentId, deposit.e2eId]);
  if (returnId !== null) lines.push([text.returnId, returnId]);
  return markup`<h2>${text.receipt}</h2>${facts(lines)}
<button type="button" id="print" class="second" hidden>${text.print}</button>`;
}

type Fact = readonly [name: string, value: string];

function facts(lines: readonly Fact[]): Html {
  return markup`<dl>${lines.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** What the script compares with the status while there is one to wait for, and says when it changes. */
function watchedBy({ deposit, statusPath }: DepositPage, state: PageState): Html {
  const status = isLive(state) ? markup` data-status="${statusPath}"` : nothing;
  return markup`id="deposit"${status} data-state="${state}" data-received="${deposit.received}"`;
}

function titleOf(state: PageState, text: Texts): string {
  return isOpen(state) ? text.waiting : text[state];
}

function noteOf(page: DepositPage, state: EndState, text: Texts): string {
  switch (state) {
    case 'refunded':
      return text.refundedNote;
    case 'expired':
      return text.expiredNote;
    case 'canceled':
      return text.canceledNote;
    case 'paid':
      return text.paidNote(money(page.deposit.amount, page));
  }
}

function money(amount: number, { deposit: { currency }, language }: DepositPage): string {
  return moneyText(amount, currency, language);
}

/** Currencies whose sign another currency has too: the code stands beside it. */
const sharedSymbols: ReadonlySet<Currency> = new Set(['MXN']);

/** An amount as people write it; from the digits, never by way of a float. */
function moneyText(amount: number, currency: Currency, language: Language): string {
  const digits = decimalText(amount, currencies[currency]) as `${number}`;
  const format = new Intl.NumberFormat(localeOf[language], {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const text = format.format(digits).replace(/^(-?R\$)(?=\d)/, '$1\u00a0');
  return sharedSymbols.has(currency) ? `${text} ${currency}` : text;
}
