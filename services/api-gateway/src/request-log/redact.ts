import { masked } from '#src/sessions/masked.ts';

/** In bytes of JSON text; of what is larger nothing is kept, so that nothing is kept in halves. */
export const bodyBytesMax = 8_192;
/** An answer is read again to be redacted: of a longer one, a page of records, nothing is kept. */
export const readBytesMax = 65_536;
const hidden = '***';

/** Members that open something, in any part of a name: `secret_key`, `X-Api-Secret`, `token`. */
const secretNames =
  /secret|token|password|passphrase|senha|authorization|signature|credential|cookie|emv|claim_url|(?:api|private|access)[ _-]?key/i;
/** A word of its own in a name, and no part of `shipping`. */
const pinNames = /(?<![a-z])pin(?![a-z])|Pin(?![a-z])|(?<![A-Z])PIN(?![A-Z])/;
/** Headers are where receivers expect credentials, each under a name of its own. */
const headerNames = /headers$/i;
/** Members whose numbers are long and say nothing about a person: amounts, and Unix seconds. */
const amountNames =
  /(?:^|_)(?:amount|available|balance|blocked|bytes|cents|closing|fee|net|opening|pending|received|refunded|returned|total)(?:_|$)/;
const timeNames = /_at$|^(?:as_of|at|from|since|to|until)$/;
/** Members about a person, also where no operation has them: names, and where people live and are reached. */
const personalNames =
  /(?:^|[_-]|(?<=[a-z])(?=[A-Z]))(?:name|nome|nombre|e?mail|phone|telefone|celular|address|street|city|birth\w*|cpf|cnpj|rfc|curp)s?(?:$|[_-]|[A-Z])/i;
/** Members with texts of merchants and payers, in which anything may stand. */
const freeTexts: ReadonlySet<string> = new Set(['concept', 'description', 'metadata', 'note', 'reason', 'text']);
/** Secrets by their form, wherever they stand: keys, webhook secrets, what is sent to sign in. */
const secretForms = /\b(?:sk|whsec|opst|tok)_[\w+/=-]{6,}|\b(?:Basic|Bearer)\s+\S+|\beyJ[\w.-]{6,}/gi;
/** The token at the end of our links: of payment pages, exports and evidence. */
const linkTokens = /(\/(?:pay|exports|evidence)\/[a-z]{3}_[0-9a-z]{26}\/)[^\s"?#]+/g;
const word = /\S+/g;
const pixCode = /BR\.GOV\.BCB/i;
/** CPF and CNPJ (also with letters), with or without punctuation; CLABE; RFC and CURP; a phone. */
const documentForms =
  /(?<![a-z\d])(?:\d{3}\.?\d{3}\.?\d{3}-?\d{2}|[\dA-Z]{2}\.?[\dA-Z]{3}\.?[\dA-Z]{3}\/?[\dA-Z]{4}-?\d{2}|\d{18}|[A-ZÑ&]{4}\d{6}[A-Z]{6}[\dA-Z]{2}|[A-ZÑ&]{3,4}\d{6}[\dA-Z]{3})(?![a-z\d])|\+\d{8,15}\b/gi;
/** With or without what makes it an address of mail or a query: a text without them is gone through once. */
const mailForms = /[^\s@"<>]+(@[^\s@"<>]+\.[^\s@"<>]+)?/g;
/** Addresses may carry a token. */
const addressForms = /(https?:\/\/[^\s?"#]+)([?#][^\s"]*)?/gi;
/** What a text of the database cannot have. */
const nulls = /\0/g;
/** Ids of ours are no documents, whatever their characters. */
const ownId = /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * A body as the log keeps it: without secrets, with documents, keys, names and addresses masked as a session reads them,
 * also in members that no operation has and in the words of refusals. Null where there is none, or it is too large.
 */
export function redacted(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Buffer.byteLength(JSON.stringify(value)) > bodyBytesMax) return null;
  return JSON.stringify(scrubbed({ sent: value, shown: masked(value), name: '' }));
}

interface Member {
  readonly sent: unknown;
  /** The same as a session reads it. */
  readonly shown: unknown;
  /** Of itself, or of the list it stands in. */
  readonly name: string;
}

/** @param within whether all of it is hidden: it stands in a member that may hold anything */
function scrubbed({ sent, shown, name }: Member, within = false): unknown {
  if (typeof shown === 'string') return within ? withoutContent(sent, shown) : scrubbedText(shown);
  if (typeof shown === 'number') return within ? hidden : scrubbedNumber(shown, name);
  if (Array.isArray(shown)) {
    return shown.map((each: unknown, index) => scrubbed({ sent: partOf(sent, index), shown: each, name }, within));
  }
  if (typeof shown !== 'object' || shown === null) return shown;
  const members = Object.entries(shown).map(([key, member]: [string, unknown]) => {
    if (member === null) return [scrubbedText(key), null];
    if (secretNames.test(key) || pinNames.test(key)) return [scrubbedText(key), hidden];
    if (headerNames.test(key)) return [scrubbedText(key), withoutValues(member)];
    const isWithin = within || freeTexts.has(key) || personalNames.test(key);
    return [scrubbedText(key), scrubbed({ sent: partOf(sent, key), shown: member, name: key }, isWithin)];
  });
  return Object.fromEntries(members);
}

function partOf(whole: unknown, key: string | number): unknown {
  return (whole as Readonly<Record<string | number, unknown>>)[key];
}

/** The names alone. */
function withoutValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutValues);
  if (typeof value !== 'object' || value === null) return hidden;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [scrubbedText(key), withoutValues(member)]));
}

/** What was masked stays as it is read elsewhere; that it has `***` says nothing, since anyone can write that. */
function withoutContent(sent: unknown, shown: string): string {
  return shown === sent ? hidden : scrubbedText(shown);
}

/** Documents, keys and phones may have been sent as numbers, which lose their leading zeros. */
function scrubbedNumber(value: number, name: string): unknown {
  const text = String(value);
  if (!/^-?\d{9,18}(?!\d)/.test(text)) return value;
  return amountNames.test(name) || (timeNames.test(name) && text.length === 10) ? value : hidden;
}

export function scrubbedText(text: string): string {
  if (ownId.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(nulls, '')
    .replaceAll(addressForms, (_, address: string, query?: string) => (query ? `${address}?${hidden}` : address))
    .replaceAll(linkTokens, `$1${hidden}`)
    .replaceAll(secretForms, hidden)
    .replaceAll(word, (each) => (pixCode.test(each) ? hidden : each))
    .replaceAll(mailForms, (each, mail?: string) => (mail ? hidden : each))
    .replaceAll(documentForms, hidden);
}
