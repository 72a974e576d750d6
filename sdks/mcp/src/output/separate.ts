import { isBrCode } from './br-code.ts';

/** A text that a merchant, a payer or a receiver of webhooks wrote, and where in the record it stood. */
export interface UntrustedText {
  readonly path: string;
  readonly text: string;
  /** Whether more of it is in the record. */
  readonly cut: boolean;
}

/** What the gateway itself wrote, and apart from it what others wrote. */
export interface Separated {
  readonly record: unknown;
  readonly texts: readonly UntrustedText[];
}

/** Longer texts are cut, in characters. */
export const untrustedTextMax = 500;

/** Members whose texts are the gateway's own vocabulary: ids, states, codes. */
const ownMembers: ReadonlySet<string> = new Set([
  ...['id', 'object', 'status', 'currency', 'environment', 'event', 'events', 'type', 'ref_type', 'ref_id', 'data_id'],
  ...['webhook_id', 'deposit_id', 'payout_id', 'api_version', 'created_at', 'paid_at', 'started_at', 'expires_at'],
  ...['payment_method', 'kind', 'pix_key_type', 'trigger', 'e2e_id', 'disabled_reason', 'next_cursor'],
]);
const ownText = /^[\w.:+*-]{1,100}$/;

/** Members that the gateway makes, by the only form that each has there. Everything else is data of others. */
const ownForms: readonly (readonly [name: RegExp, form: Pick<RegExp, 'test'>])[] = [
  [/_at$/, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})$/],
  [/^emv$/, { test: isBrCode }],
  // Links for the payer, with a token of their own.
  [/^(?:payment_url|qr_url)$/, /^https?:\/\/[\w.:[\]-]+\/[\w/.~-]*(?:\?token=[\w.~-]+)?$/],
];

/** Members that hold credentials of the merchant, or what is signed with them. */
const secretMember = /secret|headers|authorization|token|password/i;

/** Names of members that the gateway chooses; an object with others is a text as a whole. */
const ownName = /^[a-z][a-z0-9_]{0,40}$/;

const documentText = /^[\dA-Za-z]{2,3}[.]?[\dA-Za-z]{3}[.]?[\dA-Za-z]{3}[/-]?(?:\d{2}|[\dA-Za-z]{4}-?\d{2})$/;

/**
 * Takes every text out of a record that the gateway has not chosen itself, so that a reader who follows instructions has none
 * of others among the gateway's words. Documents are masked, addresses lose what may be a credential, secrets are left out.
 */
export function separate(value: unknown): Separated {
  const texts: UntrustedText[] = [];
  const record = walk(value, [], texts);
  return { record, texts };
}

function walk(value: unknown, path: readonly string[], texts: UntrustedText[]): unknown {
  if (typeof value === 'string') return textAt(value, path, texts);
  if (Array.isArray(value)) return value.map((each, index) => walk(each, [...path, String(index)], texts));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !secretMember.test(name));
  if (path.at(-1) === 'metadata' || members.some(([name]) => !ownName.test(name))) {
    if (members.length > 0) texts.push(untrusted(JSON.stringify(Object.fromEntries(members)), path));
    return undefined;
  }
  return Object.fromEntries(
    members
      .map(([name, member]) => [name, walk(member, [...path, name], texts)] as const)
      .filter(([, member]) => member !== undefined),
  );
}

function textAt(text: string, path: readonly string[], texts: UntrustedText[]): string | undefined {
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
  const isOwn = ownForms.some(([member, form]) => member.test(name) && form.test(text));
  if (isOwn || (ownMembers.has(name) && ownText.test(text))) return text;
  texts.push(untrusted(harmless(name, text), path));
  return undefined;
}

function untrusted(text: string, path: readonly string[]): UntrustedText {
  const characters = Array.from(text);
  const shown = characters.slice(0, untrustedTextMax).join('');
  return { path: path.join('.'), text: shown, cut: characters.length > untrustedTextMax };
}

function harmless(name: string, text: string): string {
  if (name === 'document' || documentText.test(text)) return masked(text);
  if (/^https?:\/\//i.test(text)) return withoutCredentials(text);
  return text;
}

/** The last two characters alone, unless it is masked already. */
function masked(document: string): string {
  return document.includes('*') ? document : `***${document.slice(-2)}`;
}

/** Scheme, host and path: a query or a user may be a credential. */
function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return '[address]';
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}
