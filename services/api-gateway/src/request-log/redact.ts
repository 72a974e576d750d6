import { masked } from '#src/sessions/masked.ts';

/** In bytes of JSON text; of what is larger nothing is kept, so that nothing is kept in halves. */
const bodyBytesMax = 8_192;
/** An answer is read again to be redacted: of a longer one, a page of records, nothing is kept. */
export const readBytesMax = 65_536;
const hidden = '***';

/** Members that open something, in any part of a name: `secret_key`, `X-Api-Secret`, `token`. */
const secretNames = /secret|token|password|authorization|signature|credential|emv|claim_url/i;
/** Members about a person, also where no operation has them: names, and where people live and are reached. */
const personalNames =
  /(?:^|[_-]|(?<=[a-z])(?=[A-Z]))(?:name|nome|nombre|e?mail|phone|telefone|celular|address|street|city|birth\w*|cpf|cnpj|rfc|curp)s?(?:$|[_-]|[A-Z])/i;
/** Members with texts of merchants and payers, in which anything may stand. */
const freeTexts: ReadonlySet<string> = new Set(['concept', 'description', 'metadata', 'note', 'reason', 'text']);
/** Secrets by their form, wherever they stand: keys, webhook secrets, bearer tokens. */
const secretForms = /\b(?:sk|whsec|opst|tok)_[\w+/=-]{6,}|\bBearer\s+\S+|\beyJ[\w.-]{6,}/gi;
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
  return JSON.stringify(scrubbed(masked(value)));
}

/** @param within whether all of it is hidden: it stands in a member that may hold anything */
function scrubbed(value: unknown, within = false): unknown {
  if (typeof value === 'string') return within ? withoutContent(value) : scrubbedText(value);
  if (typeof value === 'number') return within ? hidden : scrubbedNumber(value);
  if (Array.isArray(value)) return value.map((each) => scrubbed(each, within));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (secretNames.test(name) && member !== null) return [scrubbedText(name), hidden];
    return [scrubbedText(name), scrubbed(member, within || freeTexts.has(name) || personalNames.test(name))];
  });
  return Object.fromEntries(members);
}

/** What is masked already stays as it is read elsewhere. */
function withoutContent(text: string): string {
  return text.includes(hidden) ? scrubbedText(text) : hidden;
}

/** A document may have been sent as a number. */
function scrubbedNumber(value: number): unknown {
  const text = String(value);
  return /^\d{11}$|^\d{14}$|^\d{18}$/.test(text) ? hidden : value;
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
